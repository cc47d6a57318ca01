"""Compares the effects of a review with the effects that people declared before it.

The words of a verdict are fixed. No word promises more than was compared.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache

from fabricgen.core.diagnostics import Position, did_you_mean
from fabricgen.core.record import record
from fabricgen.core.units import counted, shortened
from fabricgen.intent.declared import Declaration
from fabricgen.intent.model.declared import DeclaredChange, DeclaredEffect, DeclaredHit
from fabricgen.nos.registry import platforms
from fabricgen.prove.written import judge_of
from fabricgen.review.facts import QUEUES
from fabricgen.review.model import Effect, Hit, Loss, Review

_SHOWN = 5
_OF_MODEL = (
    *("switch", "server", "cable", "tenant", "attachment", "job", "vip", "port", "setting"),
    *("file", QUEUES),
)
"""Kinds of effects that no grammar gives."""


class Word(StrEnum):
    """Result of a comparison with a declared change."""

    AS_DECLARED = "as declared"
    NO_CHANGE = "no change"
    NOT_DECLARED = "not declared: do not apply"
    INCONCLUSIVE = "inconclusive"


@record(kw_only=True)
class Sentence:
    """One reason of a verdict, with the place of the declaration that it is about."""

    text: str
    place: Position | None = None

    def __str__(self) -> str:
        """Return the sentence after its place."""
        return f"{self.place}: {self.text}" if self.place is not None else self.text


@record(kw_only=True)
class Verdict:
    """Result of a comparison with a declared change, with its reasons."""

    word: Word
    sentences: tuple[Sentence, ...] = ()

    @property
    def passes(self) -> bool:
        """Return whether the change may be applied: it is as declared, or there is none."""
        return self.word in (Word.AS_DECLARED, Word.NO_CHANGE) and not self.sentences

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the reasons as text."""
        return tuple(map(str, self.sentences))


def verdict(review: Review, declared: Declaration, unread: Iterable[str] = ()) -> Verdict:
    """Return the verdict of a review under a declared change.

    An effect that only follows from others needs no entry if it shares a cause with a declared one.

    Args:
        review: The review.
        declared: A declared change without errors.
        unread: Sentences about parts of either side that are not compared.

    Raises:
        ValueError: The declared change has errors.
    """
    change = declared.change
    if change is None:
        raise ValueError(f"{declared.name} has errors")
    wrong = [*unknown_kinds(review, declared), *_undeclared(review, change)]
    wrong += [*_not_happening(review, declared), *_undeclared_hits(review, change)]
    wrong += _hits_not_happening(review, declared)
    open_ends = [*_open_ends(review), *(Sentence(text=text) for text in unread)]
    if not (review.effects or review.blocks or open_ends):
        return Verdict(word=Word.NO_CHANGE, sentences=tuple(wrong))
    if wrong:
        return Verdict(word=Word.NOT_DECLARED, sentences=(*wrong, *open_ends))
    if open_ends:
        return Verdict(word=Word.INCONCLUSIVE, sentences=tuple(open_ends))
    return Verdict(word=Word.AS_DECLARED)


def without_declaration(review: Review, unread: Iterable[str] = ()) -> Verdict:
    """Return the verdict of a review that no declared change covers."""
    open_ends = [*_open_ends(review), *(Sentence(text=text) for text in unread)]
    if not (review.effects or review.blocks or open_ends):
        return Verdict(word=Word.NO_CHANGE)
    text = "there is no declared change: give one with --declared"
    return Verdict(word=Word.INCONCLUSIVE, sentences=(Sentence(text=text), *open_ends))


def _open_ends(review: Review) -> Iterator[Sentence]:
    """Yield what the review does not know."""
    if review.unexplained:
        first = review.unexplained[0]
        yield Sentence(
            text=f"{counted(len(review.unexplained), 'changed line')} not explained, first "
            f"{first.folder}/{first.file}: {first.line}"
        )
    changes = bool(review.effects or review.blocks)
    if review.hits is None and changes:
        yield Sentence(text="not known who is hit: one side does not show which servers it has")
    yield from (Sentence(text=text) for text in review.notes)


@cache
def kinds() -> frozenset[str]:
    """Return the known kinds of effects, of the model and of every grammar."""
    judges = filter(None, map(judge_of, platforms()))
    return frozenset((*_OF_MODEL, *(kind for each in judges for kind, _ in each.about)))


def unknown_kinds(review: Review, declared: Declaration) -> Iterator[Sentence]:
    """Yield the declared effects whose kind does not exist."""
    known = kinds() | {each.kind for each in review.effects}
    for number, each in _entries(declared):
        rest = each.effect.partition(" ")[2]
        if any(_glob(rest.partition(" ")[0])(kind.partition(" ")[0]) for kind in known):
            continue
        kind = rest.partition(" ")[0]
        hint = did_you_mean(kind, known)
        text = f"{each.effect!r}: {kind!r} is no kind of effect ({hint})"
        yield Sentence(text=text, place=declared.place("effects", number, "effect"))


def _entries(declared: Declaration) -> Iterator[tuple[int, DeclaredEffect]]:
    assert declared.change is not None
    yield from enumerate(declared.change.effects)


@lru_cache(maxsize=4096)
def _glob(pattern: str) -> Callable[[str], bool]:
    """Return a test of texts. Only `*` is special, and each text takes linear time."""
    first, *parts = pattern.split("*")
    if not parts:
        return lambda text: text == pattern
    *parts, last = parts

    def matches(text: str) -> bool:
        if len(text) < len(first) + len(last) or not text.startswith(first):
            return False
        place, end = len(first), len(text) - len(last)
        for part in parts:
            found = text.find(part, place, end)
            if found < 0:
                return False
            place = found + len(part)
        return text.endswith(last)

    return matches


