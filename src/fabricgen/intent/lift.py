"""An intent in; the network OSes and releases it names, or the same design on another, out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabricgen.diagnostics import IntentPath
from fabricgen.intent.model.hardware import SwitchException, SwitchRole
from fabricgen.intent.model.vocabulary import Words

if TYPE_CHECKING:
    from fabricgen.intent.model.intent import Intent


def platforms_in(intent: Intent) -> Iterator[tuple[IntentPath, str, str | None]]:
    """Yield each platform that is named, with its place and release; not where it was refused."""
    for words in intent.each_fabric():
        yield from _platforms(words, words.here)


def _platforms(value: object, path: IntentPath) -> Iterator[tuple[IntentPath, str, str | None]]:
    if isinstance(value, SwitchRole | SwitchException):
        if (platform := value.unless_refused("platform")) is not None:
            yield path, platform, value.unless_refused("release")
    elif isinstance(value, Words):
        for name, inner in value:
            yield from _platforms(inner, (*path, name))
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _platforms(inner, (*path, key))


def lift(intent: Intent, platform: str) -> Intent:
    """Return the intent with every switch on a platform, or a release of it: `sonic:202505`."""
    update: dict[str, Any] = {}
    for words in intent.each_fabric():
        top, *below = words.here
        lifted = _lifted(words, platform)
        update[str(top)] = {**update.get(str(top), {}), words.name: lifted} if below else lifted
    return intent.model_copy(update=update)


def _lifted(words: Words, platform: str) -> Words:
    update: dict[str, Any] = {}
    name, _, release = platform.partition(":")
    target = {"platform": name, "release": release or None}
    for key, value in words:
        if isinstance(value, SwitchRole):
            update[key] = value.model_copy(update=target)
        elif key == "switches":
            alike = {"platform": None, "release": None}
            update[key] = {name: each.model_copy(update=alike) for name, each in value.items()}
        elif key == "leaf_groups":
            update[key] = {group: _lifted(each, platform) for group, each in value.items()}
    return words.model_copy(update=update)
