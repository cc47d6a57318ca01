"""Prints the measurements of an acceptance test, and their results, for people and programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.core.tables import aligned
from fabricgen.plan.acceptance.results import accepted, rows_of
from fabricgen.plan.acceptance.runs import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.plan.acceptance.results import LabProof, Result
    from fabricgen.plan.acceptance.row import Measure


def report(
    rows: Sequence[Measure],
    found: Sequence[Result] | None,
    left: Sequence[str],
    lab: Sequence[LabProof],
) -> str:
    """Return the plan, or the results with a verdict. `left`: fabrics without run files."""
    if found is None:
        cells = [
            (each.name, each.unit, figure(each.least), figure(each.most), each.what)
            for each in rows
        ]
        lines = aligned([("measurement", "unit", "at least", "at most", "quantity"), *cells])
    else:
        head = ("result", "measurement", "value", "limit", "quantity")
        lines = aligned([head, *rows_of(found)])
        judged = [each for each in found if each.measure.judged]
        passed = sum(each.outcome == "pass" for each in judged)
        word = "accepted" if accepted(found) else "not accepted"
        lines += ["", f"{word}: {passed} of {len(judged)} measurements with a limit pass"]
    lines += [f"without a test: {each}" for each in left]
    lines += [
        f"{it.verdict} in the lab, not in the network: {it.name} ({it.sentence})" for it in lab
    ]
    return "\n".join(lines) + "\n"


def data(
    rows: Sequence[Measure], found: Sequence[Result] | None, lab: Sequence[LabProof]
) -> dict[str, Any]:
    """Return the same as data; `value` and `result` only with results."""
    results = {each.measure.name: each for each in found or ()}
    return {
        "measurements": [
            {
                "name": row.name,
                "fabric": row.fabric,
                "quantity": row.what,
                "tool": str(row.tool),
                "unit": row.unit,
                "at_least": row.least,
                "at_most": row.most,
                "basis": row.basis,
                **(
                    {"value": results[row.name].value, "result": str(results[row.name].outcome)}
                    if found is not None
                    else {}
                ),
            }
            for row in rows
        ],
        **({"accepted": accepted(found)} if found is not None else {}),
        "lab": [{"name": it.name, "verdict": it.verdict, "sentence": it.sentence} for it in lab],
    }
