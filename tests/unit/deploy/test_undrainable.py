"""Who cannot be drained, and whether that is by design or since others do not answer."""

from __future__ import annotations

import pytest
from tests.nos.test_states import site

from fabricgen.operate.deploy.coordination.drain import undrainable


@pytest.mark.parametrize(
    ("name", "silent", "why"),
    [
        ("fe-leaf02", [], ""),
        ("fe-leaf02", ["fe-spine1"], ""),
        ("fe-leaf02", ["fe-leaf01"], "no state from the redundant switch fe-leaf01"),
        ("fe-spine1", ["fe-spine2", "fe-spine3"], ""),
        (
            "fe-spine1",
            ["fe-spine2", "fe-spine3", "fe-spine4"],
            "no state from the redundant switch fe-spine2 and fe-spine3 and fe-spine4",
        ),
    ],
)
def test_who_does_not_answer_stands_in_for_nobody_and_is_named(
    name: str, silent: list[str], why: str
) -> None:
    (fabric,) = site("eos", "fe-spine1", "active").fabrics
    said = undrainable(fabric, [name], silent)
    assert said.startswith(f"{name} cannot be drained: {why}") if why else said == ""


def test_what_has_no_way_by_design_is_said_as_such() -> None:
    """Whoever answers."""
    (fabric,) = site("sonic", "fe-spine1", "active").fabrics
    said = undrainable(fabric, ["fe-leaf01"], ["fe-leaf02"])
    assert "no bond with another active leaf" in said or "SONiC" in said
