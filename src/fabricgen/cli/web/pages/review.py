"""Makes the data of the review of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import SiteDiff


def chunks(change: SiteDiff) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the chunk of a review: the data of `diff --format json`, and its sentences."""
    yield "review", lambda: {**change.as_data(), **change.sentences()}
