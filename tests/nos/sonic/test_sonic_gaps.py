"""From slices that SONiC cannot serve in full: that it says so, and how loudly."""

from dataclasses import replace

import pytest
from tests.nos.sonic.switches import FRONTEND, HEAD, RAIL_ONLY, SONIC, rendered, slices

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.nos.features import Feature
from fabricgen.nos.lowering import spell
from fabricgen.nos.sonic.buffers import headroom_rows
from fabricgen.nos.sonic.facts import sku_of
from fabricgen.nos.sonic.lower import lower_config_db

SAME = "Arista-7060X6-64PE-O128S2, Arista-7060X6-64PE-O128"
OWN = "or add your vendor's figures to `catalog/switches`"


def test_every_feature_has_an_answer() -> None:
    assert set(SONIC.capabilities) == set(Feature)


@pytest.mark.parametrize(
    ("site", "words"),
    [
        ("rail-only-sn5600", None),
        ("backend-7060x6", None),
        ("backend-7060x6-faster", "so RoCE would be dropped"),
        ("rail-only-7060dx5", "ships no packet memory for lossless"),
        ("frontend-7060dx5", None),  # nothing lossless there, so nothing is lacking
    ],
)
def test_lossless_without_known_memory_is_an_error(site: str, words: str | None) -> None:
    said = [gap for switch in rendered(site) for gap in SONIC.gaps(switch.switch_slice)]
    found = [gap.message for gap in said if gap.severity is Severity.ERROR]
    assert bool(found) == (words is not None)
    assert all(words is not None and words in message for message in found)


def test_ports_that_no_hwsku_has_are_an_error_with_the_nearest() -> None:
    """Its platform.json names no interfaces, so no cage of it can be split."""
    (switch_slice, *_) = slices(HEAD + RAIL_ONLY.format(model="Z9664F-ON", speed="200G", more=""))
    (gap,) = [gap for gap in SONIC.gaps(switch_slice) if "no hwsku has" in gap.message]
    assert gap.severity is Severity.ERROR
    assert gap.path == ("backend", "leaf", "model")
    assert gap.message == (
        "SONiC on Z9664F-ON: no hwsku has 64 x 2x200G and 2 x 1x10G (nearest: "
        "DellEMC-Z9664f-O64 has 64 x 1x400G and 2 x 1x10G)"
    )


def test_a_lossless_class_without_packet_memory_names_hwskus_that_have_one() -> None:
    text = HEAD + RAIL_ONLY.format(model="7060X6-64PE", speed="800G", more="")
    (switch_slice, *_) = slices(text)
    (gap,) = [g for g in SONIC.gaps(switch_slice) if g.code is Code.LOSSLESS_NOT_SHIPPED]
    assert gap.hint == (
        "hwskus with other ports have packet memory: "
        "Arista-7060X6-64PE-256x200G (64 x 4x200G and 2 x 1x10G), "
        "Arista-7060X6-64PE-O128S2 (64 x 2x400G and 2 x 1x10G), "
        f"Arista-7060X6-64PE-O128 (64 x 2x400G and 2 x 1x10G); {OWN}"
    )


def gaps_as(hwsku: str, *, speed: str = "400G", meters: int = 5) -> list[Diagnostic]:
    """Return the errors of a 7060X6-64PE with ports of a speed that runs as a hwsku."""
    frame = RAIL_ONLY.replace("platform: sonic", f"platform: sonic, hwsku: {hwsku}")
    frame = frame.replace("nic_speed: {speed}", f"nic_speed: {{speed}}, cable_length: {meters}")
    (switch_slice, *_) = slices(HEAD + frame.format(model="7060X6-64PE", speed=speed, more=""))
    return [gap for gap in SONIC.gaps(switch_slice) if gap.severity is Severity.ERROR]


def test_a_hwsku_that_is_named_is_the_one_that_it_runs_as() -> None:
    assert not gaps_as("Arista-7060X6-64PE-O128S2")
    (gap,) = gaps_as("Arista-7060X6-64PE")
    assert "hwsku Arista-7060X6-64PE ships no packet memory for lossless traffic" in gap.message
    assert gap.hint == f"use a hwsku with these ports and packet memory: {SAME}; {OWN}"


