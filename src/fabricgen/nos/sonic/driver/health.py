"""Read the health of a SONiC switch from its sessions, ports and counters."""

from collections.abc import Iterator, Mapping
from typing import Any

from fabricgen.core.tree.ranges import between
from fabricgen.nos.health import Health
from fabricgen.nos.shared.documents import Answer, Look, UnreadableError, script
from fabricgen.nos.shared.frr import show as routing
from fabricgen.nos.shared.health import health, neighbors
from fabricgen.nos.show import Observed
from fabricgen.nos.sonic.driver import counters, traffic

# All are of sonic-net/sonic-utilities, unless another source is named.
COMMANDS = {
    "tables": "sonic-cfggen -d --print-data",
    "sessions": "docker exec bgp vtysh -c 'show bgp vrf all neighbors json'",
    "bfd": "docker exec bgp vtysh -c 'show bfd peers json'",
    # scripts/lldpshow asks lldpctl in that container; json0 is lldpd's own form (lldpcli.8).
    "lldp": "docker exec lldp lldpctl -f json0",
    "counters": counters.COMMAND,
    "storms": "pfcwd show stats",  # pfcwd/main.py show_stats
    **traffic.COMMANDS,
}
SCRIPT = script(COMMANDS.items())
"""The shell script for the switch. It writes nothing."""


def health_of(output: str) -> Health:
    """Return the health. Unreadable parts are named and never guessed."""
    look: Look[str] = Look(output)
    tables = look.json("tables of CONFIG_DB", "tables", {})
    facts = {
        **look.json("BGP sessions", "sessions", {}, routing.sessions),
        **look.json("BFD sessions", "bfd", [], routing.bfd),
        **look.json("LLDP neighbors", "lldp", {}, neighbors),
    }
    pulses = look.json("BGP sessions", "sessions", {}, routing.pulses)
    counted = look.text(
        "links and counters of ports",
        "counters",
        lambda answer: counters.counters(answer.document({})),
        counters.NOTHING,
    )
    storms = look.text("PFC watchdog", "storms", _storms, {})
    drops = look.made("drops of lossless classes", lambda: _drops(counted.drops, tables), {})
    pauses = look.made("PFC frames", lambda: traffic.strange(counted.pauses, _paused(tables)), {})
    carries = traffic.traffic(look)
    return health(
        Observed(facts=facts, pulses=pulses),
        pairs={each: each in counted.formed for each in tables.get("MCLAG_DOMAIN", {})},
        links=counted.links,
        errors={**counted.errors, **storms, **drops, **pauses},
        unread=(*traffic.UNREAD, *(f"{part}: {why}" for part, why in look.unread.items())),
        traffic=carries,
    )


def _rows(text: str, head: str) -> Iterator[list[str]]:
    """Return the rows of a table below its header and the line under it, split at blanks."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.split()[:1] == [head]), None)
    if start is None:
        raise UnreadableError((text.strip().splitlines() or ["no output"])[0])
    yield lines[start].split()
    yield from (line.split() for line in lines[start + 2 :] if line.strip())


def _storms(answer: Answer) -> dict[str, int]:
    """Count the storms of each queue; queues without storms are absent."""
    _, *rows = _rows(answer.text, "QUEUE")
    return {f"{row[0].replace(':', ' queue ')} storms": int(row[2].split("/")[0]) for row in rows}


def _drops(dropped: Mapping[tuple[str, int], int], tables: Mapping[str, Any]) -> dict[str, int]:
    """Count the drops of the priority groups that have headroom."""
    if not dropped:
        raise UnreadableError("COUNTERS_DB has no drop counters of priority groups")
    kept = {port: _lossless(port, tables) for port, _ in dropped}
    return {
        f"{port} priority group {group} drops": count
        for (port, group), count in dropped.items()
        if group in kept[port]
    }


def _lossless(port: str, tables: Mapping[str, Any]) -> frozenset[int]:
    """Return the priority groups of a port that PFC protects, without a lossy profile."""
    groups: set[int] = set()
    for key, fields in tables.get("BUFFER_PG", {}).items():
        name, _, span = key.partition("|")
        if name == port and "lossy" not in fields.get("profile", ""):
            first, _, last = span.partition("-")
            groups |= set(between(int(first), int(last or first)))
    return frozenset(groups)


def _paused(tables: Mapping[str, Any]) -> dict[str, frozenset[int]]:
    """Return the PFC priorities of each port in PORT_QOS_MAP."""
    return {
        port: frozenset(map(int, filter(None, fields.get("pfc_enable", "").split(","))))
        for port, fields in tables.get("PORT_QOS_MAP", {}).items()
    }
