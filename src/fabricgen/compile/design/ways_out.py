"""A fabric whose marking breaks a rule in; the changes of its words that were tried and help out.

Each is planned again before it is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fabricgen.compile.design.alternatives import helping
from fabricgen.compile.design.port_memory import CABLES

if TYPE_CHECKING:
    from fabricgen.compile.design.alternatives import Change as Changed
    from fabricgen.intent.model.intent import LosslessFabric
    from fabricgen.intent.model.qos import Roce

    Change = Changed[LosslessFabric]

MOST_INGRESSES, MOST_ALPHA = 8, 7
NONE = "no single change of roce or of cable lengths helps: use a model with more packet memory"


def ways_out(intent: LosslessFabric, holds: Callable[[LosslessFabric], bool]) -> str:
    """Return the changes that help, the first of each kind; `holds` plans an intent anew."""
    kinds = (_points, _ingresses, _storage, _alpha, _cables)
    return "; or ".join(helping(intent, kinds, holds)) or NONE


def _points(intent: LosslessFabric) -> Iterator[Change]:
    """Computed points in place of those a person or a profile wrote."""
    roce, bare = _roce(intent), {"minimum": None, "maximum": None}
    if roce.ecn.minimum or roce.ecn.maximum:
        yield (
            "leave out roce.ecn.minimum and maximum",
            _with(intent, ecn=roce.ecn.model_copy(update=bare)),
        )
    if roce.storage is not None and (roce.storage.ecn.minimum or roce.storage.ecn.maximum):
        plain = roce.storage.model_copy(update={"ecn": roce.storage.ecn.model_copy(update=bare)})
        yield "leave out roce.storage.ecn.minimum and maximum", _with(intent, storage=plain)
    if roce.profile != "computed":
        yield "roce.profile: computed", _with(intent, profile="computed")


def _ingresses(intent: LosslessFabric) -> Iterator[Change]:
    now = _roce(intent).congested_ingresses or 1
    for count in range(now + 1, MOST_INGRESSES + 1):
        way = f"roce.congested_ingresses: {count}, where no fewer feed a queue in equal parts"
        yield way, _with(intent, congested_ingresses=count)


def _storage(intent: LosslessFabric) -> Iterator[Change]:
    if _roce(intent).storage is not None:
        yield "leave out roce.storage", _with(intent, storage=None)


def _alpha(intent: LosslessFabric) -> Iterator[Change]:
    for exponent in range((_roce(intent).alpha or 0) + 1, MOST_ALPHA + 1):
        yield f"roce.alpha: {exponent}", _with(intent, alpha=exponent)


def _cables(intent: LosslessFabric) -> Iterator[Change]:
    """The longest cable that no longer one may exceed comes first."""
    longest = max(intent.cables)
    for limit in reversed(CABLES):
        if limit < longest:
            yield f"cables of at most {limit} m", intent.within(int(limit))


def _roce(intent: LosslessFabric) -> Roce:
    assert intent.roce is not None  # a class has the marking that is judged
    return intent.roce


def _with(intent: LosslessFabric, **changes: object) -> LosslessFabric:
    roce = _roce(intent).model_copy(update=changes)
    return intent.model_copy(update={"roce": roce})
