# SPDX-License-Identifier: GPL-2.0-only
"""The page of rpcrdmactl report: one HTML file without scripts that loads nothing. Only computes."""

from . import charts
from .markup import Markup, join, table, tag
from .report_style import STYLE
from .tables import duration, pair, rate
from .terminal import printable

DRAWN, LISTED = 12, 100         # connections with charts, with counters
# No script, no picture, no font from elsewhere, whatever gets into the page
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def section(name, title, *content):
    return tag("section", tag("h2", title, id=name), *content)


def left_out(shown, all_, what="connections"):
    more = len(all_) - len(shown)
    return tag("p", f"{more} more {what} are not shown; --json has all.", class_="none") if more > 0 else Markup("")


def busiest(connections, most):
    return sorted(connections, key=lambda one: -one["per_second"]["calls"])[:most]


def yes(value):
    return {True: "yes", False: "no", None: "-"}[value]


# Sections

def versions(data):
    known = data["versions"]
    rows = [(name, known[key]) for name, key in
            (("Distribution", "distribution"), ("Kernel", "kernel"), ("Build of the kernel", "kernel_build"),
             ("Architecture", "architecture"), ("RDMA core", "rdma_core"), ("Host", "host"),
             ("rpcrdmactl", "rpcrdmactl"))] + [("Up for", duration(data["uptime"]))]
    modules = [(one["name"], yes(one["loaded"]), *(one[key] for key in ("version", "srcversion", "file",
                                                                        "file_srcversion", "signer")))
               for one in known["modules"]]
    return section("versions", "Versions", table("This machine", ["What", "Version"], rows),
                   table("Modules", ["Module", "Loaded", "Version", "Source version", "Installed file",
                                     "Its source version", "Signed by"], modules))


def devices(data):
    rows = []
    for one in data["devices"]:
        for netdev in one["netdevs"] or [{"name": None, "up": None, "mtu": None, "addresses": []}]:
            rows.append((one["name"], one["kind"], one["state"], one["rate"], one["firmware"], one["gids"],
                         netdev["name"], yes(netdev["up"]), netdev["mtu"], " ".join(netdev["addresses"]) or None))
    nfsd = data["nfsd"]
    listeners = ", ".join(f"{name} {port}" for name, port in dict.fromkeys(map(tuple, nfsd["listeners"]))) or "none"
    return section("devices", "Devices and links",
                   table("RDMA ports", ["Port", "Kind", "State", "Rate", "Firmware", "GIDs", "Network device", "Up",
                                        "MTU", "Addresses"], rows, {"GIDs", "MTU"}),
                   tag("p", f"nfsd: {nfsd['threads']} threads; listeners: {listeners}"))


def parameters(data):
    rows = [(one["name"], one["value"] or "(empty)", "not known" if one["default"] is None else one["default"])
            for one in data["parameters"]]
    return section("parameters", "Parameters",
                   table("Parameters that differ from their defaults, or whose defaults depend on the machine",
                         ["Parameter", "Value", "Default"], rows))


def finding(one):
    repair = [tag("li", f"on {command['on']}: ", tag("code", command["command"])) for command in one["repair"]]
    severity = one["severity"]
    return tag("article", tag("h3", tag("span", severity, class_=f"badge {severity}"), " ", one["name"]),
               tag("p", one["text"]), tag("ol", *repair) if repair else Markup(""), class_="finding")


def doctor(data):
    found = [finding(one) for one in data["findings"]] or [tag("p", "nothing found", class_="good")]
    notes = [tag("li", note) for note in data["notes"]]
    return section("doctor", "Findings of doctor", *found, tag("h3", "Notes") if notes else Markup(""),
                   tag("ul", *notes) if notes else Markup(""))


def join_words(words):
    """Broken between them only"""
    return Markup(", ".join(tag("span", word, class_="whole") for word in words)) or None


