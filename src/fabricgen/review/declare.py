"""Writes a declared change from a review, which a person then shortens."""

import json
import re
from collections.abc import Iterator, Sequence

from fabricgen.core.units import counted, natural
from fabricgen.review.model import Effect, Hit, Loss, Review

_MOST = 4
"""Number of names that are written in full; more are written as patterns."""
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ._/-]*")
_WORDS = frozenset(("null", "true", "false"))
_HEAD = """\
# Declared change. Everything that is not listed here must not happen.
# Shorten it to what you mean: `*` matches any characters, and `on` may be omitted.
"""


def declare(review: Review, meaning: str = "") -> str:
    """Return a declared change as YAML with all leading effects of a review, in their order.

    Args:
        review: The review.
        meaning: The change in one sentence. If it is empty, the file is refused until a person
            writes the sentence.
    """
    leading = [each for each in review.effects if not each.derived]
    sentence = _text(meaning) if meaning else '""  # write one sentence'
    lines = [f"meaning: {sentence}", "effects:"]
    entries: dict[str, list[Effect]] = {}
    for effect in leading:
        entries.setdefault(_entry(effect), []).append(effect)
    for entry, alike in entries.items():
        lines += map(_effect, alike)
        lines.append(f"  - {{{entry}}}")
    if not leading:
        lines[-1] += " []  # nothing changes: there is nothing to declare"
    if follow := len(review.effects) - len(leading):
        lines.append(f"# These cause {counted(follow, 'more effect')}, without an entry.")
    lines += _hits(review.hits)
    lines += [
        _comment(f"not explained: {each.folder}/{each.file}: {each.line}")
        for each in review.unexplained[:20]
    ]
    return _HEAD + "\n".join(lines) + "\n"


def _effect(effect: Effect) -> str:
    """Return the comment about an effect."""
    risk = effect.risk.word if effect.risk is not None else "no lines of its own"
    return _comment(f"{effect.text} ({risk})", "  ")


def _entry(effect: Effect) -> str:
    parts = [f"effect: {_text(_bounded(effect.key))}"]
    if effect.on:
        parts.append(f"on: {_names(effect.on)}")
    parts += [
        f"{word}: {_text(value)}"
        for word, value in (("before", effect.before), ("after", effect.after))
        if 0 < len(value) <= 300
    ]
    return ", ".join(parts)


def _bounded(key: str) -> str:
    """Return a key, shortened to what a file may have."""
    return key if len(key) <= 300 else f"{key[:299]}*"


def _hits(hits: Sequence[Hit] | None) -> Iterator[str]:
    if hits is None:
        yield "# It is not known who is hit."
    losses = [each for each in hits or () if each.loss > Loss.NOTHING]
    if not losses:
        yield "hit: nobody"
        return
    yield "hit:"
    entries: dict[str, list[Hit]] = {}
    for hit in losses:
        network = f", network: {_text(hit.network)}" if hit.network else ""
        entries.setdefault(f"servers: {_names(hit.servers)}{network}", []).append(hit)
    for words, alike in entries.items():
        for hit in alike:
            yield _comment(f"{counted(len(hit.servers), 'server')}: {hit.text}", "  ")
        loss = max(hit.loss for hit in alike)
        yield f"  - {{{words}, loss: {loss.name.lower()}}}"


def _names(names: Sequence[str]) -> str:
    """Return a few names, or patterns that match every name."""
    if len(names) > _MOST:
        names = natural({re.sub(r"[0-9]+", "*", name) for name in names})
    texts = [_text(name) for name in names]
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def _text(value: str) -> str:
    """Return a text as a YAML scalar that is valid in a flow mapping."""
    plain = _PLAIN.fullmatch(value) and value.strip() == value and value.lower() not in _WORDS
    return value if plain else json.dumps(value)


def _comment(text: str, indent: str = "") -> str:
    """Return a comment on one line of printable characters."""
    return f"{indent}# {''.join(each if each.isprintable() else ' ' for each in text)}"
