"""Compare the ECMP path selection of the files with the designed one."""

from collections.abc import Callable, Iterator

from fabricgen.model.fabric.balancing import FIVE_TUPLE, Choice, Field, LoadBalancing, Mode


def _as_designed(seed: int) -> int | None:
    return seed


def differences(
    written: Choice,
    designed: LoadBalancing,
    *,
    modes: frozenset[Mode],
    told_seed: Callable[[int], int | None] = _as_designed,
) -> Iterator[str]:
    """Yield a sentence for each difference between files and design.

    `modes`: those that a file of the platform can express. The compiler reports the others.
    `told_seed`: returns the spelling of a designed seed.
    """
    yield from written.faults
    if written.mode is not designed.mode and designed.mode in modes:
        yield f"selects ECMP paths by {written.mode}; designed is {designed.mode}"
    wanted = frozenset((*designed.fields, *designed.wished))
    fields = wanted & (frozenset(FIVE_TUPLE) | written.can) or frozenset(FIVE_TUPLE)
    if written.fields != fields:
        yield f"hashes {_list(written.fields)}; designed is {_list(fields)}"
    if written.seed != told_seed(designed.seed):
        yield f"has the hash seed {written.seed}; designed is {designed.seed}"


def _list(fields: frozenset[Field]) -> str:
    return ", ".join(field for field in Field if field in fields) or "nothing"
