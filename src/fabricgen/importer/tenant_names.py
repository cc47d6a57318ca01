"""Names of VRFs and VLANs as switches have them in; tenants, and keys for each, out.

A VLAN is called `tenant-vlan` unless people say otherwise, so names that begin alike tell a tenant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from fabricgen.intent.model.vocabulary import NAME, VLAN_NAME

_LONGEST = 31


def key_of(text: str, taken: Collection[str] = (), otherwise: str = "x") -> str:
    """Return a key that is as near to a text as keys are, and nobody's yet."""
    plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    plain = plain if re.match(NAME, plain) else f"{otherwise}-{plain}".strip("-")
    plain = plain[:_LONGEST].rstrip("-")
    several = (f"{plain[: _LONGEST - 4]}-{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (plain, *several) if each not in taken)


def tenant_of(vrf: str, names: Iterable[str], others: Collection[str] = ()) -> str:
    """Return the tenant of a VRF, or of VLANs without one. others: keys that are not free.

    Its own name first, and then the longest that the names of all its VLANs begin with.
    """
    named = [each for each in names if each]
    first = named[0].split("-") if named else []
    begins = ["-".join(first[:size]) for size in range(len(first) - 1, 0, -1)]
    for each in (vrf, *begins):
        if (
            each not in others
            and re.match(NAME, each)
            and all(_inside(each, name) for name in named)
        ):
            return each
    return key_of(vrf or "bridged", others, "vrf")


def _inside(tenant: str, name: str) -> str:
    """Return the key of a VLAN called `tenant-key`; empty for another."""
    rest = name.removeprefix(f"{tenant}-")
    return rest if rest != name and re.match(NAME, rest) else ""


def vlan_key(tenant: str, name: str, number: int, taken: Collection[str]) -> tuple[str, str]:
    """Return the key of a VLAN, and its name where that is not `tenant-key`."""
    inside = _inside(tenant, name)
    if inside and inside not in taken:
        return inside, ""
    key = key_of(name or f"vlan{number}", taken, "vlan")
    return key, name if re.match(VLAN_NAME, name) else ""
