"""An intent in, the same design on another network OS out: for labs and for comparing platforms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.intent.model.hardware import SwitchRole

if TYPE_CHECKING:
    from fabricgen.intent.model.intent import Intent
    from fabricgen.intent.model.vocabulary import Words


def lift(intent: Intent, platform: str) -> Intent:
    """Return the intent with every switch on `platform`."""
    update: dict[str, Any] = {}
    for name in ("backend", "frontend"):
        fabric = getattr(intent, name)
        if fabric is not None:
            update[name] = _lifted(fabric, platform)
    return intent.model_copy(update=update)


def _lifted(words: Words, platform: str) -> Words:
    update: dict[str, Any] = {"switches": {}} if "switches" in type(words).model_fields else {}
    for name in type(words).model_fields:
        value = getattr(words, name)
        if isinstance(value, SwitchRole):
            update[name] = value.model_copy(update={"platform": platform})
        elif name == "leaf_groups":
            update[name] = {key: _lifted(group, platform) for key, group in value.items()}
    return words.model_copy(update=update)