def devices_of(effect: Effect) -> tuple[str, ...]:
    """Return the devices of an effect; of one without any its own name."""
    return effect.on or (effect.name,)


def _is_meant(entry: DeclaredEffect, effect: Effect) -> bool:
    """Return whether an entry is about an effect, on whatever devices."""
    values = ((entry.before, effect.before), (entry.after, effect.after))
    return _glob(entry.effect)(effect.key) and all(
        value is None or value == there for value, there in values
    )


def _covered(entry: DeclaredEffect, effect: Effect) -> set[str]:
    """Return the devices of an effect that an entry covers."""
    devices = devices_of(effect)
    if entry.on is None:
        return {*devices}
    tests = [_glob(pattern) for pattern in entry.on]
    return {name for name in devices if any(test(name) for test in tests)}


def _undeclared(review: Review, change: DeclaredChange) -> Iterator[Sentence]:
    """Yield the effects that no entry covers, and those that follow from no declared effect."""
    allowed: set[int] = set()
    anything = False
    for effect in (each for each in review.effects if not each.derived):
        entries = [each for each in change.effects if _is_meant(each, effect)]
        devices = devices_of(effect)
        left = {*devices}.difference(*(_covered(each, effect) for each in entries))
        if left:
            yield _missing(effect, [name for name in devices if name in left], entries)
            continue
        anything = True
        allowed.update(effect.causes)
    for effect in (each for each in review.effects if each.derived):
        follows = anything and (not effect.causes or not allowed.isdisjoint(effect.causes))
        if follows or _is_declared(effect, change):
            continue
        yield Sentence(text=f"{effect.key!r} follows from no declared effect: {effect.text}")


def _is_declared(effect: Effect, change: DeclaredChange) -> bool:
    entries = [each for each in change.effects if _is_meant(each, effect)]
    return not {*devices_of(effect)}.difference(*(_covered(each, effect) for each in entries))


def _missing(effect: Effect, left: Sequence[str], entries: Sequence[DeclaredEffect]) -> Sentence:
    """Return the sentence about an effect that is not declared, or not on some devices."""
    if entries:
        where = shortened(left, _SHOWN)
        return Sentence(text=f"{effect.key!r} is declared, but not on {where}: {effect.text}")
    where = f" on {shortened(left, _SHOWN)}" if effect.on else ""
    return Sentence(text=f"{effect.key!r} is not declared{where}: {effect.text}")


def _not_happening(review: Review, declared: Declaration) -> Iterator[Sentence]:
    """Yield the entries that match no effect, and the devices of entries without one."""
    for number, entry in _entries(declared):
        effects = [each for each in review.effects if _is_meant(entry, each)]
        place = declared.place("effects", number, "effect")
        if not effects:
            yield Sentence(text=f"{_spelled(entry)} does not happen{_near(entry, review)}",
                           place=place)  # fmt: skip
            continue
        devices = {name for each in effects for name in devices_of(each)}
        for index, pattern in enumerate(entry.on or ()):
            if not any(map(_glob(pattern), devices)):
                place = declared.place("effects", number, "on", index)
                yield Sentence(text=f"{entry.effect!r} does not happen on {pattern!r}", place=place)


def _spelled(entry: DeclaredEffect) -> str:
    """Return an entry with its values."""
    values = (("from", entry.before), ("to", entry.after))
    return " ".join((repr(entry.effect), *(f"{word} {it!r}" for word, it in values if it)))


def _near(entry: DeclaredEffect, review: Review) -> str:
    """Return what happens instead of an entry, if something similar does."""
    same = [each for each in review.effects if _glob(entry.effect)(each.key)]
    if same:
        return f": it changes {same[0].before or 'none'} to {same[0].after or 'none'}"
    hint = did_you_mean(entry.effect, {each.key for each in review.effects}, most=0)
    return f"; {hint}" if hint else ""


def _losses(review: Review) -> Iterator[Hit]:
    yield from (each for each in review.hits or () if each.loss > Loss.NOTHING)


def _loss(entry: DeclaredHit) -> Loss:
    return Loss[entry.loss.upper()]


def _reached(entry: DeclaredHit, hit: Hit) -> set[str]:
    """Return the servers of a loss that an entry covers, whatever they lose."""
    named = (
        (entry.network, (hit.network,)),
        (entry.tenant, hit.tenants),
        (entry.job, hit.jobs),
        (entry.rail, hit.rails),
    )
    if any(word is not None and {*there} != {word} for word, there in named):
        return set()
    tests = [_glob(pattern) for pattern in entry.servers or ("*",)]
    return {name for name in hit.servers if any(test(name) for test in tests)}


def _undeclared_hits(review: Review, change: DeclaredChange) -> Iterator[Sentence]:
    for hit in _losses(review):
        entries = [each for each in change.hit if _loss(each) >= hit.loss]
        left = {*hit.servers}.difference(*(_reached(each, hit) for each in entries))
        if left:
            names = [name for name in hit.servers if name in left]
            yield Sentence(
                text=f"{counted(len(names), 'server')} hit without a declaration: {hit.text} "
                f"({shortened(names, _SHOWN)})"
            )


def _hits_not_happening(review: Review, declared: Declaration) -> Iterator[Sentence]:
    assert declared.change is not None
    if review.hits is None:
        return
    hits = [*_losses(review)]
    for number, entry in enumerate(declared.change.hit):
        if not any(_reached(entry, hit) for hit in hits):
            yield Sentence(
                text=f"entry {number + 1} of `hit` does not happen: no such server loses anything",
                place=declared.place("hit", number),
            )
