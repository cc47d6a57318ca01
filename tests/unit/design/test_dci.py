"""Links between sites: both ends agree, on every platform, and what cannot be joined is said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid

from fabricgen.compiler import Compiled, compile_site, files
from fabricgen.design.dci import hours_of
from fabricgen.diagnostics import Code
from fabricgen.fabric.external import ExternalPeer
from fabricgen.intent.load import load_texts
from fabricgen.intent.model.dci import Transfer
from fabricgen.reach.evidence import rendered, walk
from fabricgen.reach.matrix import cases
from fabricgen.reach.model import Model
from fabricgen.reach.packet import Outcome
from fabricgen.reach.stations import stands


def compiled(platform: str | None = None, **link: Any) -> Compiled:
    """Compile the two halls of tests/keys, with other words of their link."""
    site = laid(SITES["joined"], {"dci": {"wan": link}})
    return compile_site(load_texts({"site.yaml": json.dumps(site)}), platform)


def ends(result: Compiled) -> dict[str, list[ExternalPeer]]:
    """Return the sessions between the sites, by leaf."""
    assert result.site is not None
    found: dict[str, list[ExternalPeer]] = {}
    for fabric in result.site.fabrics:
        assert fabric.overlay is not None
        for leaf, peers in fabric.overlay.external.items():
            found.setdefault(leaf, []).extend(peers)
    return found


def test_each_end_is_what_the_other_expects() -> None:
    result = compiled()
    assert result.ok, result.findings
    east, west = (ends(result)[leaf] for leaf in ("east-leaf01", "west-leaf02"))
    assert len(east) == len(west) == 2
    for mine, theirs in zip(east, west, strict=True):
        assert mine.local == theirs.remote
        assert mine.remote == theirs.local
        assert mine.peer_asn == theirs.border.local_asn
        assert theirs.peer_asn == mine.border.local_asn
        assert mine.interface.tag == theirs.interface.tag == 101
        assert [rule.prefix.network for rule in mine.accept] == [
            rule.prefix.network for rule in theirs.announce
        ]
        assert [rule.prefix.network for rule in theirs.accept] == [
            rule.prefix.network for rule in mine.announce
        ]


@pytest.mark.parametrize("platform", ["eos", "linux"])
def test_ways_between_sites_are_not_known_to_either_engine(platform: str) -> None:
    result = compiled(platform)
    assert result.site is not None
    every = list(stands(result.site))
    second = walk(result.site, [each.station for each in every], rendered(result.site))
    between = [
        case
        for case in cases(every, every, Model(result.site, every), second)
        if case.one.fabric is not case.other.fabric
    ]
    assert between
    outcomes = {each.outcome for case in between for each in (case.model, case.written)}
    assert outcomes == {Outcome.UNKNOWN}


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
def test_every_platform_writes_the_session(platform: str) -> None:
    result = compiled(platform)
    assert result.ok, result.findings
    assert result.site is not None
    texts = [
        file.text
        for owner, group in files(result.site)
        if owner.name == "east-leaf01"
        for file in group
    ]
    assert any("neighbor 10.250.0.203 remote-as 64802" in text for text in texts)
    assert any("permit 172.21.0.0/24" in text for text in texts)


@pytest.mark.parametrize(
    ("link", "code", "words"),
    [
        ({"vrfs": {"blue": 7}}, Code.UNKNOWN_REFERENCE, "no tenant of east has a VRF blue"),
        ({"ends": {"west": None, "wets": {}}}, Code.MISSING_KEY, "leaf"),
        (
            {"ends": {"west": None, "wets": {"leaf": 1, "cages": "20", "asn": 64_802}}},
            Code.UNKNOWN_REFERENCE,
            "no fabric of kind evpn is called 'wets'",
        ),
        ({"pool": "10.250.0.0/24"}, Code.BAD_VALUE, "needs a /19 at least"),
        ({"rate": "10G"}, Code.DEMAND_ABOVE_CAPACITY, "backup takes 13.9 hours over wan"),
        ({"rate": None}, Code.MISSING_KEY, "`transfers` need the `rate`"),
        ({"mtu": 1500}, Code.MTU_BROKEN, "and wan carries 1500"),
        ({"ends": {"west": {"cages": "1"}}}, Code.PORT_USED_TWICE, "for the servers"),
        ({"ends": {"west": {"asn": 4_201_000_000}}}, Code.ASN_CLASH, "also that of east-leaf01"),
    ],
)
def test_what_cannot_be_joined_is_said(link: dict[str, Any], code: Code, words: str) -> None:
    found = [item for item in compiled(**link).findings if item.code == code]
    assert any(words in item.message for item in found), found


def test_a_name_is_that_of_one_way_out() -> None:
    peer = {"leaf": 1, "cage": 19, "address": "192.0.2.0/31", "peer": "192.0.2.1", "asn": 64_500}
    own = {"red-east": {"vrfs": {"red": {"external": {"wan": peer}}}}}
    site = laid(SITES["joined"], {"tenants": own})
    found = compile_site(load_texts({"site.yaml": json.dumps(site)})).findings
    assert "the VRF red of red-east has an external peer wan of its own" in {
        item.message for item in found
    }


def test_hours_follow_from_the_rate() -> None:
    words = {"terabytes": 100.0, "hours": 6.0, "efficiency": 0.5}
    assert hours_of(Transfer.model_validate(words), 100) == pytest.approx(4.444, abs=0.001)
