"""Prove that external routers learn only the VRF's subnets, by the expected paths."""

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
"""Path of the site by prefix, in the JSON of FRR."""
Told = Mapping[tuple[str, str, int], Paths]
"""Paths by router, table and IP version."""

_PRIVATE = (range(64_512, 65_535), range(4_200_000_000, 4_294_967_295))  # RFC 6996
_OWN = 6
"""Repetitions of the site's ASN in a backup path: once by BGP and five times by the route map."""


def told(client: LabClient, every: Iterable[Router]) -> Told:
    """Read the learned routes of every external router."""
    answers = {}
    for router in every:
        for table in router.tables:
            for session in (each for each in table.sessions if each.speaks):
                key = (router.name, table.name, session.version)
                answers[key] = _told(client, router, table, session)
    return answers


def _told(client: LabClient, router: Router, table: Table, session: ExternalPeer) -> Paths:
    """Read the prefixes learned from the leaf, then the details of each path."""
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
    """Return the subnets on the switches of the lab."""
    return frozenset(
        gateway.prefix
        for _, switch_slice in slices(bench.site)
        if switch_slice.switch.name in bench.plan.names
        for vlan in switch_slice.vlans
        for gateway in vlan.gateways
    )


def judge_told(every: Iterable[Router], answers: Told, subnets: Collection[str]) -> Proof:
    """Find missing subnets, foreign prefixes, and paths that contradict the intent."""
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
        f"on {right} of {sessions} sessions, external routers learn exactly the subnets of "
        "their VRF, with the communities, ASNs and path lengths of the intent"
    )
    return judged("told outside", sentence, faults, right=right)


def _wrong(
    table: Table, session: ExternalPeer, paths: Paths, subnets: Collection[str]
) -> Iterator[str]:
    may = {rule.prefix.prefix for rule in session.announce}
    yield from (
        f"learns {each}, which is not one of its subnets" for each in sorted(paths.keys() - may)
    )
    missing = (may & set(subnets)) - paths.keys()
    yield from (f"does not learn {each}" for each in sorted(missing))
    border = session.border
    own = border.local_asn or table.fabric.routing.asns.asn(table.uplink.leaf)
    for prefix, path in paths.items():
        asns = [asn for part in path["aspath"].get("segments", ()) for asn in part["list"]]
        has = sorted(path.get("community", {}).get("list", ()))
        if has != sorted(border.send):
            yield f"has {prefix} with communities {has}, expected {sorted(border.send)}"
        if asns[:1] != [own]:
            yield f"has {prefix} from AS {asns[:1]}, expected {own}"
        shown = [asn for asn in asns if _private(asn) and asn != own]
        if border.hides_private and shown:
            yield f"has {prefix} with the private ASNs {shown}"
        if border.prefer == "backup" and asns[:_OWN] != [own] * _OWN:
            yield f"has {prefix} with path {asns}, without the prepending of a backup"


def _private(asn: int) -> bool:
    return any(asn in each for each in _PRIVATE)
