"""Compares the review of each edit with the summary that an engineer wrote before it."""

from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from tests.review.edit import Edit, carry_out, keys, review_of
from tests.review.growth import GROWTH
from tests.review.lifecycle import LIFECYCLE
from tests.review.lossless import LOSSLESS
from tests.review.networks import NETWORKS
from tests.review.settings import SETTINGS

from fabricgen.api.review_comment import markdown
from fabricgen.api.review_words import what
from fabricgen.core.diagnostics import dotted
from fabricgen.review.model import Review

EDITS = (*GROWTH, *NETWORKS, *SETTINGS, *LOSSLESS, *LIFECYCLE)
MOST_BYTES = 10_000
Case = tuple[Edit, Review]


@pytest.fixture(scope="module", params=EDITS, ids=lambda edit: edit.name.replace(" ", "-"))
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    """Return each edit with its review."""
    edit: Edit = request.param
    return edit, review_of(edit, tmp_path_factory.mktemp("edit"))


def test_the_review_names_each_cause_with_its_place(case: Case) -> None:
    edit, review = case
    found = {dotted(each.path): each.new or each.old for each in review.causes}
    for wanted in edit.causes:
        path = next((path for path in found if f"{path}.".startswith(f"{wanted}.")), None)
        assert path is not None, f"{wanted} is not among {[*found]}"
        place = found[path]
        assert place is not None, f"{path} has no place"
        assert place.line > 0


def test_the_review_has_each_effect_that_the_engineer_names(case: Case) -> None:
    edit, review = case
    found = [*keys(review)]
    missing = [it for it in edit.effects if not any(fnmatchcase(key, it) for key in found)]
    assert not missing, f"the leading effects are {found}"


def test_no_other_effect_leads(case: Case) -> None:
    edit, review = case
    accepted = (*edit.effects, *(pattern for pattern, _ in edit.extra))
    other = [key for key in keys(review) if not any(fnmatchcase(key, it) for it in accepted)]
    assert not other


def test_each_accepted_effect_occurs(case: Case) -> None:
    edit, review = case
    unused = [it for it, _ in edit.extra if not any(fnmatchcase(key, it) for key in keys(review))]
    assert not unused


def test_each_leading_effect_has_a_cause(case: Case) -> None:
    _, review = case
    assert [each.key for each in review.effects if not each.derived and not each.causes] == []


def test_an_effect_explains_each_changed_line(case: Case) -> None:
    _, review = case
    assert review.unexplained == ()


def test_the_first_line_has_the_words_of_the_engineer(case: Case) -> None:
    edit, review = case
    line = what(review)
    assert [word for word in edit.words if word.lower() not in line.lower()] == [], line


def test_the_comment_is_short(case: Case) -> None:
    edit, review = case
    comment = markdown(review)
    assert comment.count("\n") <= edit.lines
    assert len(comment.encode()) <= MOST_BYTES


def test_equal_effects_are_one(case: Case) -> None:
    """Two effects have equal keys only if their values or fabrics differ."""
    _, review = case
    every = [(each.key, each.before, each.after, each.text) for each in review.effects]
    assert len(every) == len({*every})


def test_an_edit_whose_old_text_is_absent_fails(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="0 times, not once"):
        carry_out("tenants", (("site.yaml", "no such text", "x"),), tmp_path / "site")


def test_an_edit_does_not_overwrite_a_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="exists in tenants"):
        carry_out("tenants", (("site.yaml", "", "x"),), tmp_path / "site")
