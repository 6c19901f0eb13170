# SPDX-License-Identifier: GPL-2.0-only
"""Metric families as text: OpenMetrics 1.0, or the older format of Prometheus. Only computes.

node_exporter's textfile collector and promtool read the older one only, in which a
counter's family has the name of its sample. In OpenMetrics it lacks "_total".
"""

from dataclasses import dataclass, field

OPENMETRICS, PROMETHEUS = "openmetrics", "prometheus"
CONTENT_TYPES = {OPENMETRICS: "application/openmetrics-text; version=1.0.0; charset=utf-8",
                 PROMETHEUS: "text/plain; version=0.0.4; charset=utf-8"}
SUFFIXES = {"counter": "_total", "info": "_info"}
ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


@dataclass
class Family:
    """Samples are (labels, value); the value of a histogram is its list of buckets.

    bounds: upper bounds of the buckets but the last, in the unit of the family.
    """
    name: str           # with its unit, without _total or _info
    kind: str           # gauge, counter, info, histogram
    help: str
    unit: str = ""
    samples: list = field(default_factory=list)
    bounds: tuple = ()

    def add(self, labels, value=1):
        self.samples.append((labels, value))

    @property
    def sample_name(self):
        """As in queries."""
        return self.name + SUFFIXES.get(self.kind, "_bucket" if self.kind == "histogram" else "")


def labelled(labels):
    return ",".join(f'{key}="{str(value).translate(ESCAPES)}"' for key, value in labels.items())


def sample(name, text, value):
    return f"{name}{{{text}}} {value}" if text else f"{name} {value}"


def bucket_lines(family, text, buckets, with_count):
    """OpenMetrics has a count only beside a sum, and the kernel counts no sum."""
    total, comma = 0, "," if text else ""
    for bound, count in zip([*family.bounds, "+Inf"], buckets):
        total += count
        yield f'{family.name}_bucket{{{text}{comma}le="{bound}"}} {total}'
    if with_count:
        yield sample(f"{family.name}_count", text, total)


def head(family, form):
    if form == OPENMETRICS:
        yield f"# TYPE {family.name} {family.kind}"
        if family.unit:
            yield f"# UNIT {family.name} {family.unit}"
        yield f"# HELP {family.name} {family.help.translate(ESCAPES)}"
    else:
        name = family.name if family.kind == "histogram" else family.sample_name
        yield f"# HELP {name} {family.help}"
        yield f"# TYPE {name} {'gauge' if family.kind == 'info' else family.kind}"


def lines(families, form=OPENMETRICS):
    """families: a list. Many samples have the same labels, which become a text once."""
    texts = {id(labels): labels for family in families for labels, _ in family.samples}
    texts = {key: labelled(labels) for key, labels in texts.items()}
    for family in families:
        if not family.samples:
            continue
        yield from head(family, form)
        for labels, value in family.samples:
            text = texts[id(labels)]
            if family.kind == "histogram":
                yield from bucket_lines(family, text, value, form == PROMETHEUS)
            else:
                yield sample(family.sample_name, text, value)
    if form == OPENMETRICS:
        yield "# EOF"


def render(families, form=OPENMETRICS):
    return "\n".join(lines(families, form)) + "\n"


def data(families):
    """For --json."""
    return {"version": 1, "command": "metrics",
            "families": [{"name": family.name, "type": family.kind, "unit": family.unit or None,
                          "help": family.help, "bounds": list(family.bounds) or None,
                          "samples": [{"labels": labels, "value": value} for labels, value in family.samples]}
                         for family in families if family.samples]}
