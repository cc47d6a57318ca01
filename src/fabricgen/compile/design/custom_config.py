"""Assign the custom configuration lines of the intent to switches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.own_lines import KeptSections, OwnLines, PortLines
from fabricgen.intent.model.port_pins import PinnedPorts, labels
from fabricgen.intent.model.vocabulary import IntentModel
from fabricgen.model.fabric.own_lines import FILES, OwnPlan, OwnText

if TYPE_CHECKING:
    from fabricgen.core.diagnostics import IntentPath
    from fabricgen.intent.model.intent import Intent
    from fabricgen.model.fabric.switch import Fabric
    from fabricgen.model.fabric.topology import Switch

_RULE = "custom config of the intent"
_KEPT = "unmanaged section of the intent"

_Read = Callable[["IntentPath"], tuple[OwnText, ...]]


def with_own_lines(intent: Intent, fabrics: Iterable[Fabric]) -> list[Fabric]:
    """Return the fabrics with the custom config of their switches."""

    @cache
    def read(place: IntentPath, tenant: str = "") -> tuple[OwnText, ...]:
        words = _there(intent, place)
        return (*_texts(words, (*place, "custom_config"), tenant), *_of_ports(words, place))

    @cache
    def read_unmanaged(place: IntentPath) -> tuple[OwnText, ...]:
        return _texts(_there(intent, place), (*place, "unmanaged"), "")

    names = intent.unless_refused("tenants") or ()
    some = {name: texts for name in names if (texts := read(("tenants", name), name))}
    planned = []
    for fabric in fabrics:
        own, kept = _switches(fabric, read), _switches(fabric, read_unmanaged)
        plan = OwnPlan(switches=own, tenants=some)
        whole = replace(fabric, own=plan) if own or some else fabric
        planned.append(replace(whole, unmanaged=OwnPlan(switches=kept)) if kept else whole)
    return planned


def _switches(fabric: Fabric, read: _Read) -> dict[str, tuple[OwnText, ...]]:
    every = {
        switch.name: tuple(text for place in places(switch, fabric) for text in read(place))
        for switch in fabric.topology.switches
    }
    return {name: texts for name, texts in every.items() if texts}


def places(switch: Switch, fabric: Fabric) -> list[IntentPath]:
    """Return all that is about one switch, from the widest place to the narrowest."""
    own = (*fabric.place, "switches", switch.key)
    above = [path for path in switch.because.paths if path != own]
    return [*dict.fromkeys([("site",), fabric.place, *above, own])]


def takes(intent: Intent, place: IntentPath) -> bool:
    """Return whether the intent allows custom config at a place."""
    words = _there(intent, place)
    return isinstance(words, IntentModel) and "custom_config" in type(words).model_fields


def _there(words: Any, place: IntentPath) -> Any:
    """Return the intent at a place; None if it is absent or was refused."""
    for step in place:
        if isinstance(words, IntentModel):
            words = words.unless_refused(str(step))
        elif isinstance(words, dict):
            words = words.get(step)
        else:
            return None
    return words


def _texts(words: Any, place: IntentPath, tenant: str) -> tuple[OwnText, ...]:
    config = words.unless_refused(str(place[-1])) if isinstance(words, IntentModel) else None
    if not isinstance(config, OwnLines | KeptSections | PortLines):
        return ()
    rule = _KEPT if isinstance(config, KeptSections) else _RULE
    ports = labels(str(place[-2])) if isinstance(config, PortLines) else ()
    said = {kind: config.unless_refused(kind) for kind in type(config).model_fields}
    whole = said.pop(FILES) if isinstance(config, OwnLines) else None
    lines = tuple(
        OwnText(kind=kind, text=_spelled(text), because=why, tenant=tenant, ports=ports)
        for kind, text in said.items()
        if text is not None
        for why in (Provenance(((*place, kind),), rule),)
    )
    return (*lines, *_files(whole or {}, (*place, FILES), tenant))


def _files(whole: Mapping[str, str], place: IntentPath, tenant: str) -> Iterator[OwnText]:
    """Yield whole files; each has a reason of its own."""
    for path, text in whole.items():
        why = Provenance(((*place, path),), _RULE)
        name = path.removeprefix("/")
        yield OwnText(kind=FILES, text=text, because=why, tenant=tenant, file=name)


def _of_ports(words: Any, place: IntentPath) -> tuple[OwnText, ...]:
    """Return the custom config of the ports of a switch."""
    if not isinstance(words, PinnedPorts):
        return ()
    pins = words.unless_refused("ports") or {}
    every = (
        _texts(pin, (*place, "ports", label, "custom_config"), "") for label, pin in pins.items()
    )
    return tuple(text for texts in every for text in texts)


def _spelled(said: Any) -> str:
    """Return lines as they are written, tables as JSON."""
    return said if isinstance(said, str) else json.dumps(said, indent=1, ensure_ascii=False)
