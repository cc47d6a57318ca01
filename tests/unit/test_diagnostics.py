"""What a diagnostic is worth, how its place is spelled, and which known word a hint names."""

import pickle

import pytest

from fabricgen.core.diagnostics import (
    Code,
    Diagnostic,
    Failure,
    Position,
    Severity,
    did_you_mean,
    did_you_mean_model,
    dotted,
    has_errors,
    shortened,
)


def test_a_diagnostic_is_an_error_at_no_place_unless_it_says_otherwise() -> None:
    plain = Diagnostic(Code.BAD_VALUE, "no")
    assert plain == Diagnostic(
        Code.BAD_VALUE, "no", (), "", Severity.ERROR, position=None, at_key=False
    )


def test_only_an_error_stops_the_compiler() -> None:
    by_severity = {
        severity: Diagnostic(Code.BAD_VALUE, "no", severity=severity) for severity in Severity
    }
    assert not has_errors([])
    assert [severity for severity, one in by_severity.items() if has_errors([one])] == [
        Severity.ERROR
    ]
    assert has_errors(by_severity.values())


def test_severities_are_spelled_as_they_are_printed() -> None:
    assert [str(each) for each in Severity] == ["error", "warning", "note"]


def test_no_two_codes_are_alike() -> None:
    assert len(set(Code)) == len(list(Code.__members__))
    assert all(code.startswith("FG") and code[2:].isdigit() and len(code) == 5 for code in Code)


def test_places_are_spelled_with_dots_and_colons() -> None:
    assert dotted(("tenants", "red", "vrfs", 0)) == "tenants.red.vrfs.0"
    assert dotted(()) == ""
    assert str(Position("site.yaml", 3, 14)) == "site.yaml:3:14"


def test_a_failure_carries_its_diagnostic_to_another_process() -> None:
    failure = Failure(Diagnostic(Code.UNREADABLE, "gone", ("site",), "look", Severity.WARNING))
    sent = pickle.loads(pickle.dumps(failure))  # noqa: S301 - our own bytes
    assert type(sent) is Failure
    assert (str(sent), sent.diagnostic) == ("gone", failure.diagnostic)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("leafs", "did you mean 'leaf'?"),
        ("spin", "did you mean 'spine'?"),
        ("xyz", "known: leaf, spine"),
    ],
)
def test_the_nearest_known_word_is_named_or_all_are(word: str, hint: str) -> None:
    assert did_you_mean(word, ["spine", "leaf"]) == hint


def test_a_word_that_is_only_half_alike_is_not_proposed() -> None:
    """Of the letters of both words 4 in 8 agree here, 6 in 10 there: that is the border."""
    assert did_you_mean("abxy", ["abcd"]) == "known: abcd"
    assert did_you_mean("abcxy", ["abcde"]) == "did you mean 'abcde'?"


def test_at_most_twelve_known_words_are_listed() -> None:
    names = [f"n{number:02}" for number in range(13)]
    assert did_you_mean("?", names[:12]) == f"known: {', '.join(names[:12])}"
    assert did_you_mean("?", names) == f"known: {', '.join(names[:12])}, …"


def test_a_word_is_near_in_whatever_case() -> None:
    assert did_you_mean("LEAF", ["leaf", "spine"]) == "did you mean 'leaf'?"


def test_a_product_with_another_number_is_another_product() -> None:
    """Every model is listed then: none of them can be guessed."""
    models = ["SN5600", *(f"AS{number}" for number in range(20))]
    assert did_you_mean_model("sn560", models) == "did you mean 'SN5600'?"
    assert did_you_mean_model("DS5000", models) == f"known: {', '.join(sorted(models))}"


def test_where_nothing_is_known_there_is_no_hint() -> None:
    assert did_you_mean("word", []) == ""


@pytest.mark.parametrize(
    ("count", "kept", "last"),
    [(0, 0, None), (20, 20, None), (21, 21, "1 more faults"), (1234, 21, "1,214 more faults")],
)
def test_of_many_findings_the_first_are_kept_and_the_rest_is_counted_at_the_first(
    count: int, kept: int, last: str | None
) -> None:
    every = [Diagnostic(f"FG{number}", "x", path=(f"p{number}",)) for number in range(count)]
    some = shortened(every, "faults")
    assert len(some) == kept
    assert list(some[:20]) == every[:20]
    if last:
        assert some[20] == Diagnostic("FG0", last, path=("p0",))


def test_a_word_that_several_models_know_is_listed_once() -> None:
    assert did_you_mean("hwsku", ["model", "breakout", "model"]) == "known: breakout, model"
