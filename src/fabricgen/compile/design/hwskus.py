"""The words of a fabric in; hwskus that their switch models do not have, said."""

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.intent.lift import roles_in
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.model.hardware import SwitchRole
from fabricgen.model.catalog.switches import SwitchModel


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
        findings.spoil(Code.UNSUPPORTED, message, path, "leave `hwsku` out")
    elif model is not None and hwsku not in names:
        message = f"{model.name} has no hwsku {hwsku!r}"
        findings.spoil(Code.UNKNOWN_REFERENCE, message, path, did_you_mean(hwsku, names))
