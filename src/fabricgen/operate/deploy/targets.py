"""List the switches of a compiled site as a push addresses them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.limit import within
from fabricgen.model.fabric.own_lines import OwnText
from fabricgen.model.fabric.switch import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One switch of the site.

    Attributes:
        address: Management address without a prefix length.
        previous_name: Name before a renaming; empty without one.
        serial: Required serial number; empty without one.
        release: Release that the intent names, or an empty text.
        unmanaged: Patterns of unmanaged sections, by kind.
    """

    name: str
    fabric: str
    platform: str
    address: str
    previous_name: str = ""
    serial: str = ""
    release: str = ""
    unmanaged: Mapping[str, str] = field(default_factory=dict)


def targets_of(site: Site) -> dict[str, Target]:
    """Return the present switches of a site by name, fabric by fabric."""
    return {
        switch.name: Target(
            name=switch.name,
            fabric=fabric.name,
            platform=switch.platform,
            address=str(fabric.addresses.management_address(switch)).partition("/")[0],
            previous_name=known.previous_name,
            serial=known.serial,
            release=switch.release,
            unmanaged=_kept(fabric.unmanaged.of(switch.name)),
        )
        for fabric in site.fabrics
        for switch in fabric.present
        for known in (fabric.identities.get(switch.name, Identity()),)
    }


def _kept(texts: Iterable[OwnText]) -> dict[str, str]:
    """Return the patterns by kind, joined over all scopes."""
    found: dict[str, str] = {}
    for own in texts:
        found[own.kind] = f"{found.get(own.kind, '')}{own.text.rstrip()}\n"
    return found


def renamed(targets: Iterable[Target], names: Iterable[str]) -> dict[str, str]:
    """Map each previous name to the current name."""
    now = {target.previous_name: target.name for target in targets if target.previous_name}
    return {name: now.get(name, name) for name in names}


def limited(targets: Mapping[str, Target], patterns: Iterable[str]) -> dict[str, Target]:
    """Return the switches or fabrics that match the patterns; `*` and `?` are allowed.

    Without a pattern all switches match.

    Raises:
        ValueError: A pattern matches nothing; the argument is the pattern.
    """
    limit = tuple(patterns)
    for pattern in limit:
        if not any(within((pattern,), it.name, it.fabric) for it in targets.values()):
            raise ValueError(pattern)
    return {name: it for name, it in targets.items() if within(limit, it.name, it.fabric)}
