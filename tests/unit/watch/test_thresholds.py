"""Thresholds come from the model, and the files of a switch have the same numbers and bytes."""

from itertools import product

import pytest
from tests.unit.watch.site import leaf, plans, site, to_server, to_switch

from fabricgen.compile.compiler import files_of, renderer_of, slices
from fabricgen.nos.registry import nos
from fabricgen.prove.catalogue.thresholds import (
    ALPHA,
    DETECTION,
    HEADROOM,
    KMAX,
    KMIN,
    PAUSE_AT,
    PMAX,
    POLLED_DETECTION,
    SHARED,
    lossless_plan,
)


def test_a_port_knows_its_far_end_and_its_cable() -> None:
    plan = leaf()
    server, up = plan.ports[to_server(plan)], plan.ports[to_switch(plan)]
    assert (server.to_server, server.pauses, up.to_server) == (True, True, False)
    assert plans()[up.far].ports[up.far_port].far == plan.switch
    assert plans()[up.far].ports[up.far_port].length == up.length > 0


def test_the_pause_point_follows_alpha_and_the_number_of_groups() -> None:
    plan = leaf()
    numbers, port = plan.numbers, to_server(plan)
    groups = len(list(plan.lossless)) * len(plan.paused)
    alpha, shared = numbers[ALPHA,], numbers[SHARED,]
    assert numbers[PAUSE_AT, port, "3"] == int(alpha * shared / (1 + alpha * groups))


def test_a_fabric_without_a_lossless_class_has_ports_and_no_thresholds() -> None:
    every = [lossless_plan(each) for _, each in slices(site("tenants", "sonic"))]
    assert every
    for plan in every:
        assert plan.ports
        assert (plan.paused, list(plan.lossless), dict(plan.numbers)) == ((), [], {})


@pytest.mark.parametrize(
    ("name", "platform"), [("rails", "sonic"), ("storage", "sonic"), ("rails", "eos")]
)
def test_rendered_files_have_the_same_groups_queues_and_bytes(name: str, platform: str) -> None:
    compared = 0
    for _, switch_slice in slices(site(name, platform)):
        plan = lossless_plan(switch_slice)
        texts = {
            file.path.partition("/")[2].partition("/")[2]: file.text
            for file in files_of(switch_slice, renderer_of(()))
        }
        read = nos(platform).qos
        assert read is not None
        state = read.load()(switch_slice.switch.model, texts)
        for port, number in product(plan.lossless, plan.paused):
            own, key = state.ports[port.name], int(number)
            assert (own.group(key), own.queue(key)) == (key, key)
            assert own.headroom[key] == plan.numbers[HEADROOM, port.name, number]
            assert 2.0 ** own.alpha[key] == plan.numbers[ALPHA,]
            assert own.marks[key].minimum == plan.numbers[KMIN, port.name, number]
            assert own.marks[key].maximum == plan.numbers[KMAX, port.name, number]
            assert own.marks[key].percent == plan.numbers[PMAX, port.name, number]
            assert own.watch is not None
            timer = POLLED_DETECTION if own.watch.by_software else DETECTION
            assert own.watch.detection == plan.numbers[timer, port.name]
            compared += 1
    assert compared > 20
