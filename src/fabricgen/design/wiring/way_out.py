"""A backend that no spine has the ports for in; its hint, with what was tried and fits, out.

A hint that is only plausible costs a round: each change that is named was sized.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.catalog.switches import switch_model
from fabricgen.design.findings import Findings
from fabricgen.design.wiring.backend_size import size_backend
from fabricgen.diagnostics import Code, Stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.design.wiring.backend_size import BackendSize
    from fabricgen.intent.model.backend import Backend


_TIGHT = (Code.RADIX_EXCEEDED,)


def sized(intent: Backend, findings: Findings) -> BackendSize:
    """Size a backend, or stop with what would fit as the hint."""
    try:
        return size_backend(intent, findings)
    except Stop:
        tight = [item for item in findings.items if item.code in _TIGHT]
        ways = [words for words, other in _changes(intent) if _fits(other)] if tight else ()
        if ways:
            hint = f"this fits: {', or '.join(ways)}"
            findings.items = [
                replace(item, hint=hint) if item in tight else item for item in findings.items
            ]
        raise


def _fits(intent: Backend) -> bool:
    try:
        size_backend(intent, Findings())
    except Stop:
        return False
    return True


def _changes(intent: Backend) -> Iterator[tuple[str, Backend]]:
    """Yield what may be changed in one place, with the backend that it makes."""
    models = [switch_model(role.model) for role in (intent.leaf, intent.spine) if role]
    speeds = [set(model.speeds()) for model in models if model is not None]
    for speed in sorted(set.intersection(*speeds), reverse=True) if speeds else ():
        links = intent.links.model_copy(update={"speed": speed})
        yield f"`links.speed: {speed}`", intent.model_copy(update={"links": links})
    if intent.growth.servers is not None:
        growth = intent.growth.model_copy(update={"servers": None})
        words = f"`growth.servers` below {intent.growth.servers:,}"
        yield words, intent.model_copy(update={"growth": growth})
    if intent.design == "rail-optimised" and intent.spine is not None:
        tiers = {"design": "three-tier", "superspine": intent.superspine or intent.spine}
        yield "`design: three-tier` with a `superspine`", intent.model_copy(update=tiers)
