"""The numbers of FRR's sections: timers of BFD and their names, equal paths, hops, places."""

import pytest
from tests.nos.frr.test_frrouting import bgp, neighbors
from tests.nos.linux.switches import rendered, switch

from fabricgen.core.units import Milliseconds
from fabricgen.model.fabric.routing import Bfd
from fabricgen.nos.shared.frr.lower import bfd_profile, profile_name


@pytest.mark.parametrize(
    ("interval", "multiplier", "name", "said"),
    [
        (300, 3, "UNDERLAY", (None, None)),
        (100, 3, "UNDERLAY-100x3", (None, 100)),
        (300, 5, "UNDERLAY-300x5", (5, None)),
        (301, 4, "UNDERLAY-301x4", (4, 301)),
    ],
)
def test_a_profile_says_the_timers_that_are_not_frrs_and_is_named_after_all(
    interval: int, multiplier: int, name: str, said: tuple[int | None, int | None]
) -> None:
    routing = switch("numbered", "be-spine1").switch_slice.routing
    bfd = Bfd(Milliseconds(interval), multiplier)
    profile = bfd_profile(routing, bfd)
    assert profile_name(bfd) == profile.name == name
    assert (profile.multiplier, profile.interval) == said


def test_without_bfd_the_name_is_that_of_the_defaults() -> None:
    assert profile_name(None) == "UNDERLAY"


def test_sessions_between_loopbacks_may_take_three_hops() -> None:
    """One hop is what two neighbors are apart; eBGP counts a loopback as one more, EOS as two."""
    for item in rendered("front"):
        said = [rest for rest in bgp(item).rests("neighbor ") if "multihop" in rest]
        groups = {rest.split()[0] for rest in said}
        assert said == [f"{group} ebgp-multihop 3" for group in sorted(groups)]
        assert groups == {name for name in neighbors(bgp(item)) if name.startswith("EVPN")}


@pytest.mark.parametrize("site", ["numbered", "unnumbered", "front"])
def test_neighbors_stand_by_group_and_in_the_order_of_their_places(site: str) -> None:
    for item in rendered(site):
        told = neighbors(bgp(item))
        peers = [name for name, words in told.items() if "remote-as" in words]
        sessions = {session.peer.name: session for session in item.switch_slice.sessions}
        assert sessions
        groups = [told[name]["peer-group"] for name in peers]
        numbered = [name for name in peers if name[0].isdigit()]
        for kind in (numbered, [name for name in peers if name not in numbered]):
            by_group = [told[name]["peer-group"] for name in kind]
            assert by_group == sorted(by_group)
        assert len(groups) == len(item.switch_slice.sessions)
        for group in set(groups):
            own = [name for name in numbered if told[name]["peer-group"] == group]
            values = [tuple(map(int, name.split("."))) for name in own]
            assert values == sorted(values)
