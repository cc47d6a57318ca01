"""Every EOS switch of many sites, with written answers: compared, and without a difference."""

import json
from collections.abc import Mapping

import pytest
from tests.written.eos.eapi import output
from tests.written.eos.sites import FOLDERS, TEXTS, bench, checked, found, reader

from fabricgen.nos.show import Observed
from fabricgen.prove.catalogue.model import Outcome
from fabricgen.prove.verifier import Verifier

EVERY = (*FOLDERS, *TEXTS)


@pytest.mark.parametrize("name", EVERY)
def test_every_eos_switch_is_compared_and_right(name: str) -> None:
    """As `verify` does: with requests to all switches, and their answers."""
    there = bench(name)
    wanted = {switch: there.wanted[switch] for switch in there.shown}
    asked: list[str] = []

    def ask(requests: Mapping[str, str]) -> dict[str, str | Observed]:
        asked.extend(requests)
        return {switch: output(there.shown[switch], each) for switch, each in requests.items()}

    looks = Verifier(ask, wanted).look()
    assert set(asked) == set(looks) == set(there.shown)
    assert looks
    for look in looks.values():
        assert [each.sentence for each in look.differences] == []
        assert look.observed.unread == {}


@pytest.mark.parametrize("name", EVERY)
def test_no_check_fails_on_a_right_switch(name: str) -> None:
    for switch in bench(name).shown:
        results = checked(name, switch)
        assert found(results) == {}, switch
        assert [each.check for each in results if each.outcome is Outcome.UNREAD] == []


def test_most_kinds_of_facts_are_compared_somewhere() -> None:
    kinds = {
        key[0]
        for name in EVERY
        for switch in bench(name).shown
        for key, own in bench(name).wanted[switch].facts.items()
        if own
    }
    read = {kind for kind, _ in reader().about}
    no_design = {"component", "module", "pending"}
    assert read - kinds == {*no_design, "path"}  # reach --live alone asks for a path


def test_one_look_takes_two_requests_and_a_few_hundred_kilobytes() -> None:
    there = bench("full")
    for switch, shown in there.shown.items():
        request = reader().request(there.wanted[switch].facts)
        assert len(json.loads(request)) == 2
        assert len(output(shown, request)) < 400_000
