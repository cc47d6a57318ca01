"""Facts that a site adds to a model or chip of the catalog: what is taken, and what is refused."""

from textwrap import dedent

import pytest

from fabricgen.intent.own_catalog import own_catalog
from fabricgen.model.catalog.catalog import SHIPPED, Catalog
from fabricgen.model.catalog.skus import Sku
from fabricgen.model.catalog.switches import running_as
from fabricgen.model.catalog.targets import target_of

FAR, BARE, WIDE, CHIPS = (
    "catalog/switches/arista-7050cx3-32s.yaml",
    "catalog/switches/asterfusion-cx732q-n.yaml",
    "catalog/switches/nvidia-sn5640.yaml",
    "catalog/asics.yaml",
)
LONG = "[100000, 400, 1248, 2288, 320000, 0, 2288]"
POOLS = """
        pools:
          ingress_lossless_pool: {size: 51691264, xoff: 17708800, mode: dynamic}
          egress_lossless_pool: {size: 70565632, mode: static}
          source: "our vendor, case 9"
"""
PROFILES = """
        profiles:
          egress_lossless_profile: {pool: ingress_lossless_pool, size: 0, static_th: 10243072}
          ingress_lossy_profile: {pool: ingress_lossless_pool, size: 0, static_th: 10243072}
          egress_lossy_profile: {pool: egress_lossless_pool, size: 1518, dynamic_th: 2}
"""


def far(rows: str = LONG, more: str = "", sku: str = "Arista-7050CX3-32S-C32") -> str:
    """Return a file that adds headroom rows to a hwsku that has others."""
    return dedent(f"""\
        model: 7050CX3-32S
        source: "our vendor, case 4711"
        platforms: {{sonic: {{skus: {{{sku}: {{headroom: [{rows}]{more}}}}}}}}}
        """)


def bare(figures: str = POOLS + PROFILES) -> str:
    """Return a file that adds pools to a hwsku without them."""
    head = 'model: CX732Q-N\nsource: "our vendor, case 9"\nplatforms:\n  sonic:\n    skus:\n'
    return f"{head}      CX732Q-N:{figures}"


def catalog(**texts: str) -> Catalog:
    brought = own_catalog(texts)
    assert not brought.findings
    return brought.catalog


def sku(known: Catalog, model: str, name: str, role: str = "leaf", release: str = "") -> Sku:
    there = running_as(known.known(model), None, target_of(role, release))
    return next(each for each in there.skus["sonic"] if each.name == name)


def said(name: str, text: str) -> list[str]:
    return [
        f"{item.position} {item.code} {item.message}" for item in own_catalog({name: text}).findings
    ]


def test_a_row_stands_beside_the_shipped_rows_and_is_told_from_them() -> None:
    known = catalog(**{FAR: far()})
    mine, theirs = (sku(each, "7050CX3-32S", "Arista-7050CX3-32S-C32") for each in (known, SHIPPED))
    assert mine.rows[: len(theirs.rows)] == theirs.rows
    (added,) = mine.rows[len(theirs.rows) :]
    assert (added.own, added.length, added.headroom) == (True, 400, 320_000)
    assert (added.source, mine.own, theirs.own) == (*("our vendor, case 4711",) * 2, "")
    assert (mine.pools, mine.profiles) == (theirs.pools, theirs.profiles)
    assert not mine.own_pool


def test_pools_and_profiles_make_a_bare_hwsku_lossless() -> None:
    known = catalog(**{BARE: bare()})
    mine, theirs = (sku(each, "CX732Q-N", "CX732Q-N") for each in (known, SHIPPED))
    assert (mine.lacks, mine.own_pool, mine.keeps_some) == (None, True, True)
    assert theirs.lacks is not None
    assert mine.pool is not None
    assert mine.pool.source == "the site's own figure"
    assert mine.rows == theirs.rows


def test_pools_without_a_lossless_one_leave_the_hwsku_as_it_was() -> None:
    pools = "\n        pools:\n          egress_lossless_pool: {size: 9, mode: static}\n"
    known = catalog(**{BARE: bare(f'{pools}          source: "our vendor, case 9"\n')})
    assert sku(known, "CX732Q-N", "CX732Q-N").lacks == "no buffers template of this hwsku was found"


