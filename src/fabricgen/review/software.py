"""Compares the network OS of the switches of two sites."""

from collections import defaultdict
from collections.abc import Iterator

from fabricgen.core.units import counted, natural
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.registry import nos_of
from fabricgen.review.model import Act, Effect

PLATFORM, RELEASE = "platform", "release"


def software_effects(before: Site, after: Site) -> Iterator[Effect]:
    """Yield the switches with another network OS or release, one effect for each change."""
    ones, others = _switches(before), _switches(after)
    alike: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for name in ones.keys() & others.keys():
        one, other = ones[name], others[name]
        attribute = PLATFORM if one.platform != other.platform else RELEASE
        values = (_value(one, attribute), _value(other, attribute))
        if values[0] != values[1]:
            alike[attribute, *values].append(name)
    for (attribute, old, new), names in sorted(alike.items()):
        single = names[0] if len(names) == 1 else ""
        subject = f"switch {single}" if single else counted(len(names), "switch")
        yield Effect(
            act=Act.CHANGED,
            kind="switch",
            name=single,
            attribute=attribute,
            before=old,
            after=new,
            text=f"{subject}: {attribute} {old} → {new}",
            on=tuple(natural(names)),
            objects=len(names),
        )


def _switches(site: Site) -> dict[str, Switch]:
    every = (switch for fabric in site.fabrics for switch in fabric.topology.switches)
    return {switch.name: switch for switch in every}


def _value(switch: Switch, attribute: str) -> str:
    """Return the platform, or the release, which is the one of the platform by default."""
    release = switch.release or nos_of(switch).release
    return release if attribute == RELEASE else " ".join(filter(None, (switch.platform, release)))
