"""Lists the effects of a review and the refusals of its gates as findings with places."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

from fabricgen.api.findings import Finding
from fabricgen.compile.compiler import HOSTS
from fabricgen.core.diagnostics import Code, Position, Severity, dotted
from fabricgen.core.plain_text import clean
from fabricgen.core.units import counted
from fabricgen.review.model import Cause, Effect, Review
from fabricgen.review.side import in_repository

_QUOTES = ("'{}'", '"{}"', "`{}`")


def entries(review: Review, refused: Sequence[str], keys: Collection[str] = ()) -> list[Finding]:
    """Return one entry for each refusal and each effect, errors first.

    Args:
        review: The review.
        refused: Sentence of each gate that refuses the change.
        keys: Keys of the effects that a gate refuses. A sentence that quotes a key names it, too.
    """
    errors = {each.key for each in review.effects if _is_refused(each, refused, keys)}
    effects = [_of_effect(review, each, refused=each.key in errors) for each in review.effects]
    effects.sort(key=lambda each: each.severity is not Severity.ERROR)
    place = effects[0] if effects else None
    return [*(_of_gate(review, sentence, place) for sentence in refused), *effects]


def _is_refused(effect: Effect, refused: Sequence[str], keys: Collection[str]) -> bool:
    quoted = [quotes.format(effect.key) for quotes in _QUOTES]
    return effect.key in keys or any(words in each for words in quoted for each in refused)


def _of_effect(review: Review, effect: Effect, *, refused: bool) -> Finding:
    causes = [review.causes[number] for number in effect.causes]
    placed = next((each for each in causes if each.new or each.old), None)
    place = _of_cause(placed) if placed is not None else None
    devices = _devices(review, effect)
    text = ": ".join(
        filter(None, (effect.risk.word if effect.risk is not None else "", effect.text))
    )
    return _entry(
        place or _rendered(review, effect.on),
        Severity.ERROR if refused else Severity.NOTE,
        f"{text} ({devices})" if devices else text,
        hint="a gate of the site refuses this effect" if refused else "",
        path=dotted(placed.path) if placed is not None else effect.key,
    )


def _of_gate(review: Review, sentence: str, place: Finding | None) -> Finding:
    """Return the refusal of a gate, at the place of the worst effect that it may mean."""
    if place is not None and place.file:
        where = Position(place.file, place.line, place.column)
    else:
        where = _rendered(review, ())
    return _entry(where, Severity.ERROR, sentence, hint="", path="review")


def _entry(place: Position, severity: Severity, message: str, *, hint: str, path: str) -> Finding:
    return Finding(
        code=Code.SWITCHES_CHANGE.value,
        severity=severity,
        message=clean(message),
        hint=hint,
        file=clean(place.file),
        line=max(1, place.line),
        column=max(1, place.column),
        path=clean(path),
    )


def _of_cause(cause: Cause) -> Position | None:
    """Return the place of a key on side B, or on side A if it was removed."""
    place = cause.new or cause.old
    return place._replace(file=in_repository(place.file)) if place is not None else None


def _devices(review: Review, effect: Effect) -> str:
    """Return the numbers of changed devices: `3 switches, 1 server`."""
    folders = {_name(folder): folder for folder in review.changed}
    servers = sum(folders.get(name, "").startswith(f"{HOSTS}/") for name in effect.on)
    parts = ((len(effect.on) - servers, "switch"), (servers, "server"))
    return ", ".join(counted(number, noun) for number, noun in parts if number)


def _rendered(review: Review, names: Collection[str]) -> Position:
    """Return the first changed file of a named device, or of any device."""
    found = dict(_files(review))
    file = next((found[name] for name in names if name in found), "")
    file = file or next(iter(found.values()), "")
    of_trees = not any(each.new or each.old for each in review.causes)
    tree = PurePosixPath(in_repository(review.after)) if of_trees else PurePosixPath()
    return Position((tree / file).as_posix(), 1, 1)


def _files(review: Review) -> Iterator[tuple[str, str]]:
    """Yield a changed file of each device."""
    for block in review.blocks:
        for folder in block.folders:
            yield _name(folder), f"{folder}/{block.shapes[0].file}" if block.shapes else folder


def _name(folder: str) -> str:
    return folder.rpartition("/")[2]