def test_a_hwsku_that_computes_its_pools_has_no_lossless_class_where_it_lacks_memory() -> None:
    (switch_slice, *_) = slices(HEAD + RAIL_ONLY.format(model="SN5600", speed="400G", more=""))
    assert not [gap for gap in SONIC.gaps(switch_slice) if gap.severity is Severity.ERROR]
    model = switch_slice.switch.model
    sonic = model.platforms["sonic"]
    skus = {name: {**sku, "lacks": "nobody read it"} for name, sku in sonic["skus"].items()}
    bare = replace(model, platforms={"sonic": {**sonic, "skus": skus}})
    lacking = replace(switch_slice, switch=replace(switch_slice.switch, model=bare))
    (gap,) = [gap for gap in SONIC.gaps(lacking) if gap.severity is Severity.ERROR]
    assert "no packet memory for lossless traffic as t0 in 202605 (nobody read it)" in gap.message
    assert gap.hint == f"no other hwsku of this model has packet memory; {OWN}"
    assert gap.code is Code.LOSSLESS_NOT_SHIPPED


def test_a_hwsku_without_the_ports_is_refused_with_those_that_have_them() -> None:
    frame = RAIL_ONLY.replace("platform: sonic", "platform: sonic, hwsku: Arista-7050CX3-32S-C32")
    frame = frame.format(model="7050CX3-32S", speed="25G", more="  roce: {enabled: false}")
    (switch_slice, *_) = slices(HEAD + frame)
    (gap,) = [gap for gap in SONIC.gaps(switch_slice) if gap.severity is Severity.ERROR]
    assert "hwsku Arista-7050CX3-32S-C32 does not have 32 x 4x25G" in gap.message
    assert gap.path == ("backend", "leaf", "hwsku")
    assert gap.hint.startswith("hwskus with these ports: Arista-7050CX3-32S")


def test_headroom_that_a_hwsku_lacks_for_a_speed_is_that_of_another() -> None:
    (gap,) = gaps_as("Arista-7060X6-64PE-256x200G")
    assert "no headroom for 400G and 5 m of cable" in gap.message
    assert gap.hint == f"use a hwsku with these ports and packet memory: {SAME}"


@pytest.mark.parametrize(
    ("release", "model", "speed", "code"),
    [
        ("202405", "7060X6-64PE", "400G", Code.LOSSLESS_NOT_SHIPPED),
        ("202411", "7060X6-64PE", "400G", Code.LOSSLESS_NOT_SHIPPED),
        ("202505", "7060X6-64PE", "400G", None),
        ("master", "7060X6-64PE", "400G", None),
        ("202511", "Z9864F-ON", "400G", Code.HWSKU_NOT_IN_RELEASE),
        ("202605", "Z9864F-ON", "400G", None),
        ("202405", "SN5600", "400G", None),
        ("202405", "SN5640", "400G", Code.HWSKU_NOT_IN_RELEASE),
        ("master", "SN5640", "400G", Code.LOSSLESS_NOT_SHIPPED),
        ("202505", "SN5640", "400G", Code.LOSSLESS_NOT_SHIPPED),
        ("202405", "S5232F-ON", "100G", None),
        ("202405", "7220-IXR-H5-64D", "400G", None),
        ("202605", "NH-4210-F", "800G", Code.HWSKU_NOT_IN_RELEASE),
        ("master", "NH-4210-F", "800G", Code.LOSSLESS_NOT_SHIPPED),
    ],
)
def test_a_release_that_does_not_ship_a_lossless_hwsku_is_refused(
    release: str, model: str, speed: str, code: Code | None
) -> None:
    text = HEAD + RAIL_ONLY.format(model=model, speed=speed, more="")
    (switch_slice, *_) = slices(text, f"sonic:{release}")
    found = [gap for gap in SONIC.gaps(switch_slice) if gap.severity is Severity.ERROR]
    assert bool(found) == (code is not None)
    assert code is None or code in {gap.code for gap in found}
    assert all(release in gap.message for gap in found)


