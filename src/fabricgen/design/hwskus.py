"""The words of a fabric in; hwskus that their switch models do not have, said."""

from fabricgen.design.findings import Findings
from fabricgen.diagnostics import Code, did_you_mean
from fabricgen.intent.lift import roles_in
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.model.hardware import SwitchRole


def judge_hwskus(words: FabricWords, findings: Findings) -> None:
    """Look at every role that names one."""
    for path, role in roles_in(words, words.here):
        hwsku = role.unless_refused("hwsku") if isinstance(role, SwitchRole) else None
        if not isinstance(role, SwitchRole) or hwsku is None:
            continue
        model = words.catalog.switch(role.model)
        names = [sku.name for sku in model.skus.get(role.platform, ())] if model else [hwsku]
        if not names:
            message = f"{role.platform} on {role.model} has no hwskus"
            findings.spoil(Code.UNSUPPORTED, message, (*path, "hwsku"), "leave `hwsku` out")
        elif hwsku not in names:
            message = f"{role.model} has no hwsku {hwsku!r}"
            hint = did_you_mean(hwsku, names)
            findings.spoil(Code.UNKNOWN_REFERENCE, message, (*path, "hwsku"), hint)
