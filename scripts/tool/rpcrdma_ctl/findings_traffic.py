# SPDX-License-Identifier: GPL-2.0-only
"""Faults of type of service and its rules. Only computes."""

from . import traffic
from .model import WARNING, Finding, here


def rules(facts):
    """The file of rules is wrong, or the modules do not have what it says."""
    repair = here("rpcrdmactl traffic load   # new connections use the rules")
    if facts.traffic_fault:
        return [Finding("traffic-rules", WARNING, facts.traffic_fault,
                        here("rpcrdmactl traffic check   # after each change of the file") + repair)]
    differ = [module for side, module in traffic.MODULES.items()
              if f"{module}.traffic_rules" in facts.settings and facts.traffic is not None
              and facts.settings[f"{module}.traffic_rules"] != traffic.kernel_text(facts.traffic, side)]
    if not differ:
        return []
    return [Finding("traffic-rules", WARNING,
                    f"other rules in {' and '.join(differ)} than in {traffic.FILE}", repair)]


def kind(facts, one):
    name = f"{one.values.get('device')}/{one.values.get('device_port')}"
    return next((port.kind for port in facts.ports if port.name() == name), "")


def roce(facts):
    """Connections whose type of service is that of their packets."""
    return [one for one in facts.connections
            if one.established and one.number("tos") is not None and kind(facts, one) == "RoCE"]


def connections(facts):
    """A client's connection is older than the choice; the two ends differ, if both are here."""
    found = []
    for one in roce(facts):
        wanted, tos = one.number("tos_configured"), one.number("tos")
        if one.side == "client" and wanted and wanted != tos:
            found.append(Finding("traffic-class", WARNING,
                                 f"{one.name} to {one.peer} sends with type of service {of(tos)}, a new connection "
                                 f"would send with {of(wanted)}", again(one)))
        elif one.side == "client":
            found += [Finding("traffic-class", WARNING,
                              f"{one.name} sends with type of service {of(tos)}, its other end {other.name} with "
                              f"{of(other.number('tos'))}", again(one))
                      for other in roce(facts)
                      if (other.peer, other.source) == (one.source, one.peer) and other.number("tos") != tos]
    return found


def again(one):
    return here(f"echo 1 > /sys/kernel/rpcrdma/connections/{one.name}/disconnect")


def of(tos):
    return f"{tos} (DSCP {tos // 4})"


def remarks(facts):
    """What goes out, if anything was chosen; and who decides on it, if it is not this end."""
    said = [(one, f" sends with type of service {of(one.number('tos'))}")
            for one in roce(facts) if one.number("tos")]
    for one in facts.connections:
        wanted = one.number("tos_configured")
        if not one.established or not wanted:
            continue
        if one.number("tos") is None and kind(facts, one) == "iWARP":
            said.append((one, f": type of service {of(wanted)} was given to the driver of "
                         f"{one.values.get('device')}, which may ignore it (Soft-iWARP does)"))
        elif one.side == "server" and one.number("tos") not in (None, wanted):
            said.append((one, f": svcrdma.tos is {of(wanted)}, but it is for iWARP; elsewhere the client chooses, "
                         f"here {of(one.number('tos'))}"))
    return together(said)


def together(said):
    """One note for all connections of a side of which the same is said; it names the first one."""
    found = {}
    for one, text in said:
        found.setdefault((one.side, text), []).append(one)
    return [f"{ones[0].name} to {ones[0].peer}{text}" +
            (f"; the same for {len(ones) - 1} other {side} connections" if len(ones) > 1 else "")
            for (side, text), ones in found.items()]
