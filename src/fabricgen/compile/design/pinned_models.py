"""Check the models and the HwSKUs that the intent sets for single switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.compile.design.wiring.faceplate import find_model
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.intent.lift import roles_in
from fabricgen.intent.model.hardware import SwitchRole
from fabricgen.model.fabric.topology import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.fabric import FabricWords
    from fabricgen.intent.model.intent import AnyFabric
    from fabricgen.model.catalog.switches import SwitchModel
    from fabricgen.model.fabric.switch import Fabric
    from fabricgen.model.fabric.topology import Switch


def judge_hwskus(words: FabricWords, findings: Findings) -> None:
    """Look at every role that names one."""
    for path, role in roles_in(words, words.here):
        hwsku = role.unless_refused("hwsku") if isinstance(role, SwitchRole) else None
        if not isinstance(role, SwitchRole) or hwsku is None:
            continue
        model = words.catalog.switch(role.model)
        judge_hwsku(model, role.platform, hwsku, (*path, "hwsku"), findings)


def judge_hwsku(
    model: SwitchModel | None, platform: str, hwsku: str, path: IntentPath, findings: Findings
) -> None:
    """Report a hwsku that a model does not have on a platform."""
    names = [sku.name for sku in model.skus.get(platform, ())] if model else [hwsku]
    if model is not None and not names:
        message = f"{platform} on {model.name} has no hwskus"
        findings.spoil(Code.UNSUPPORTED, message, path, "remove `hwsku`")
    elif model is not None and hwsku not in names:
        message = f"{model.name} has no hwsku {hwsku!r}"
        findings.spoil(Code.UNKNOWN_REFERENCE, message, path, did_you_mean(hwsku, names))


def judge_models(words: AnyFabric, fabric: Fabric, findings: Findings) -> bool:
    """Look at every switch with a model or SKU of its own; return whether nothing is wrong."""
    whole = findings.whole
    for switch in fabric.topology.switches if words.switches else ():
        said = words.switches.get(switch.key)
        model = said.unless_refused("model") if said else None
        hwsku = said.unless_refused("hwsku") if said else None
        here = words.at("switches", switch.key)
        if said is not None and said.unless_refused("speed"):
            for wrong in _not_upgraded(words, fabric, switch):
                findings.error(Code.BAD_VALUE, wrong, (*here, "speed"), "set `speed` of the tier")
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
        yield f"{switch.name} is not a spine with tenants, so all links of its tier have one speed"
    elif any(each.role is Role.SUPERSPINE for each in fabric.topology.switches):
        yield f"{switch.name} is below superspines, so all links of its tier have one speed"
    elif fabric.lossless is not None:
        yield f"{switch.name} carries a lossless class, so it needs the buffers of its tier"


def _wrong(words: AnyFabric, fabric: Fabric, switch: Switch) -> Iterator[str]:
    """Yield why a model cannot replace the model of its role."""
    model = switch.model
    cages = {cage.number: cage for cage in model.cages}
    used = {(port.cage, port.subs, port.speed, port.lanes) for port in switch.ports}
    chips = {each.asic for each in _usual(words, switch)}
    if fabric.lossless is not None and model.asic not in chips:
        yield (
            f"{model.name} has the chip {model.asic}, but the buffers of the role are for "
            f"{', '.join(sorted(chips))}"
        )
        return
    if cages.keys() != {cage for cage, *_ in used}:
        yield f"{model.name} has {len(cages)} cages, but {switch.name} has cables in others"
        return
    for cage, subs, speed, lanes in sorted(used, key=lambda each: each[0]):
        mode = cages[cage].mode(speed, subs)
        if mode is None or mode.lanes != lanes:
            yield (
                f"cage {cage} of {model.name} cannot be used as {subs}x{speed}, which its role "
                "needs"
            )
            return


def _usual(words: AnyFabric, switch: Switch) -> Iterator[SwitchModel]:
    for path, role in roles_in(words):
        if isinstance(role, SwitchRole) and (path[-1] == switch.role or "leaf_groups" in path):
            yield words.catalog.known(role.model)
