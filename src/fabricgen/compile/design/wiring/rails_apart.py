"""The words of a backend in; whether each rail has spines of its own out, and what forbids it."""

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code
from fabricgen.intent.model.backend import Backend


def per_rail(intent: Backend) -> bool:
    """Tell whether the leafs of a rail have spines that no other rail has."""
    return intent.spine is not None and intent.spine.per_rail


def judge_rails_apart(intent: Backend, findings: Findings) -> None:
    """Say where rails that are kept apart would meet all the same."""
    if not per_rail(intent):
        return
    if intent.design != "rail-optimised":
        findings.spoil(
            Code.BAD_VALUE,
            f"in a {intent.design} backend rails meet in the superspines",
            intent.at("spine", "per_rail"),
            "use the rail-optimised design, or leave it out",
        )
    if intent.scalable_unit and intent.scalable_unit.shared:
        findings.spoil(
            Code.BAD_VALUE,
            "rails that share a leaf in some units cannot have spines of their own",
            intent.at("scalable_unit", "shared"),
        )
