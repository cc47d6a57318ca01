"""A push to a lab: the lab knows which intent each of its switches was given last."""

import pytest
from tests.deploy.verbs.conftest import LEAFS, Work
from tests.unit.lab.stand_in import labs

from fabricgen.operate.lab.given import given


def test_a_push_and_its_rollback_are_noted(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the switches that keep it."""
    work.rename_tenant()
    plan = work.plan()
    with labs(monkeypatch) as make:
        lab = make("oslo")
        lab.up()
        assert work.fabricgen("push", "site", "--plan", "plan.json", "--lab", "oslo") == 0
        now = given(lab.place, work.everything())
        assert {name for name, intent in now.items() if intent != lab.place.intent} == set(LEAFS)
        assert "10.10.11.0/24" in (now[LEAFS[0]] / "site.yaml").read_text()
        back = ("rollback", plan["id"], "site", "--yes", "--lab", "oslo", "--limit", LEAFS[0])
        assert work.fabricgen(*back) == 0
        now = given(lab.place, work.everything())
        assert now[LEAFS[0]] == lab.place.intent != now[LEAFS[1]]
