"""Find the first change of each kind that makes a fabric fit.

Each named change was tried alone, because a merely plausible hint costs the user another run.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

W = TypeVar("W")
Change = tuple[str, W]
"""Intent text of a change, and the fabric with this change."""


def helping(
    intent: W, kinds: Iterable[Callable[[W], Iterator[Change[W]]]], helps: Callable[[W], bool]
) -> Iterator[str]:
    """Yield the words of the changes that help; no kind is tried on after its first."""
    for kind in kinds:
        words = next((words for words, changed in kind(intent) if helps(changed)), None)
        if words is not None:
            yield words