@pytest.mark.parametrize(
    ("limit", "having"),
    [
        ("releases: ['202411']", {("leaf", "202411"), ("spine", "202411")}),
        ("topologies: [t1]", {("spine", "202411"), ("spine", "202605")}),
        ("topologies: [t0], releases: ['202605']", {("leaf", "202605")}),
    ],
)
def test_figures_hold_for_the_releases_and_templates_that_the_site_names(
    limit: str, having: set[tuple[str, str]]
) -> None:
    known = catalog(**{FAR: far(more=f", {limit}")})
    every = {(role, release) for role in ("leaf", "spine") for release in ("202411", "202605")}
    found = {
        target
        for target in every
        if sku(known, "7050CX3-32S", "Arista-7050CX3-32S-C32", *target).own
    }
    assert found == having


def test_targets_differ_in_their_figures() -> None:
    rows = "targets: [{{topologies: [t0], headroom: [{0}]}}, {{topologies: [t1], headroom: [{1}]}}]"
    each = (LONG, LONG.replace("320000", "330000"))
    text = far().replace(f"headroom: [{LONG}]", rows.format(*each))
    known = catalog(**{FAR: text})
    longest = [
        sku(known, "7050CX3-32S", "Arista-7050CX3-32S-C32", role).rows[-1].headroom
        for role in ("leaf", "spine")
    ]
    assert longest == [320_000, 330_000]


def test_a_computing_switch_takes_the_memory_that_its_template_does_not_give_lossless() -> None:
    text = dedent("""\
        model: SN5640
        source: "our vendor, case 12"
        platforms:
          sonic:
            skus:
              Mellanox-SN5640-C512S2:
                pools:
                  egress_lossless_pool: {size: 136209408, mode: dynamic}
                  source: "our vendor, case 12"
        """)
    known = catalog(**{WIDE: text})
    assert sku(SHIPPED, "SN5640", "Mellanox-SN5640-C512S2").lacks is not None
    mine = sku(known, "SN5640", "Mellanox-SN5640-C512S2")
    assert (mine.lacks, mine.own) == (None, "our vendor, case 12")
    rows = f"        headroom: [{LONG}]\n"
    assert any("would have no effect" in line for line in said(WIDE, text + rows))


def test_a_new_hwsku_of_a_model_rests_on_the_site() -> None:
    layout = "layout: {1-32: 1x400G, 33-34: 1x10G}, splits: false"
    figures = bare().replace("CX732Q-N:\n", "CX732Q-OURS:\n        <layout>\n", 1)
    text = figures.replace("<layout>", layout.replace(", splits", "\n        splits"))
    known = catalog(**{BARE: text + f"        headroom: [{LONG}]\n"})
    mine = sku(known, "CX732Q-N", "CX732Q-OURS")
    assert (mine.own, mine.own_pool, mine.rows[0].own) == ("our vendor, case 9", True, True)
    assert sku(known, "CX732Q-N", "CX732Q-N").own == ""
    wrong = text.replace("1-32: 1x400G", "1-32: 1x800G")
    assert any("FG603 cage 1 does not support mode 1x800G" in line for line in said(BARE, wrong))


def test_the_box_gets_what_no_source_had() -> None:
    text = 'model: CX732Q-N\nsource: "our scale"\nrack_units: 1\n'
    text += 'watts: {typical: 500, source: "our meter, 2026"}\n'
    known = catalog(**{BARE: text}).known("CX732Q-N")
    assert (known.rack_units, known.watts and known.watts.typical) == (1, 500)
    more = 'model: SN5600\nwatts: {maximum: 2100, source: "our meter, 2026"}\n'
    watts = catalog(**{"catalog/switches/nvidia-sn5600.yaml": more}).known("SN5600").watts
    assert watts is not None
    assert (watts.typical, watts.maximum) == (940, 2100)
    assert watts.source.endswith("; the site: our meter, 2026")


def test_a_chip_gets_its_cell_in_every_model() -> None:
    text = 'Teralynx7: {packet_buffer: null, cell: 208, source: "our vendor, case 9"}\n'
    known = catalog(**{CHIPS: text})
    chip = known.known("CX732Q-N").chip
    assert chip is not None
    assert (chip.cell, chip.packet_buffer, chip.from_site) == (
        208,
        70_570_000,
        "our vendor, case 9",
    )
    assert known.known("CX732Q-N") is known.known("CX732Q-N")
    assert SHIPPED.known("CX732Q-N").chip != chip
    assert known.known("SN5600") is SHIPPED.known("SN5600")


