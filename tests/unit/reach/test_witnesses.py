"""What the lab proves with real packets is what the model answers: a third witness."""

from dataclasses import replace

import pytest
from tests.unit.lab.bench import bench_of

from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stations import stands
from fabricgen.prove.walk.packet import Outcome, Packet


@pytest.mark.parametrize("name", ["lab", "four-fabrics", "pairs", "edge"])
def test_the_model_says_what_the_lab_expects(name: str) -> None:
    bench = guarded(bench_of(name))
    every = stands(bench.site, lambda _: True)
    model = Model(bench.site, every)
    at = {(each.station.node, each.station.device): each for each in every}
    asked = {REACHES: 0, STOPS: 0}
    for pair in bench.pairs:
        one, other = bench.endpoint(pair.source), bench.endpoint(pair.target)
        ends = [at.get((each.host, each.device)) for each in (one, other)]
        if ends[0] is None or ends[1] is None:
            continue
        if other.segment in one.beside:  # the server's kernel sends it through its other port
            continue
        source, target = (end.station.address(one.version) for end in ends if end is not None)
        assert source is not None
        assert target is not None
        answer = model.answer(ends[0], ends[1], Packet(source.ip, target.ip))
        wanted = STOPS if pair.routers is None else REACHES
        assert answer.outcome is wanted, (one.name, other.name, answer.rule)
        asked[wanted] += 1
    assert asked[REACHES]
    assert name == "pairs" or asked[STOPS]


def guarded(bench: Bench) -> Bench:
    """Return the bench of a lab whose kernel enforces zones, as switches do."""
    return Bench(bench.client, bench.site, replace(bench.plan, guarded=True))


REACHES, STOPS = Outcome.REACHES, Outcome.STOPS
