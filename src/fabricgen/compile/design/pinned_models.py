"""A designed fabric in; single switches whose own model or SKU cannot stand there, said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.compile.design.hwskus import judge_hwsku
from fabricgen.compile.design.wiring.faceplate import find_model
from fabricgen.core.diagnostics import Code
from fabricgen.intent.lift import roles_in
from fabricgen.intent.model.hardware import SwitchRole
from fabricgen.model.fabric.topology import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.intent import AnyFabric
    from fabricgen.model.catalog.switches import SwitchModel
    from fabricgen.model.fabric.switch import Fabric
    from fabricgen.model.fabric.topology import Switch


def judge_models(words: AnyFabric, fabric: Fabric, findings: Findings) -> bool:
    """Look at every switch with a model or SKU of its own; tell whether nothing is wrong."""
    whole = findings.whole
    for switch in fabric.topology.switches if words.switches else ():
        said = words.switches.get(switch.key)
        model = said.unless_refused("model") if said else None
        hwsku = said.unless_refused("hwsku") if said else None
        here = words.at("switches", switch.key)
        if said is not None and said.unless_refused("speed"):
            for wrong in _not_upgraded(words, fabric, switch):
                findings.error(Code.BAD_VALUE, wrong, (*here, "speed"), "`speed` of the tier")
        if model is not None:
            find_model(words, model, (*here, "model"), findings)
            for wrong in _wrong(words, fabric, switch):
                findings.spoil(Code.MODEL_DOES_NOT_FIT, wrong, (*here, "model"))
        if hwsku is not None:
            judge_hwsku(switch.model, switch.platform, hwsku, (*here, "hwsku"), findings)
    return whole and findings.whole


def _not_upgraded(words: AnyFabric, fabric: Fabric, switch: Switch) -> Iterator[str]:
    """Yield why the links of a switch have the speed of its tier alone."""
    if words.kind != "evpn" or switch.role is not Role.SPINE:
        yield f"{switch.name} is no spine with tenants: all links of its tier have one speed"
    elif any(each.role is Role.SUPERSPINE for each in fabric.topology.switches):
        yield f"{switch.name} stands below superspines: all links of its tier have one speed"
    elif fabric.lossless is not None:
        yield f"{switch.name} carries a lossless class, whose buffers are those of its tier"


def _wrong(words: AnyFabric, fabric: Fabric, switch: Switch) -> Iterator[str]:
    """Yield why a model cannot stand in the place of those of its role."""
    model = switch.model
    cages = {cage.number: cage for cage in model.cages}
    used = {(port.cage, port.subs, port.speed, port.lanes) for port in switch.ports}
    chips = {each.asic for each in _usual(words, switch)}
    if fabric.lossless is not None and model.asic not in chips:
        yield (
            f"{model.name} has the chip {model.asic}, and buffers of the role are those of "
            f"{', '.join(sorted(chips))}"
        )
        return
    if cages.keys() != {cage for cage, *_ in used}:
        yield f"{model.name} has {len(cages)} cages, and {switch.name} has cables for others"
        return
    for cage, subs, speed, lanes in sorted(used, key=lambda each: each[0]):
        mode = cages[cage].mode(speed, subs)
        if mode is None or mode.lanes != lanes:
            yield f"cage {cage} of {model.name} cannot be used as {subs}x{speed}, as its role is"
            return


def _usual(words: AnyFabric, switch: Switch) -> Iterator[SwitchModel]:
    for path, role in roles_in(words):
        if isinstance(role, SwitchRole) and (path[-1] == switch.role or "leaf_groups" in path):
            yield words.catalog.known(role.model)
