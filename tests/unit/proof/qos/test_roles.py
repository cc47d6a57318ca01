"""From a profile that marks spines otherwise than leafs: each is told its own, and proven by it."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from tests.cli.calling import call
from tests.unit.proof.qos.rendered import RAIL_OPTIMIZED, rendered

from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.model.fabric.topology import Role
from fabricgen.prove.qos.expected import Expected

PROFILE = "  roce: {profile: arista-ai}"
LEAF, SPINE = "be-su01-leaf1", "be-spine1"
POINTS = {
    "eos": ("eos.cfg", "minimum-threshold {} bytes maximum-threshold {} bytes"),
    "linux": ("etc/fabricgen/tc.batch", "min {} max {}"),
}
MODELS = {"eos": "7060X6-64PE", "linux": "SN4700"}
OF_LEAFS, OF_SPINES = (256_000, 512_000), (512_000, 768_000)


@pytest.mark.parametrize("platform", POINTS)
def test_leafs_and_spines_have_marking_points_of_their_own(platform: str) -> None:
    made = rendered(RAIL_OPTIMIZED, platform, MODELS[platform], "400G", PROFILE)
    assert not made.verified().findings
    path, words = POINTS[platform]
    leaf, spine = made.switch(LEAF), made.switch(SPINE)
    assert words.format(*OF_LEAFS) in made.files[leaf][path]
    assert words.format(*OF_SPINES) in made.files[spine][path]
    for switch, own, other in ((leaf, OF_LEAFS, OF_SPINES), (spine, OF_SPINES, OF_LEAFS)):
        found = made.said(switch, path, words.format(*own), words.format(*other), -1)
        assert any("{:,} to {:,} bytes".format(*other) in each for each in found)


def test_the_report_and_the_model_have_both(tmp_path: Path) -> None:
    text = RAIL_OPTIMIZED.format(platform="eos", model="7060X6-64PE", speed="400G", more=PROFILE)
    (tmp_path / "site.yaml").write_text(text)
    said = call("lossless", str(tmp_path)).out
    assert "backend: common to all switches and NICs, except ECN marking\n" in said
    assert "  ECN on 400G: 256,000 to 512,000 bytes, 100 %\n" in said
    assert "  ECN of spines on 400G: 512,000 to 768,000 bytes, 100 %\n" in said
    assert "Kmin below Kmax, 400G: 512,000 < 768,000" in said
    plans = json.loads(call("lossless", str(tmp_path), "--format", "json").out)["marking"]
    assert [(plan.get("of"), plan["minimum_bytes"]) for plan in plans["backend"]] == [
        (None, 256_000),
        ("spines", 512_000),
    ]
    (fabric,) = json.loads(call("model", str(tmp_path)).out)["fabrics"]
    (marked,) = [one for one in fabric["queues_of_spines"]["classes"] if one["ecn"]]
    assert marked["ecn"]["400G"]["min_bytes"] == 512_000
    why = call("explain", str(tmp_path), SPINE, "minimum-threshold 512000").out
    assert "Kmin on 400G: set by the intent or by its profile" in why


def test_what_a_port_must_do_depends_on_all_of_its_facts() -> None:
    """The answers of one judge are those of a judge that was asked nothing before."""
    made = rendered(RAIL_OPTIMIZED, "eos", "7060X6-64PE", "400G")
    (fabric,) = made.site.fabrics
    plans = [None, next(iter(fabric.hosts.values()))]
    known, answers = Expected(fabric), []
    of_leafs = fabric.qos_of(Role.LEAF)
    assert of_leafs is not None
    unwatched = replace(of_leafs, watchdog=None)
    for switch in (made.switch("be-su01-leaf1"), made.switch("be-spine1")):
        for shape in (switch, replace(switch, ports=switch.ports[1:])):
            for speed, length, nics, to_server, shut in product(
                (BitsPerSecond(400 * 10**9), BitsPerSecond(200 * 10**9)),
                (Meters(5), Meters(40)),
                plans,
                (False, True),
                (False, True),
            ):
                qos = fabric.qos_of(switch.role)
                assert qos is not None
                for classes in (qos, unwatched):
                    facts = (shape, classes, speed, length, nics, to_server, shut)
                    answers.append((known.wanted(*facts), Expected(fabric).wanted(*facts)))
    assert all(repr(one) == repr(other) for one, other in answers)
