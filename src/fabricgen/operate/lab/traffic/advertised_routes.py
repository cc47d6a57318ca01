"""Proves that external routers learn only the VRF's subnets, by the expected paths."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabricgen.compile.compiler import slices
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.outside.routers import Router, Table
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.proof import Proof, judged

Paths = Mapping[str, Mapping[str, Any]]
"""By prefix, the path by which the site told it, as FRR's JSON has it."""
Told = Mapping[tuple[str, str, int], Paths]
"""By router, table and IP version."""

_PRIVATE = (range(64_512, 65_535), range(4_200_000_000, 4_294_967_295))  # RFC 6996
_OWN = 6
"""How often a backup's path begins with the site's ASN: once by BGP and five times by its map."""


def told(client: LabClient, every: Iterable[Router]) -> Told:
    """Ask every router outside."""
    answers = {}
    for router in every:
        for table in router.tables:
            for session in (each for each in table.sessions if each.speaks):
                key = (router.name, table.name, session.version)
                answers[key] = _told(client, router, table, session)
    return answers


def _told(client: LabClient, router: Router, table: Table, session: ExternalPeer) -> Paths:
    """Ask for the paths of the leaf's, and then for each in full."""
    where, leaf = f"show bgp vrf {table.name} ipv{session.version} unicast", session.local.host
    (known,) = _asked(client, router.name, [f"{where} json"])
    prefixes = [
        prefix
        for prefix, paths in known["routes"].items()
        if any(path["peerId"] == leaf for path in paths)
    ]
    asked = [f"{where} {prefix} json" for prefix in prefixes]
    answers = zip(prefixes, _asked(client, router.name, asked), strict=True)
    return {
        prefix: next(path for path in each["paths"] if path["peer"]["peerId"] == leaf)
        for prefix, each in answers
    }


def _asked(client: LabClient, router: str, commands: Sequence[str]) -> Iterator[Any]:
    """Yield the answers of FRR, which prints one document after the other."""
    if not commands:
        return
    text = client.execute(
        router, ("vtysh", *(word for each in commands for word in ("-c", each)))
    ).stdout
    decoder = json.JSONDecoder()
    while text := text.lstrip():
        document, end = decoder.raw_decode(text)
        yield document
        text = text[end:]


def present(bench: Bench) -> frozenset[str]:
    """Return the subnets that a switch of the lab has."""
    return frozenset(
        gateway.prefix
        for _, switch_slice in slices(bench.site)
        if switch_slice.switch.name in bench.plan.names
        for vlan in switch_slice.vlans
        for gateway in vlan.gateways
    )


def judge_told(every: Iterable[Router], answers: Told, subnets: Collection[str]) -> Proof:
    """Find subnets that are missing, what is none of them, and paths that the intent has not."""
    faults, right = [], 0
    for router in every:
        for table in router.tables:
            for session in (each for each in table.sessions if each.speaks):
                paths = answers.get((router.name, table.name, session.version), {})
                wrong = list(_wrong(table, session, paths, subnets))
                faults += [f"{router.name} in VRF {table.name} {each}" for each in wrong]
                right += not wrong
    sessions = sum(
        each.speaks for router in every for table in router.tables for each in table.sessions
    )
    sentence = (
        f"over {right} of {sessions} sessions routers outside have the subnets of their VRF and "
        "nothing else, with the communities, ASNs and lengths of paths that the intent says"
    )
    return judged("told outside", sentence, faults, right=right)


def _wrong(
    table: Table, session: ExternalPeer, paths: Paths, subnets: Collection[str]
) -> Iterator[str]:
    may = {rule.prefix.prefix for rule in session.announce}
    yield from (f"is told {each}, which is no subnet of it" for each in sorted(paths.keys() - may))
    missing = (may & set(subnets)) - paths.keys()
    yield from (f"is not told {each}" for each in sorted(missing))
    border = session.border
    own = border.local_asn or table.fabric.routing.asns.asn(table.uplink.leaf)
    for prefix, path in paths.items():
        asns = [asn for part in path["aspath"].get("segments", ()) for asn in part["list"]]
        has = sorted(path.get("community", {}).get("list", ()))
        if has != sorted(border.send):
            yield f"has {prefix} with communities {has}, not {sorted(border.send)}"
        if asns[:1] != [own]:
            yield f"has {prefix} from AS {asns[:1]}, not {own}"
        shown = [asn for asn in asns if _private(asn) and asn != own]
        if border.hides_private and shown:
            yield f"has {prefix} over the private ASNs {shown}"
        if border.prefer == "backup" and asns[:_OWN] != [own] * _OWN:
            yield f"has {prefix} by the path {asns}, which is no longer for a backup"


def _private(asn: int) -> bool:
    return any(asn in each for each in _PRIVATE)