def connections(data):
    shown = busiest(data["connections"], LISTED)
    rows = [(one["name"], tag("span", one["peer"], class_="whole"),
             join_words(one["mounts"]),
             f"{one.get('device')}/{one.get('device_port')}" if one.get("device") else None,
             one.get("version"), one.get("state"), duration(one.get("age_seconds")),
             pair(one.get("inline_send"), one.get("inline_receive")),
             pair(one.get("credits_granted"), one.get("credits_asked")), one.get("requests_in_flight"),
             one.get("requests_waiting"), rate(one["per_second"]["calls"]), rate(one["per_second"]["errors"]))
            for one in shown]
    numbers = {"Version", "Age", "Inline", "Credits", "Under way", "Waiting", "RPC/s", "Errors/s"}
    return section("connections", "Connections",
                   table("Connections", ["Name", "Peer", "Mounts of this server", "Device", "Version", "State", "Age",
                                         "Inline",
                                         "Credits", "Under way", "Waiting", "RPC/s", "Errors/s"], rows, numbers),
                   left_out(shown, data["connections"]), *map(details, shown))


def details(one):
    """All values and counters of a connection, folded"""
    counters = [(name, count) for name, count in sorted(one["counters"].items()) if count]
    known = ("name", "peer", "per_second", "rates", "latency_watched", "mounts", "counters", "refusals", "latency")
    values = [(name, text) for name, text in sorted(one.items()) if name not in known and text is not None]
    return tag("details", tag("summary", f"{one['name']}: counters and values"),
               tag("div", table(f"Counters of {one['name']} that are not 0", ["Counter", "Value"], counters,
                                {"Value"}),
                   table(f"Values of {one['name']}", ["File", "Value"], values), class_="columns"))


def rates(data):
    shown, figures = busiest(data["connections"], DRAWN), []
    for one in shown:
        kept = one["rates"]
        figures.append(charts.chart(f"{one['name']}: RPCs", "RPC/s", data["seconds"], [("RPCs", kept["calls"])]))
        figures.append(charts.chart(
            f"{one['name']}: payload in chunks", "MB/s", data["seconds"],
            [(name, [None if count is None else count / 10**6 for count in kept[key]])
             for name, key in (("to the client", "bytes_to_client"), ("to the server", "bytes_to_server"))]))
    what = f"The counters were watched for {sum(data['seconds']):.1f} s. Numbers below a chart are means."
    return section("rates", "Rates", tag("p", what if shown else f"{what} There was no connection."),
                   charts.small_multiples(figures), left_out(shown, data["connections"]))


def latencies(connections_, key):
    return [(f"{one['name']} {name}", buckets) for one in connections_ for name, buckets in sorted(one[key].items())]


def latency(data):
    shown = busiest(data["connections"], DRAWN)
    return section("latency", "Latency",
                   charts.heat_map("While it was watched", latencies(shown, "latency_watched")),
                   charts.heat_map("Since the connection's directory in sysfs was created",
                                   latencies(shown, "latency")),
                   left_out(shown, data["connections"]))


def refusals(data):
    total, where = {}, {}
    for one in data["connections"]:
        for name, count in one["refusals"].items():
            if count:
                total[name] = total.get(name, 0) + count
                where.setdefault(name, []).append(one["name"])
    most = max(total.values(), default=0)
    rows = [(name, count, charts.share_bar(count, most), some(where[name]))
            for name, count in sorted(total.items(), key=lambda item: -item[1])]
    return table("Messages refused, by reason", ["Reason", "Messages", "Share", "Connections"], rows, {"Messages"})


def some(names):
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def closes(data):
    rows = [(one["name"], one["counters"].get("closes", 0), one.get("last_error_reason"), one.get("last_error"),
             duration(one.get("last_error_age_seconds"))) for one in data["connections"]
            if one.get("last_error_reason") or one["counters"].get("closes")]
    return table("Connections lost or closed, with the last cause",
                 ["Name", "Closes", "Last cause", "Error number", "Ago"], rows[:LISTED],
                 {"Closes", "Error number", "Ago"})


