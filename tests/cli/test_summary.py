"""`fabricgen summary`: sites side by side, and what sets the fabrics of one apart."""

import json

import pytest
from tests.cli.calling import call

SITES = ("intent/rail-only", "intent/rail-optimized", "intent/three-tier")


def test_sites_are_columns_and_a_tier_that_none_has_is_left_out() -> None:
    said = call("summary", *SITES)
    assert said.code == 0
    lines = {line.split("  ")[0]: line for line in said.out.splitlines()}
    assert lines["backend"].split()[1:] == list(SITES)
    assert lines["superspines"].split()[1:] == ["-", "-", "32"]
    assert lines["switches on a path"].split()[-2:] == ["3", "5"]
    assert "frontend" not in lines


def test_of_one_site_fabrics_are_told_apart() -> None:
    said = call("summary", "intent/full").out
    questions = ("scale", "traffic", "protocols", "loss", "buffers", "latency", "redundancy")
    places = [said.index(f"\n{question}\n") for question in questions]
    parts = dict(
        zip(questions, map(said.__getitem__, map(slice, places, [*places[1:], None])), strict=True)
    )
    assert "VXLAN with EVPN" in parts["protocols"]
    loss = parts["loss"].splitlines()[2:]
    assert loss[0].split(None, 1) == ["frontend", "full queues drop packets"]
    assert "PFC pauses them" in loss[1]
    assert "backend   64 servers, 512 GPUs, 512 ports" in parts["scale"]
    assert "each server is on at least 4 leafs, 8 spines" in parts["redundancy"]
    assert "backend   leaf 7060X6-64PE 168 MB, spine 7060X6-64PE 168 MB" in parts["buffers"]
    assert "times the bandwidth on backend compared with frontend" in said


def test_a_tenth_of_a_fabric_is_kept_as_survive_says() -> None:
    said = call("summary", "intent/rail-optimized", "--format", "json").out
    traits = json.loads(said)["sites"]["intent/rail-optimized"]["backend"]["traits"]
    survived = json.loads(call("failures", "intent/rail-optimized", "--format", "json").out)
    worst = min(
        group["keeps"]
        for row in survived["fabrics"]["backend"]
        for group in row["groups"]
        if row["kind"] in ("leaf", "spine") and group["kind"] == "fabric"
    )
    assert f"{100 * worst:g} %" in traits["redundancy"]


def test_programs_read_the_same_numbers() -> None:
    data = json.loads(call("summary", *SITES, "--format", "json").out)["sites"]
    assert data.keys() == set(SITES)
    backend = data["intent/three-tier"]["backend"]
    assert backend["switches"] == {"leaf": 64, "spine": 32, "superspine": 32}
    assert backend["links"]["to servers"] == 2048


@pytest.mark.parametrize(("words", "code"), [((), 64), (("intent/nowhere",), 1)])
def test_sites_that_are_not_there_are_errors(words: tuple[str, ...], code: int) -> None:
    assert call("summary", *words).code == code