def test_lines_of_eos_are_added_to_those_of_the_catalog() -> None:
    there = SHIPPED.known("7060X6-64PE").platforms["eos"]
    line = '{confidence: vendor statement, source: "our vendor, case 3"}'
    text = 'model: 7060X6-64PE\nsource: "our vendor, case 3"\nplatforms: {eos: {gateway: {tunnels: '
    assert "gateway" not in there
    known = catalog(**{"catalog/switches/arista-7060x6-64pe.yaml": f"{text}{line}}}}}}}\n"})
    mine = known.known("7060X6-64PE").platforms["eos"]
    assert mine == {**there, "gateway": mine["gateway"]}
    assert mine["gateway"]["tunnels"]["confidence"] == "vendor statement"


SHORT = LONG.replace("400,", "300,", 1)
REFUSED = {
    "contradicts a row": (FAR, far(SHORT), "FG364 the row of 100000 Mbit/s and 300 m is"),
    "wrong unit": (FAR, far(LONG.replace("100000", "100", 1)), "first number is Mbit/s"),
    "no such hwsku": (FAR, far(sku="Arista-7050CX3"), "FG105 hwsku Arista-7050CX3 is not"),
    "no such model": (
        FAR,
        far().replace("model: 7050", "model: 7051"),
        "FG105 model '7051CX3-32S'",
    ),
    "no source": (FAR, far().replace("source", "#"), "FG102 the key 'source' is missing"),
    "no such release": (FAR, far(more=", releases: ['209901']"), "FG603 no release and template"),
    "adds nothing": (FAR, far("[100000, 300, 4608, 4608, 160000, 0, 4608]"), "FG106 the facts of"),
    "text for bytes": (BARE, bare().replace("70565632", "70 MB"), "FG103 platforms.sonic.skus"),
    "more than the chip": (
        BARE,
        bare().replace("70565632", "705656320"),
        "FG603 705,656,320 bytes",
    ),
    "headroom is the pool": (BARE, bare().replace("17708800", "51691264"), "must be a part of"),
    "no pool": (
        BARE,
        bare().replace("egress_lossless_pool, size", "lossy_pool, size"),
        "no pool lossy",
    ),
    "no profiles": (BARE, bare(POOLS), "FG603 the profile ingress_lossy_profile is missing"),
    "whole model again": (
        BARE,
        bare() + "vendor: Asterfusion\n",
        "FG102 the key 'cages' is missing",
    ),
    "height": (
        "catalog/switches/nvidia-sn5600.yaml",
        'model: SN5600\nsource: "our scale"\nrack_units: 3\n',
        "FG364 rack_units is 2 in the catalog, not 3",
    ),
    "watts": (
        "catalog/switches/nvidia-sn5600.yaml",
        'model: SN5600\nwatts: {typical: 900, source: "our meter"}\n',
        "FG364 typical is 940 in the catalog (NVIDIA SN5000 data sheet",
    ),
    "latency": (
        "catalog/switches/arista-7060x6-64pe.yaml",
        'model: 7060X6-64PE\nlatency: {nanoseconds: 1, source: "our lab, 2026"}\n',
        "FG364 nanoseconds is 700 in the catalog (Arista",
    ),
    "platform": (
        BARE,
        'model: CX732Q-N\nsource: "our lab, 2026"\nplatforms: {sonic: {platform: x86_64-acme}}\n',
        "FG364 platform is x86_64-asterfusion_cx732q_n-r0 in the catalog, not x86_64-acme",
    ),
    "driver": (
        "catalog/switches/nvidia-sn5600.yaml",
        'model: SN5600\nplatforms: {linux: {driver: acme, source: "our lab, 2026"}}\n',
        "FG364 driver is mlxsw in the catalog, not acme",
    ),
    "chip": (
        CHIPS,
        'Tomahawk5: {packet_buffer: 1, cell: null, source: "our lab, 2026"}\n',
        "FG364 packet_buffer is 167,546,528 in the catalog, not 1",
    ),
    "chip queues": (
        CHIPS,
        'Teralynx7: {packet_buffer: null, cell: 208, voq: true, source: "our lab, 2026"}\n',
        "FG364 voq is False in the catalog, not True",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_contradicts_or_cannot_be_is_refused_and_nothing_of_it_is_taken(case: str) -> None:
    name, text, wanted = REFUSED[case]
    found = said(name, text)
    assert any(wanted in line for line in found), found
    assert all(line.startswith(f"{name}:") for line in found)
    known = own_catalog({name: text}).catalog
    assert not known.own_switches
    assert not known.own_asics


def test_two_files_do_not_both_add_to_a_hwsku() -> None:
    again = "catalog/switches/our-7050cx3-32s.yaml"
    found = own_catalog({FAR: far(), again: far(LONG.replace("400,", "500,", 1))}).findings
    (message,) = (item.message for item in found)
    assert message.endswith("is in the catalog already: keep only its packet memory, in one file")
