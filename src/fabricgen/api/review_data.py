"""Returns a review as data. docs/reference/review.schema.json describes it."""

from collections.abc import Sequence
from typing import Any

from fabricgen.core.diagnostics import Position, dotted
from fabricgen.review.model import Block, Cause, Effect, Hit, Order, Review, Shape


def data(review: Review, *, verdict: str = "", reasons: Sequence[str] = ()) -> dict[str, Any]:
    """Return the complete review with every template and every place.

    Args:
        review: The review.
        verdict: Result of gates and of the declared change. Empty without both.
        reasons: Reasons of the verdict.
    """
    return {
        "before": review.before,
        "after": review.after,
        "devices": review.devices,
        "changed": list(review.changed),
        "blast_radius": {risk.word: count for risk, count in review.radius.items()},
        "causes": list(map(_cause, review.causes)),
        "effects": list(map(_effect, review.effects)),
        "hits": None if review.hits is None else list(map(_hit, review.hits)),
        "order": None if review.order is None else _order(review.order),
        "blocks": list(map(_block, review.blocks)),
        "notes": list(review.notes),
        "unexplained": [
            {"folder": each.folder, "file": each.file, "line": each.line}
            for each in review.unexplained
        ],
        "verdict": verdict,
        "reasons": list(reasons),
    }


def _place(position: Position | None) -> dict[str, Any] | None:
    if position is None:
        return None
    return {"file": position.file, "line": position.line, "column": position.column}


def _cause(each: Cause) -> dict[str, Any]:
    return {
        "kind": each.kind,
        "path": dotted(each.path),
        "before": each.before,
        "after": each.after,
        "old": _place(each.old),
        "new": _place(each.new),
    }


def _effect(each: Effect) -> dict[str, Any]:
    return {
        "key": each.key,
        "act": each.act.value,
        "kind": each.kind,
        "name": each.name,
        "attribute": each.attribute,
        "before": each.before,
        "after": each.after,
        "text": each.text,
        "on": list(each.on),
        "objects": each.objects,
        "causes": list(each.causes),
        "risk": each.risk.word if each.risk is not None else None,
        "derived": each.derived,
    }


def _hit(each: Hit) -> dict[str, Any]:
    return {
        "loss": each.loss.name.lower(),
        "network": each.network,
        "servers": list(each.servers),
        "gpus": each.gpus,
        "tenants": list(each.tenants),
        "jobs": list(each.jobs),
        "rails": list(each.rails),
        "keeps": each.keeps,
        "text": each.text,
        "lasts": each.lasts,
        "drain": each.drain,
        "by": list(each.by),
        "why": each.why,
    }


def _order(told: Order) -> dict[str, Any]:
    return {
        "batches": [
            {
                "fabric": each.fabric,
                "switches": list(each.switches),
                "why": each.why,
                "warnings": list(each.warnings),
            }
            for each in told.batches
        ],
        "first": list(told.first),
        "together": list(told.together),
        "unknown": told.unknown,
    }


def _block(each: Block) -> dict[str, Any]:
    return {
        "folders": list(each.folders),
        "status": each.status,
        "risk": each.risk.word,
        "added": each.added,
        "removed": each.removed,
        "reasons": [
            {
                "risk": why.risk.word,
                "file": why.file,
                "place": why.place,
                "more": why.more,
                "kind": why.kind,
                "reason": why.why,
                "source": why.source,
                "known": why.known,
            }
            for why in each.reasons
        ],
        "shapes": list(map(_shape, each.shapes)),
    }


def _shape(each: Shape) -> dict[str, Any]:
    return {
        "file": each.file,
        "place": list(each.place),
        "removed": list(each.removed),
        "added": list(each.added),
        "whole": each.whole,
        "rows": [{"device": row[0], "values": list(row[1:])} for row in each.rows],
    }
