"""Faults in the rendered files of running switches: each is named, and nothing else is."""

from collections.abc import Iterator

import pytest
from tests.lab.faults import FAULTS, Fault
from tests.lab.running import Running, wrong

Said = dict[str, list[str]]


@pytest.fixture(scope="module")
def planted(lab: Running) -> Iterator[Said]:
    """Plant every fault, each on a switch of its own; yield what is wrong with each switch."""
    for fault in FAULTS:
        files = lab.files_of(fault.switch)
        files[fault.path] = fault.planted(files[fault.path])
        assert lab.reload(fault.switch, files) == [fault.path]
    try:
        yield wrong(lab.verifier, lambda said: all(said[fault.switch] for fault in FAULTS))
    finally:
        for fault in FAULTS:
            assert lab.reload(fault.switch, lab.files_of(fault.switch)) == [fault.path]
    assert lab.differences() == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.kind.replace(" ", "-"))
def test_a_fault_is_named_and_nothing_else(planted: Said, fault: Fault) -> None:
    (sentence,) = planted[fault.switch]
    assert sentence.startswith(fault.says)


def test_no_switch_without_a_fault_is_wrong(planted: Said) -> None:
    faulty = {fault.switch for fault in FAULTS}
    assert {name: said for name, said in planted.items() if said and name not in faulty} == {}


def test_the_way_it_is_said(planted: Said, lab: Running) -> None:
    code, said = lab.status()
    assert code == 1
    sentences = [each["said"] for each in said["differences"] if each["kind"] == "wrong"]
    for fault in FAULTS:
        assert any(sentence.startswith(fault.says) for sentence in sentences)
