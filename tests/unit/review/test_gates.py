"""The gates of a site refuse a change by its risk, its keys, its owners and its size."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from fabricgen.core.diagnostics import IntentPath, Position
from fabricgen.core.tree.risk import Risk
from fabricgen.intent.load import load_texts
from fabricgen.intent.model.review import ReviewRules
from fabricgen.review.gates import refused
from fabricgen.review.model import CATALOG, INTENT, Act, Block, Cause, Effect, Hit, Loss, Review

HIT = Hit(
    loss=Loss.LEG,
    network="frontend",
    servers=("gpu1", "gpu2"),
    gpus=16,
    tenants=("acme",),
    text="lose a leg",
    lasts="2 s",
    drain="",
)


def rules(**keys: Any) -> ReviewRules:
    return ReviewRules.model_validate(keys)


def cause(*path: str | int, kind: str = INTENT) -> Cause:
    place = Position("site.yaml", 3, 1)
    return Cause(kind=kind, path=path, before="1", after="2", old=place, new=place)


def review(
    *paths: IntentPath, folders: tuple[str, ...] = (), hits: tuple[Hit, ...] | None = ()
) -> Review:
    block = Block(
        folders=folders, shapes=(), risk=Risk.SESSION_RESET, status="changed", added=1, removed=0
    )
    return Review(
        before="a",
        after="b",
        devices=9,
        effects=(),
        causes=tuple(cause(*path) for path in paths),
        blocks=(block,) if folders else (),
        radius=Counter({Risk.SESSION_RESET: len(folders), Risk.REBOOT: 0}),
        hits=hits,
    )


def test_a_site_without_gates_refuses_nothing() -> None:
    assert refused(review(("review",), folders=("backend/a",)), None) == ()
    assert refused(review(folders=("backend/a",)), rules()) == ()


@pytest.mark.parametrize(("bar", "number"), [("session-reset", 1), ("reboot", 0)])
def test_a_risk_at_the_bar_is_refused(bar: str, number: int) -> None:
    found = refused(review(folders=("backend/a", "backend/b")), rules(fail_on=bar))
    assert len(found) == number
    assert all("2 switches or servers change with risk session-reset" in each for each in found)


@pytest.mark.parametrize(
    ("path", "touched"),
    [
        (("tenants", "acme", "vrfs", "a", "id"), True),
        (("tenants", "acme"), True),
        (("tenants",), True),
        (("tenants", "blue", "vrfs"), False),
        (("site", "management"), False),
    ],
)
def test_a_frozen_key_is_touched_in_it_and_above_it(path: IntentPath, touched: bool) -> None:  # noqa: FBT001
    found = refused(review(path), rules(freeze=["tenants/acme"]))
    assert bool(found) is touched
    assert all(".".join(map(str, path)) in each and "site.yaml:3" in each for each in found)


@pytest.mark.parametrize(
    ("place", "folder", "touched"),
    [
        ("backend", "backend/leaf1", True),
        ("backend", "backend-2/leaf1", False),
        ("fabrics/storage", "storage/leaf1", True),
        ("backend/roce", "backend/leaf1", False),
    ],
)
def test_a_frozen_fabric_is_touched_by_its_devices(place: str, folder: str, touched: bool) -> None:  # noqa: FBT001
    assert bool(refused(review(folders=(folder,)), rules(freeze=[place]))) is touched


def test_a_frozen_tenant_must_not_lose_anything() -> None:
    frozen = rules(freeze=["tenants/acme"])
    assert "2 servers of acme: lose a leg" in refused(review(hits=(HIT,)), frozen)[0]
    assert refused(review(hits=(replace(HIT, tenants=("blue",)),)), frozen) == ()
    assert refused(review(hits=(replace(HIT, loss=Loss.NOTHING),)), frozen) == ()


def test_who_is_hit_being_unknown_touches_a_frozen_tenant() -> None:
    found = refused(review(folders=("x/a",), hits=None), rules(freeze=["tenants/acme"]))
    assert "not known" in found[0]


def test_an_effect_on_a_tenant_touches_it_without_a_cause() -> None:
    effect = Effect(act=Act.REMOVED, kind="tenant", name="acme", text="tenant acme removed")
    given = replace(review(), effects=(effect,))
    assert refused(given, rules(owners={"tenants/acme": ["@a"]}))
    assert not refused(given, rules(owners={"tenants/blue": ["@a"]}))


def test_one_owner_of_a_key_must_approve() -> None:
    given, gate = review(("tenants", "acme")), rules(owners={"tenants/acme": ["@a", "@b"]})
    assert "needs the approval of @a or @b, because tenants.acme" in refused(given, gate)[0]
    assert refused(given, gate, ["@c"])
    assert refused(given, gate, ["@b"]) == ()


def test_a_change_of_the_gates_needs_their_owner() -> None:
    given = review(("review", "limits", "gpus"))
    assert "`owners` has no `review`" in refused(given, rules())[0]
    gate = rules(owners={"review": ["@net"]})
    assert "edits its own gates (review.limits.gpus (site.yaml:3))" in refused(given, gate)[0]
    assert refused(given, gate, ["@net"]) == ()


def test_switches_are_counted_without_servers() -> None:
    given = review(folders=("backend/a", "backend/b", "hosts/c"))
    assert refused(given, rules(limits={"switches": 2})) == ()
    assert (
        "2 is more than 1 (backend/a, backend/b)"
        in refused(given, rules(limits={"switches": 1}))[0]
    )


def test_gpus_and_servers_of_all_losses_are_counted_once() -> None:
    again = replace(HIT, network="backend", servers=("gpu2",), gpus=8)
    other = replace(HIT, servers=("gpu3",), gpus=8)
    given = review(hits=(HIT, again, other))
    assert refused(given, rules(limits={"gpus": 24, "servers": 3})) == ()
    assert len(refused(given, rules(limits={"gpus": 23, "servers": 2}))) == 2


def test_a_limit_of_what_is_not_known_is_refused() -> None:
    (text,) = refused(review(hits=None), rules(limits={"gpus": 8}))
    assert text == "review.limits.gpus: not known who is hit, so the limit cannot be checked"


def test_a_template_or_catalog_of_an_equal_name_is_no_key() -> None:
    given = replace(review(), causes=(cause("backend", kind=CATALOG),))
    assert refused(given, rules(freeze=["backend"])) == ()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"freeze": ["tennants/acme"]}, "did you mean 'tenants'?"),
        ({"freeze": ["backend/rocee"]}, "did you mean 'roce'?"),
        ({"freeze": ["site/name/x"]}, "there is no 'x'"),
        ({"owners": {"tenants/acme": ["net"]}}, "should match"),
        ({"owners": {"tenants/acme": []}}, "at least 1 item"),
        ({"fail_on": "hitless"}, "'session-reset'"),
        ({"limits": {"gpus": -1}}, "greater than or equal to 0"),
    ],
)
def test_a_gate_that_could_never_apply_is_refused(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message.replace("?", r"\?")):
        rules(**keys)


def test_an_error_in_a_gate_has_its_place() -> None:
    loaded = load_texts({"site.yaml": "review: {freeze: [tennants/acme]}\n"})
    item = next(each for each in loaded.findings if each.path[:1] == ("review",))
    assert "there is no 'tennants' (did you mean 'tenants'?)" in item.message
    assert loaded.source.locate(item.path) == Position("site.yaml", 1, 19)