def log(data):
    lines = data["log"]
    if lines is None:
        return section("log", "Kernel log", tag("p", "The kernel log cannot be read.", class_="none"))
    if not lines:
        return section("log", "Kernel log", tag("p", "It has no line of the modules.", class_="none"))
    text = Markup("\n").join(join([f"[{one['seconds']:12.6f}] {printable(one['text'])}"]) for one in lines)
    return section("log", "Kernel log", tag("p", f"The last {len(lines)} lines of the modules; seconds since boot."),
                   tag("pre", Markup(text), tabindex="0", role="region", aria_label="Kernel log"))


def per(total, count):
    return f"{total / count:.1f}" if count and total is not None else None


def mount(one):
    rows = [(name, values["operations"], values.get("transmissions", 0) - values["operations"],
             values.get("timeouts"), values.get("errors"), per(values.get("queue"), values["operations"]),
             per(values.get("rtt"), values["operations"]), per(values.get("execute"), values["operations"]))
            for name, values in sorted(one["operations"].items(), key=lambda item: -item[1]["operations"])]
    head = ["Operation", "Count", "Sent again", "Timeouts", "Errors", "Queue ms", "Round trip ms", "Total ms"]
    sizes = ", ".join(f"{name.replace('_', ' ')} {count / 10**6:.1f} MB" for name, count in one["bytes"].items())
    return [tag("h3", f"{one['directory']} from {one['source']}"),
            tag("p", f"Transports: {one['transports']}; {sizes}"), tag("p", tag("code", one["options"])),
            table(f"Operations of {one['directory']}, times as means", head, rows, set(head[1:]))]


def mounts(data):
    content = [part for one in data["mounts"] for part in mount(one)]
    return section("mounts", "Mounts", *(content or [tag("p", "No mount uses RDMA.", class_="none")]))


SECTIONS = (("doctor", "Findings", doctor), ("versions", "Versions", versions), ("devices", "Devices", devices),
            ("parameters", "Parameters", parameters), ("connections", "Connections", connections),
            ("rates", "Rates", rates), ("latency", "Latency", latency),
            ("refusals", "Refusals and closes",
             lambda data: section("refusals", "Refusals and closes", refusals(data), closes(data))),
            ("mounts", "Mounts", mounts), ("log", "Kernel log", log))


def tiles(data):
    """What a reader wants to know first"""
    up = sum(one.get("state") == "established" for one in data["connections"])
    counts = {word: sum(one["severity"] == word for one in data["findings"]) for word in ("error", "warning")}
    loaded = [one for one in data["versions"]["modules"] if one["loaded"]]
    version = next((one["version"] for one in loaded if one["version"]), None)
    known = [("Modules", version or ("in-tree" if loaded else "not loaded")),
             ("Kernel", data["versions"]["kernel"]),
             ("Connections", f"{up} of {len(data['connections'])} established"),
             ("Errors", counts["error"]), ("Warnings", counts["warning"])]
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", text)) for name, text in known), class_="tiles")


def page(data):
    host = data["versions"]["host"]
    head = tag("head", tag("meta", charset="utf-8"),
               tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
               tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
               tag("meta", name="color-scheme", content="light dark"),
               tag("title", f"NFS over RDMA on {host}"), tag("style", Markup(STYLE)))
    note = [] if data["loaded"] else [tag("p", "The modules are not loaded, or are not these: there are no "
                                          "connections to show.", class_="warn", role="note")]
    hidden = " Addresses and host names are replaced." if data["redacted"] else ""
    header = tag("header", tag("h1", f"NFS over RDMA on {host}"),
                 tag("p", f"rpcrdmactl report, {data['time']}.{hidden}"), *note, tiles(data),
                 tag("nav", tag("ul", *(tag("li", tag("a", title, href=f"#{name}")) for name, title, _ in SECTIONS)),
                     aria_label="Sections"))
    body = tag("body", header, tag("main", *(draw(data) for _, _, draw in SECTIONS)))
    return join([Markup("<!DOCTYPE html>\n"), tag("html", head, body, lang="en")])
