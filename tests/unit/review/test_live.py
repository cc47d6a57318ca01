"""Texts of running switches: both sides without secrets, and only of switches that change."""

from typing import cast

from tests.unit.deploy.plan.test_look import DIFF, RENDERED, RUNNING, lens

from fabricgen.model.fabric.switch import Site
from fabricgen.operate.deploy.plan.document import Entry
from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview
from fabricgen.operate.deploy.texts import Rendered
from fabricgen.review.live import TextFilter, running, storing

CANDIDATE = RENDERED.replace("MARK", "S3CRET")
SITE = cast("Site", object())


def seen(diff: str) -> tuple[TextFilter, SwitchPreview]:
    keeping = storing(lens())
    rendered = Rendered({"eos.cfg": RENDERED}, RENDERED)
    return keeping, keeping.seen("leaf1", rendered, f"{RUNNING}key S3CRET\n", diff, CANDIDATE)


def test_both_texts_are_stored_without_secrets() -> None:
    keeping, look = seen(DIFF)
    before, after = running("site", SITE, [look], keeping.files)
    path = "frontend/leaf1/eos.cfg"
    assert before.files == {path: f"{RUNNING}key ***\n"}
    assert after.files == {path: CANDIDATE.replace("S3CRET", "***")}
    assert after.reasons.keys() == {"frontend/leaf1"}


def test_the_preview_is_that_of_a_plan() -> None:
    assert seen(DIFF)[1] == lens().seen(
        "leaf1",
        Rendered({"eos.cfg": RENDERED}, RENDERED),
        f"{RUNNING}key S3CRET\n",
        DIFF,
        CANDIDATE,
    )


def test_a_switch_without_a_difference_is_unchanged() -> None:
    keeping, look = seen("")
    before, after = running("site", SITE, [look], keeping.files)
    assert (keeping.files, before.files, after.files) == ({}, {}, {})
    assert after.unchanged == {"frontend/leaf1"}


def test_unmanaged_sections_and_other_releases_are_notes() -> None:
    entry = Entry(
        switch="leaf1",
        fabric="frontend",
        platform="eos",
        state="same",
        rendered="0" * 64,
        kept=("ntp",),
        release="runs 4.30, the intent has 4.33",
    )
    _, after = running("site", SITE, [SwitchPreview(entry)], {})
    assert after.notes == (
        "unmanaged sections of 1 switch are not compared: leaf1",
        "leaf1: runs 4.30, the intent has 4.33",
    )
