"""Finds the model of a switch and the possible splits of its ports."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from fabricgen.compile.design.wiring.faceplate import ports_of
from fabricgen.importer.inventory.model import Inventory
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.fabric.topology import Port
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.values import text


def model_of(switch: Judged, inventory: Inventory, said: Mapping[str, str]) -> str:
    """Return the catalog model of a switch, or an empty text.

    The argument `said` has models by name of the switch. It precedes inventory and files.
    """
    device = inventory.named.get(switch.name.lower())
    known = said.get(switch.name.lower()) or (device.model if device is not None else None)
    own = switch.own(("switch",))
    says = (_of_sonic().get(text(own.get(word))) for word in ("hwsku", "platform"))
    return known or next(filter(None, says), "")


@cache
def _of_sonic() -> dict[str, str]:
    """Return the models by SONiC's hardware SKU or platform."""
    models: dict[str, str] = {}
    for name in SHIPPED.switch_names():
        known = SHIPPED.known(name)
        words = [sku.name for skus in known.skus.values() for sku in skus]
        words.append(text(known.platforms.get("sonic", {}).get("platform")))
        models |= {word: name for word in words if word and word not in models}
    return models


@cache
def ports(model: str, platform: str) -> Mapping[str, tuple[Port, ...]]:
    """Return the possible ports of a model, by their names on the platform.

    The mode with the highest speed comes first, since several modes may have the same name.
    """
    named: dict[str, list[Port]] = {}
    if SHIPPED.switch(model) is None:
        return {}
    known = SHIPPED.known(model)
    for cage in known.cages:
        for mode in sorted(cage.modes, key=lambda each: -each.speed):
            for port in ports_of(cage, mode):
                named.setdefault(nos(platform).port_name(known, port), []).append(port)
    return {name: tuple(every) for name, every in named.items()}


def ports_at(model: str, platform: str, named: Iterable[str]) -> dict[str, Port]:
    """Return the ports of a switch by name. The number of names shows how a cage is split."""
    known = ports(model, platform)
    every = {name: known[name] for name in named if name in known}
    there = Counter(own[0].cage for own in every.values())
    return {
        name: next((each for each in own if each.subs == there[each.cage]), own[0])
        for name, own in every.items()
    }
