"""A backend and kinds of changes of its intent in; of each kind the first that helps out.

A hint that is only plausible costs a round: each change that is named was tried alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricgen.intent.model.backend import Backend

    Change = tuple[str, Backend]
    """What a person would write, and the backend with it."""
    Kind = Callable[[Backend], Iterator[Change]]


def helping(
    intent: Backend, kinds: Iterable[Kind], helps: Callable[[Backend], bool]
) -> Iterator[str]:
    """Yield the words of the changes that help; no kind is tried on after its first."""
    for kind in kinds:
        words = next((words for words, changed in kind(intent) if helps(changed)), None)
        if words is not None:
            yield words