def test_a_hwsku_that_no_switch_of_the_release_has_names_those_that_do() -> None:
    text = HEAD + RAIL_ONLY.format(model="SN5640", speed="400G", more="")
    (switch_slice, *_) = slices(text, "sonic:202405")
    (gap,) = [g for g in SONIC.gaps(switch_slice) if g.code is Code.HWSKU_NOT_IN_RELEASE]
    assert gap.message == "SONiC 202405 on SN5640 does not have the hwsku Mellanox-SN5640-O128X2"
    assert gap.hint == "use a release with this hwsku: 202511, 202605, master"


def test_servers_at_25g_make_another_hwsku_of_a_box_than_fixed_ports() -> None:
    """C32 has fixed ports of 100G; the hwsku that can be split has no packet memory."""
    for speed, hwsku in (("25G", "Arista-7050CX3-32S"), ("100G", "Arista-7050CX3-32S-C32")):
        text = HEAD + FRONTEND.format(model="7050CX3-32S", speed=speed, more="")
        leaf = next(switch_slice for switch_slice in slices(text) if switch_slice.switch.is_leaf)
        assert not [gap for gap in SONIC.gaps(leaf) if gap.severity is Severity.ERROR]
        tables = lower_config_db(leaf, spell).tables
        assert tables["DEVICE_METADATA"]["localhost"]["hwsku"] == hwsku
        modes = {str(row["brkout_mode"]) for row in tables.get("BREAKOUT_CFG", {}).values()}
        assert modes == ({"4x25G[10G]"} if speed == "25G" else set())
        assert ("BUFFER_POOL" in tables) == (speed == "100G")


def test_a_cable_longer_than_every_row_gets_the_computed_headroom() -> None:
    far = "servers: {{count: 8, gpus: 4, nic_speed: 400G, cable_length: 400}}"
    frame = RAIL_ONLY.replace("servers: {{count: 8, gpus: 4, nic_speed: {speed}}}", far)
    (switch_slice, *_) = slices(HEAD + frame.format(model="Z9664F-ON", more=""))
    assert not [gap for gap in SONIC.gaps(switch_slice) if gap.severity is Severity.ERROR]
    assert switch_slice.buffers is not None
    planned = switch_slice.buffers.port(BitsPerSecond.parse("400G"), Meters(400))
    assert planned is not None
    (row,) = set(headroom_rows(switch_slice, sku_of(switch_slice)).values())
    assert row is not None
    assert (row.length, row.headroom) == (400, planned.headroom)


def test_another_name_for_the_management_vrf_is_said() -> None:
    head = HEAD.replace("subnet: 10.255.0.0/22", "subnet: 10.255.0.0/22\n    vrf: oob")
    (switch_slice, *_) = slices(head + RAIL_ONLY.format(model="SN5600", speed="400G", more=""))
    (gap,) = [gap for gap in SONIC.gaps(switch_slice) if gap.path == ("site", "management", "vrf")]
    assert gap.severity is Severity.WARNING
    assert "the management VRF of SONiC is always mgmt, never oob" in gap.message


def test_a_model_without_lanes_is_refused_with_its_reason() -> None:
    (switch_slice, *_) = slices(
        HEAD
        + RAIL_ONLY.format(model="7280R4-32QF-32DF", speed="400G", more="  roce: {enabled: false}")
    )
    (gap,) = SONIC.gaps(switch_slice)
    assert "virtual output queues (core_id, num_voq)" in gap.message


@pytest.mark.parametrize(
    ("site", "release", "said"),
    [
        ("backend-7060x6", "202405", 1),
        ("backend-7060x6", "202411", 0),
        ("rail-only-7060dx5", "202605", 1),
        ("frontend-7060dx5", "202605", 0),  # nothing lossless there: no table is guarded
    ],
)
def test_an_asic_that_the_updater_does_not_know_is_said_before_the_second_day(
    site: str, release: str, said: int
) -> None:
    switch_slice = rendered(site)[0].switch_slice
    switch_slice = replace(switch_slice, switch=replace(switch_slice.switch, release=release))
    found = [gap for gap in SONIC.gaps(switch_slice) if "does not know the ASIC" in gap.message]
    assert [gap.severity for gap in found] == [Severity.WARNING] * said
    assert all(release in gap.message for gap in found)
