"""What a slice needs of its platform, and the place of the intent that asks for it."""

import pytest
from tests.nos.claims import TUNNELS, pieces

from fabricgen.intent.paths import known
from fabricgen.nos.features import Feature, needs

ASKED = {
    Feature.HASH_FIELDS: "backend load_balancing hash",
    Feature.QUEUE_PAIR_HASH: "backend load_balancing hash",
    Feature.SPRAY: "backend load_balancing mode",
    Feature.EXTERNAL: "tenants red vrfs red external isp",
    Feature.LEAKS: "tenants red vrfs red import_routes blue",
    Feature.RAIL_SUBNET: "backend nic_addressing mode",
    Feature.MANAGEMENT_VRF: "site management vrf",
    Feature.SNMP: "site management snmp",
    Feature.USERS: "site management users",
    Feature.DOMAIN: "site management domain",
    Feature.COLLECTORS: "site management gnmi collectors",
}


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
def test_every_feature_is_asked_for_by_a_place_that_the_schema_has(platform: str) -> None:
    wanted = [needs(switch_slice) for _, switch_slice, _ in pieces(platform)]
    assert [(f, p) for each in wanted for f, p in each.items() if not known(p)] == []
    assert {feature for each in wanted for feature in each} == set(Feature)


@pytest.mark.parametrize("feature", ASKED)
def test_a_feature_cites_the_key_that_asks_for_it(feature: Feature) -> None:
    """Of sites of one fabric; that of two has its keys elsewhere."""
    one = (switch_slice for name, switch_slice, _ in pieces("eos") if name != TUNNELS)
    paths = {needs(switch_slice).get(feature) for switch_slice in one} - {None}
    assert {" ".join(map(str, path or ())) for path in paths} == {ASKED[feature]}


def test_each_tier_cites_its_own_seed() -> None:
    paths = {
        switch_slice.switch.role.value: needs(switch_slice).get(Feature.HASH_SEED)
        for name, switch_slice, _ in pieces("eos")
        if name == "seeds"
    }
    assert paths == {
        tier: ("backend", "load_balancing", "seeds", tier) for tier in ("leaf", "spine")
    }
