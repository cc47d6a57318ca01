"""Numbering plans: a formula of each kind of number, for each tier."""

from tests.keys.case import Case, Words, at

_FABRICS = {"backend": "tiers", "frontend": "pods", "fabrics.oob": "access"}
"""A site of each kind of fabric, with the tiers that it may have."""
_TUNNELS = _FABRICS | {"backend": "shared", "frontend": "tenants"}
_POOLS: Words = {
    "loopbacks": "10.1.0.0/16",
    "vteps": "10.2.0.0/16",
    "links": "10.3.0.0/16",
}
_STEPS = {"leaf": 1, "spine": 2, "superspine": 3}


def _case(fabric: str, site: str, path: tuple[str, ...], formula: str) -> tuple[str, Case]:
    pools = _POOLS | ({"nics": "10.16.0.0/12"} if fabric == "backend" else {})
    given = at(*fabric.split("."), words={"addressing": pools})
    words: Words = {path[-1]: formula}
    changed = at(*fabric.split("."), "numbering", *path[:-1], words=words)
    return ".".join((fabric, "numbering", *path)), Case(site, given, changed)


CASES: list[tuple[str, Case]] = [
    _case(fabric, site, (kind, role), f"{base} + {step} per number")
    for fabric, site in _FABRICS.items()
    for role, step in _STEPS.items()
    for kind, base in (
        ("asn", str(4_210_000_000 + 1000 * step)),
        ("loopbacks", f"10.1.{step}.1"),
        ("management", f"10.255.{step}.100"),
    )
]
CASES += [
    _case(fabric, site, ("links", role), formula)
    for fabric, site in _FABRICS.items()
    for role, formula in (
        ("leaf", "10.3.0.1 + 64 per number + 8 per upper + 2 per link"),
        ("spine", "10.3.128.1 + 64 per number + 8 per upper + 2 per link"),
    )
]
CASES += [
    _case(fabric, site, ("vteps",), "10.2.3.1 + 1 per number") for fabric, site in _TUNNELS.items()
]
CASES += [
    _case("backend", "tiers", ("nics",), "10.16.0.1 + 0.1.0.0 per rail + 4 per number"),
]
JUDGED = {
    f"fabrics.oob.numbering.{key}": "there is no such tier, which is said"
    for key in ("asn.superspine", "loopbacks.superspine", "management.superspine", "links.spine")
}
