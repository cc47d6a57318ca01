"""A backend whose marking breaks a rule in; the changes of its intent that were tried and help out.

Each is planned again before it is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fabricgen.design.alternatives import helping
from fabricgen.design.port_memory import CABLES

if TYPE_CHECKING:
    from fabricgen.design.alternatives import Change
    from fabricgen.intent.model.backend import Backend
    from fabricgen.intent.model.qos import Roce

MOST_INGRESSES, MOST_ALPHA = 8, 7
NONE = "no single change of roce or of cable lengths helps: use a model with more packet memory"


def ways_out(intent: Backend, holds: Callable[[Backend], bool]) -> str:
    """Return the changes that help, the first of each kind; `holds` plans an intent anew."""
    kinds = (_points, _ingresses, _storage, _alpha, _cables)
    return "; or ".join(helping(intent, kinds, holds)) or NONE


def _points(intent: Backend) -> Iterator[Change]:
    """Computed points in place of those a person or a profile wrote."""
    roce, bare = intent.roce, {"minimum": None, "maximum": None}
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


def _ingresses(intent: Backend) -> Iterator[Change]:
    now = intent.roce.congested_ingresses or 1
    for count in range(now + 1, MOST_INGRESSES + 1):
        way = f"roce.congested_ingresses: {count}, where no fewer feed a queue in equal parts"
        yield way, _with(intent, congested_ingresses=count)


def _storage(intent: Backend) -> Iterator[Change]:
    if intent.roce.storage is not None:
        yield "leave out roce.storage", _with(intent, storage=None)


def _alpha(intent: Backend) -> Iterator[Change]:
    for exponent in range((intent.roce.alpha or 0) + 1, MOST_ALPHA + 1):
        yield f"roce.alpha: {exponent}", _with(intent, alpha=exponent)


def _cables(intent: Backend) -> Iterator[Change]:
    """The longest cable that no longer one may exceed comes first."""
    near, far = intent.servers.cable_length, intent.links.length
    for limit in reversed(CABLES):
        if limit < max(near, far):
            servers = intent.servers.model_copy(update={"cable_length": min(near, int(limit))})
            links = intent.links.model_copy(update={"length": min(far, int(limit))})
            changed = intent.model_copy(update={"servers": servers, "links": links})
            yield f"cables of at most {limit} m", changed


def _with(intent: Backend, **changes: object) -> Backend:
    roce: Roce = intent.roce.model_copy(update=changes)
    return intent.model_copy(update={"roce": roce})
