"""Derive pools, ASNs, VNIs and management addresses from the number of a fabric.

The intent gives the number, so another fabric moves nothing. Number n has 10.(64 + 16n).0.0/12,
which does not overlap a default pool of a fabric without a number. It has a million ASNs and
100,000 VNIs.
"""

from collections.abc import Sequence

from netaddr import IPNetwork

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath, dotted
from fabricgen.intent.model.fabric import MOST
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Pool, host_text

_PARTS = {"evpn": (0, 4), "rails": (1, 4), "routed": (30, 32), "access": (31, 32)}
"""Part of the management subnet that a fabric without a number has, by kind: which of how many.

Numbers have the sixteenths from the ninth to the fifteenth, so the last one is free for kinds.
"""
_TABLES, _NUMBERED = {"rails": 1000, "routed": 9000}, 9000
"""Numbers before the first routing table: by kind without a number, or by number."""
_FIRST_ASN, _ASNS, VNIS = 4_200_000_000, 1_000_000, 100_000
BASES = {"l2vni_base", "l3vni_base"}
"""Values that depend on the number of a fabric, with the step of each VNI."""


def numbered(words: AnyFabric) -> AnyFabric:
    """Return the fabric with values from its number where the intent sets none."""
    if words.number is None:
        return words
    update: dict[str, object] = {}
    space, underlay = words.unless_refused("addressing"), words.unless_refused("underlay")
    if space is not None:
        pools = _pools(words.number)
        free = {key: pools[key] for key in vars(space).keys() - space.model_fields_set}
        update["addressing"] = space.model_copy(update=free)
    plan = underlay.unless_refused("asn") if underlay is not None else None
    if plan is not None and not plan.model_fields_set & {"first", "last"}:
        first = _FIRST_ASN + words.number * _ASNS
        mine = plan.model_copy(update={"first": first, "last": first + _ASNS - 1})
        update["underlay"] = underlay.model_copy(update={"asn": mine})
    tunnels = words.unless_refused("overlay") if "overlay" in type(words).model_fields else None
    if tunnels is not None:
        bases = BASES & (vars(tunnels).keys() - tunnels.model_fields_set)
        moved = {key: getattr(tunnels, key) + words.number * VNIS for key in bases}
        update["overlay"] = tunnels.model_copy(update=moved)
    return words.model_copy(update=update)


def _pools(number: int) -> dict[str, IPNetwork]:
    second = 64 + 16 * number
    return {
        "loopbacks": IPNetwork(f"10.{second}.0.0/16"),
        "vteps": IPNetwork(f"10.{second + 1}.0.0/16"),
        "links": IPNetwork(f"10.{second + 4}.0.0/14"),
        "nics": IPNetwork(f"10.{second + 8}.0.0/13"),
    }


def tables_of(words: AnyFabric) -> int:
    """Return the number before the first routing table of servers for the fabric's ports.

    A fabric may have 3,000 tables, three per port (`nos/hosts/routed.py`). All numbers end below
    32,766, because rules have the same numbers and kernel rules must follow (ip-rule(8)).
    """
    if words.number is None:
        return _TABLES[words.kind]
    return _NUMBERED + 3000 * words.number


def management_of(words: AnyFabric, subnet: IPNetwork) -> tuple[Pool, IntentPath]:
    """Return a fabric's part of the management subnet and its origin, without its ends."""
    size, path = int(subnet.size), at("site", "management", "subnet")
    if words.management is not None:
        first, size = int(words.management.first), int(words.management.size)
        path = words.at("management")
    elif words.number is not None:
        first, size = int(subnet.first) + (7 + words.number) * (size // 16), size // 16
    else:
        place, parts = _PARTS[words.kind]
        first, size = int(subnet.first) + place * (size // parts), size // parts
    return Pool(name="management", first=first + 1, size=max(0, size - 2)), path


def judge_shares(
    every: Sequence[AnyFabric], subnet: IPNetwork | None, findings: Findings
) -> list[AnyFabric]:
    """Return the fabrics without a duplicate name, number or management address.

    The first one keeps it: `frontend` or `backend`, else the first by name.
    """
    numbers = {words.unless_refused("number") for words in every}
    free = next((number for number in range(1, MOST + 1) if number not in numbers), None)
    apart: list[AnyFabric] = []
    for words in every:
        with findings.going_on():
            for other in apart:
                _judge_names(words, other, findings)
                _judge_numbers(words, other, f"`number: {free}` is free" if free else "", findings)
                _judge_parts(words, other, subnet, findings)
            apart.append(words)
    return apart


def _judge_names(words: AnyFabric, other: AnyFabric, findings: Findings) -> None:
    if words.name == other.name:
        raise findings.stop(
            Code.DUPLICATE_ID,
            f"the fabric {words.name!r} is also given by the key `{dotted(other.here)}`",
            words.here,
            "remove one of the two",
        )


def _judge_numbers(words: AnyFabric, other: AnyFabric, hint: str, findings: Findings) -> None:
    if words.number is not None and words.number == other.number:
        raise findings.stop(
            Code.DUPLICATE_ID,
            f"the number {words.number} is also used by {dotted(other.here)}",
            words.at("number"),
            hint,
        )
    bare = words.kind == other.kind and words.number is None and words.management is None
    if bare and other.number is None and other.management is None:
        raise findings.stop(
            Code.MISSING_KEY,
            f"{dotted(other.here)} and {dotted(words.here)} are both of kind {words.kind} and have "
            "no `number`, so they would have the same addresses",
            words.here,
            hint,
        )


def _judge_parts(
    words: AnyFabric, other: AnyFabric, subnet: IPNetwork | None, findings: Findings
) -> None:
    """Compare the parts of the management subnet; without a subnet, the given parts."""
    if subnet is None:
        return
    (mine, path), (theirs, _) = management_of(words, subnet), management_of(other, subnet)
    if mine.first < theirs.first + theirs.size and theirs.first < mine.first + mine.size:
        raise findings.stop(
            Code.ADDRESS_OVERLAP,
            f"the management addresses of {dotted(words.here)} and {dotted(other.here)} overlap: "
            f"{_span(mine)} and {_span(theirs)}",
            path if words.management is not None else words.here,
            "give each fabric its own part: set `management`, or a `number`",
        )


def judge_part(words: AnyFabric, subnet: IPNetwork, findings: Findings) -> None:
    """Report management addresses that are not of the management subnet."""
    if words.management is not None and words.management not in subnet:
        findings.spoil(
            Code.BAD_VALUE,
            f"{words.management} is not part of the management subnet {subnet}",
            words.at("management"),
        )


def _span(pool: Pool) -> str:
    return f"{host_text(pool.low(0), 4)} to {host_text(pool.high(0), 4)}"
