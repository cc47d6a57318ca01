"""A switch in a step of a change, beside its design, as each platform writes it and is read."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from fabricgen.compile.compiler import compile_site, files_of
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.sandbox import renderer
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.transition import AS_DESIGNED, Transition
from fabricgen.nos.registry import nos
from fabricgen.prove.written import prove

INTENT = Path(__file__).parents[2] / "intent"
PLATFORMS = ("eos", "linux", "sonic")
BOTH = Transition(imports=(64000, 64001), exports=(64000, 64001), asn=4_100_000_000)


@lru_cache(maxsize=8)
def slicer(platform: str) -> Slicer:
    made = compile_site(load_site(INTENT / "lab"), platform)
    assert made.site is not None
    return Slicer(made.site.fabrics[0])


def cut(platform: str, name: str, kept: Transition) -> SwitchSlice:
    of = slicer(platform)
    switch = next(item for item in of.fabric.topology.switches if item.name == name)
    return of.slice(switch, kept)


def files(switch_slice: SwitchSlice) -> dict[str, str]:
    made = files_of(switch_slice, renderer(()))
    return {file.path.split("/", 2)[2]: file.text for file in made}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_route_targets_of_before_and_after_are_written_and_read_back(platform: str) -> None:
    switch_slice = cut(platform, "fe-leaf01", BOTH)
    text = "\n".join(files(switch_slice).values())
    for vni in (10010, 50001):
        taken = [line for line in text.splitlines() if "import" in line and f":{vni}" in line]
        sent = [line for line in text.splitlines() if "export" in line and f":{vni}" in line]
        assert (len(taken), len(sent)) == (3, 2)
        assert sent[0].endswith(f"64000:{vni}")
    assert "router bgp 4100000000" in text
    assert prove(switch_slice, files(switch_slice)).findings == ()


@pytest.mark.parametrize("platform", ["linux", "sonic"])
def test_a_peer_may_have_any_asn(platform: str) -> None:
    assert nos(platform).any_asn is None
    switch_slice = cut(platform, "fe-spine1", Transition(strangers=frozenset({"fe-leaf01"})))
    frr = next(text for path, text in files(switch_slice).items() if path.endswith("frr.conf"))
    assert frr.count("remote-as external") == 2  # the link's session and that of EVPN
    assert prove(switch_slice, files(switch_slice)).findings == ()


def test_eos_says_that_it_cannot() -> None:
    no = nos("eos").any_asn
    assert no is not None
    assert "`remote-as` needs a number" in no.why


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("kept", [Transition(exports=(64000,)), Transition(imports=(64000,))])
def test_what_is_kept_is_no_longer_the_design(platform: str, kept: Transition) -> None:
    """Reading back tells a switch in a step from one that is done."""
    design = cut(platform, "fe-leaf01", AS_DESIGNED)
    assert prove(design, files(cut(platform, "fe-leaf01", kept))).findings != ()


def test_leafs_that_keep_the_same_share_what_they_render_from() -> None:
    one, other = (cut("linux", name, replace(BOTH)) for name in ("fe-leaf01", "fe-leaf02"))
    assert one.overlay is other.overlay
    assert one.overlay != cut("linux", "fe-leaf01", AS_DESIGNED).overlay


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_drained_spine_offers_every_way_as_longer_than_any_other(platform: str) -> None:
    """Five ASNs: its own, that of who it heard it from, and three times its own again."""
    design, drained = (
        cut(platform, "fe-spine1", kept) for kept in (AS_DESIGNED, Transition(drained=True))
    )
    told = [line for text in files(drained).values() for line in text.splitlines()]
    own = str(drained.asn)
    assert [line.split() for line in told if "prepend" in line] == [
        ["set", "as-path", "prepend", own, own, own]
    ]
    assert prove(drained, files(drained)).findings == ()
    assert prove(design, files(drained)).findings != ()
    assert prove(drained, files(design)).findings != ()


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_link_may_keep_its_addresses_and_a_peer_its_asn(platform: str) -> None:
    design = cut(platform, "fe-leaf01", AS_DESIGNED)
    (session,) = (
        each for each in design.sessions if each.peer.name == "fe-spine1" and not each.overlay
    )
    if session.local is None or session.remote is None:
        pytest.skip("the links of this site have no addresses")
    instead = {session.local.host: "192.0.2.1", session.remote.host: "192.0.2.0"}
    kept = Transition(addresses=instead, asns={"fe-spine1": 65_001})
    switch_slice = cut(platform, "fe-leaf01", kept)
    text = "\n".join(files(switch_slice).values())
    assert "192.0.2.1/31" in text
    assert session.local.host not in text
    assert text.count("65001") >= 2  # the link's session and that of EVPN
    assert prove(switch_slice, files(switch_slice)).findings == ()
    assert prove(design, files(switch_slice)).findings != ()
