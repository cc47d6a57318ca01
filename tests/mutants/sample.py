"""Rooms, a number and a seed in; that many mutants out, spread over rooms, files and kinds."""

import ast
import random
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from tests.mutants.mutations import Mutation, mutations, source_of
from tests.mutants.rooms import ROOT, room_of

LEAST = 8
"""So many of each room at least, as long as it has them: a small room is not left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One mutation of one module: `number` is its place among all of the module."""

    module: str
    number: int
    line: int
    kind: str

    def __str__(self) -> str:
        """Return what `--only` takes."""
        return f"{self.module}:{self.line} #{self.number} {self.kind}"


@cache
def _tree(module: str) -> tuple[ast.Module, list[Mutation]]:
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    return tree, mutations(tree)


def mutated(mutant: Mutant) -> str:
    """Return the module's source with the mutation in it."""
    tree, every = _tree(mutant.module)
    return source_of(tree, every[mutant.number])


def unmutated(module: str) -> str:
    """Return the module's source as it would be printed without any mutation."""
    return source_of(_tree(module)[0], None)


def mutants_of(module: str) -> list[Mutant]:
    """Return every mutant of a module."""
    return [
        Mutant(module=module, number=number, line=mutation.line, kind=mutation.kind)
        for number, mutation in enumerate(_tree(module)[1])
    ]


def sample(count: int, seed: str, among: Collection[str]) -> list[Mutant]:
    """Draw mutants of some modules; in such an order that any head of them is a sample.

    A change of one module leaves what is drawn of the others as it was: a survivor is drawn again
    when it has its test.
    """
    by_room: dict[str, list[str]] = defaultdict(list)
    for module in among:
        by_room[room_of(module)].append(module)
    lines = {
        room: sum((ROOT / module).read_text().count("\n") for module in held)
        for room, held in by_room.items()
    }
    drawn = [
        mutant
        for room, share in shares(count, lines).items()
        for mutant in _of_room(by_room[room], share, seed)
    ]
    return sorted(drawn, key=lambda mutant: random.Random(f"{seed} {mutant}").random())


def shares(count: int, lines: dict[str, int]) -> dict[str, int]:
    """Share a number out by lines, by the largest remainder, but LEAST to each when that fits."""
    if not lines:
        return {}
    least = min(LEAST, count // len(lines))
    left, total = count - least * len(lines), sum(lines.values())
    exact = {room: left * size / total for room, size in lines.items()}
    given = Counter({room: least + int(part) for room, part in exact.items()})
    by_rest = sorted(exact, key=lambda room: (int(exact[room]) - exact[room], room))
    given.update(by_rest[: count - given.total()])
    return {room: given[room] for room in sorted(lines)}


def _of_room(held: list[str], share: int, seed: str) -> list[Mutant]:
    """Draw file by file, and in a file kind by kind: constants are many, and much alike."""
    dice = {module: random.Random(f"{seed} {module}") for module in held}
    open_still = sorted(held, key=lambda module: dice[module].random())
    left: dict[str, list[Mutant]] = {}
    drawn: list[Mutant] = []
    while open_still:
        for module in tuple(open_still):
            if len(drawn) == share:
                return drawn
            if module not in left:
                left[module] = mutants_of(module)
            every = left[module]
            if not every:
                open_still.remove(module)
                continue
            kind = dice[module].choice(sorted({mutant.kind for mutant in every}))
            chosen = dice[module].choice([one for one in every if one.kind == kind])
            every.remove(chosen)
            drawn.append(chosen)
    return drawn
