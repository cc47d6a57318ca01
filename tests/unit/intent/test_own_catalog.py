"""Hardware that a site brings: the files that ship are its form, and what cannot be is refused."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent, indent
from typing import get_args

import pytest

from fabricgen.compile.compiler import compile_site, files, slices
from fabricgen.compile.output.inputs import Digests
from fabricgen.core.diagnostics import Code, Diagnostic, has_errors
from fabricgen.intent.load import load_site, load_texts
from fabricgen.intent.model.facts import RateName
from fabricgen.intent.own_catalog import own_catalog
from fabricgen.intent.source import MAX_VALUES
from fabricgen.model import catalog
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.nos.hosts.qos import SHOWN

DATA = Path(catalog.__file__).parent / "data"
SWITCH, NIC, ASICS, OPTICS = (
    "catalog/switches/acme-box-9.yaml",
    "catalog/nics/coyote.yaml",
    "catalog/asics.yaml",
    "catalog/optics.yaml",
)
BARE = "7280R4-32QF-32DF"
"""It ships with a sentence in place of a port map for SONiC."""
STUB = (
    "Stub: {kind: DAC, cages: {OSFP: {1x800G: stub, 2x400G: stub}}, lanes: 8, reach: 2, "
    'less: {2x400G: 1}, media: twinax, source: "Acme, drawing"}\n'
)
CHIP = 'Anvil: {packet_buffer: 167546528, cell: 254, source: "Acme, guide"}\n'
SITE = """
site:
  name: lab
  management: {{subnet: 10.255.0.0/22, ntp: [10.255.0.250, 10.255.0.251]}}
  accept_unsupported: [local-users, pfc-watchdog]
backend:
  design: rail-only
  servers: {{count: 4, gpus: 8, nic_speed: 400G, nic: {nic}}}
  leaf: {{model: {model}, platform: {platform}}}
  roce: {{{roce}}}
"""


def shipped(path: str, **changes: str) -> str:
    """Return a file that ships with other values for some of its first keys."""
    lines = (DATA / path).read_text().splitlines()
    for key, value in changes.items():
        (index,) = (n for n, line in enumerate(lines) if line.startswith(f"{key}:"))
        lines[index] = f"{key}: {value}"
    return "\n".join(lines) + "\n"


def box(**changes: str) -> str:
    """Return a switch as a site brings it: its file with the generated facts of SONiC in it."""
    text = shipped("switches/arista-7060x6-64pe.yaml", **{"model": "Box-9", **changes})
    facts = (DATA / "sonic" / "x86_64-arista_7060x6_64pe.yaml").read_text()
    return text.replace(
        "  sonic: {platform: x86_64-arista_7060x6_64pe}\n", f"  sonic:\n{indent(facts, '    ')}"
    )


COYOTE = shipped("nics/connectx-7.yaml", model="coyote")
"""What a NIC's file says that runs commands on a server is held against its own words."""


def site(
    *, model: str = "Box-9", nic: str = "connectx-7", platform: str = "linux", roce: str = ""
) -> str:
    return SITE.format(model=model, nic=nic, platform=platform, roce=roce)


def said(texts: Mapping[str, str]) -> list[str]:
    """Return what is wrong with the files of a catalog: place, code and sentence."""
    return [spoken(item) for item in own_catalog(texts).findings]


def spoken(item: Diagnostic) -> str:
    assert item.position is not None
    assert item.path == ()
    return f"{item.position} {item.code} {item.message}"


@pytest.mark.parametrize(
    "file", sorted((DATA / "switches").glob("*.yaml")), ids=lambda file: file.stem
)
def test_every_file_that_ships_is_a_file_that_a_site_may_bring(file: Path) -> None:
    """Under another name: what ships cannot be brought again."""
    model = next(m for m in SHIPPED.switch_names() if file.stem.endswith(f"-{m.lower()}"))
    text = shipped(f"switches/{file.name}", model=f"{model}-2")
    brought = own_catalog({f"catalog/switches/{file.stem}-2.yaml": text})
    assert not brought.findings
    mine, theirs = brought.catalog.known(f"{model}-2"), SHIPPED.known(model)
    assert (mine.cages, mine.chip, mine.platforms.keys()) == (
        theirs.cages,
        theirs.chip,
        theirs.platforms.keys(),
    )
    assert {name: len(skus) for name, skus in mine.skus.items()} == {
        name: len(skus) for name, skus in theirs.skus.items()
    }


@pytest.mark.parametrize("file", sorted((DATA / "nics").glob("*.yaml")), ids=lambda f: f.stem)
def test_every_nic_that_ships_is_a_file_that_a_site_may_bring(file: Path) -> None:
    name = f"{file.stem}-2"
    brought = own_catalog({f"catalog/nics/{name}.yaml": shipped(f"nics/{file.name}", model=name)})
    assert not brought.findings
    mine, theirs = brought.catalog.nic(name), SHIPPED.nic(file.stem)
    assert mine is not None
    assert theirs is not None
    assert (mine.ports, mine.speeds, mine.split) == (theirs.ports, theirs.speeds, theirs.split)


def test_the_chips_that_ship_may_be_brought_by_another_name() -> None:
    lines = (DATA / "asics.yaml").read_text().splitlines()
    text = "\n".join(
        line.replace('":', ' 2":').replace(":", " 2:", 1 if not line.startswith('"') else 0)
        if line and not line.startswith((" ", "#"))
        else line
        for line in lines
    )
    assert not said({ASICS: text})


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
def test_a_model_of_a_site_renders_as_the_one_it_is_a_copy_of(platform: str) -> None:
    """Nothing but its name tells it from the model that ships."""
    mine = load_texts({"site.yaml": site(platform=platform), SWITCH: box()})
    theirs = load_texts({"site.yaml": site(platform=platform, model="7060X6-64PE")})
    texts = []
    for loaded in (mine, theirs):
        made = compile_site(loaded)
        assert made.ok, [item.message for item in made.findings if has_errors([item])]
        assert made.site is not None
        texts.append([(file.path, file.text) for _, group in files(made.site) for file in group])
    assert texts[0] == texts[1]


def test_a_nic_and_a_chip_of_a_site_count() -> None:
    brought = {
        SWITCH: box(asic="Anvil"),
        ASICS: CHIP,
        NIC: shipped("nics/connectx-7.yaml", model="coyote", largest_mtu="4200"),
    }
    made = compile_site(load_texts({"site.yaml": site(nic="coyote"), **brought}))
    assert made.ok
    assert made.site is not None
    (fabric,) = made.site.fabrics
    (plan,) = fabric.hosts.values()
    assert plan.model is not None
    assert plan.model.largest_mtu == 4200
    assert {
        str(switch.model.chip and switch.model.chip.name) for switch in fabric.topology.switches
    } == {"Anvil"}


def test_two_sites_of_one_process_do_not_see_each_others_hardware() -> None:
    one = load_texts({"site.yaml": site(), SWITCH: box()})
    other = load_texts({"site.yaml": site(), SWITCH: box(asic="Tomahawk4")})
    bare = load_texts({"site.yaml": site()})
    chips = []
    for loaded in (one, other, one):
        made = compile_site(loaded)
        assert made.site is not None
        chips.append({switch.model.asic for switch in made.site.fabrics[0].topology.switches})
    assert chips == [{"Tomahawk5"}, {"Tomahawk4"}, {"Tomahawk5"}]
    (found,) = (f for f in compile_site(bare).findings if f.code is Code.UNKNOWN_REFERENCE)
    assert found.message == "no switch model 'Box-9' in the catalog"


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ({SWITCH: box(source='""')}, "FG103 source: must not be empty"),
        ({SWITCH: box().replace("source: ", "sauce: ", 1)}, "FG102 the key 'source' is missing"),
        ({SWITCH: box(asic="Anvil")}, "FG105 ASIC 'Anvil' is not in the catalog"),
        ({OPTICS: STUB.replace("reach: 2", "reach: 0")}, "an optic needs a `reach`"),
        ({OPTICS: STUB.replace("Stub", "400G-DR4")}, "FG106 400G-DR4 is in the catalog already"),
        ({OPTICS: STUB.replace(', source: "Acme, drawing"', "")}, "FG102 the key 'source'"),
        ({OPTICS: STUB.replace("{2x400G: 1}", "{2x400G: 3}")}, "a value of `less` exceeds `reach`"),
        ({OPTICS: STUB.replace("{2x400G: 1}", "{4x200G: 1}")}, "`less` lists 4x200G, but no cage"),
        (
            {OPTICS: STUB.replace("cages: {", "cages: {A: {1x1G: x}, B: {1x1G: x}, ")},
            "a cable has two ends; give one or two forms",
        ),
        ({OPTICS: "Stub: twinax\n"}, "FG103 an entry must be a name of at most 40 printable"),
        ({ASICS: CHIP.replace("254", "-1")}, "FG103 cell: must be at least 1"),
        ({ASICS: CHIP.replace("Anvil", "Tomahawk5")}, "FG106 Tomahawk5 is in the catalog already"),
        ({ASICS: CHIP.replace(', source: "Acme, guide"', "")}, "FG102 the key 'source'"),
        ({SWITCH: box().replace("first: 1,", "first: 2,", 1)}, "FG603 cage 1 must be next, not 2"),
        ({SWITCH: box().replace("2x400G: 4", "2x400G: 8", 1)}, "FG603 2x400G with 8 lanes each"),
        ({SWITCH: box().replace("maximum: 2218", "maximum: 639")}, ("FG603 maximum 639 W is below "
                                                                   "typical 640")),
        ({SWITCH: box().replace("typical: 640, maximum: 2218, ", "")}, "FG603 neither `typical`"),
        ({SWITCH: box().replace("rack_units: 2", "rack_units: 0")}, "FG103 rack_units: must be"),
        ({SWITCH: box(watts="{typical: 640}")}, "FG102 the key 'source' is missing"),
        ({SWITCH: box().replace("[Ethernet8,", "[Ethernet0,", 1)}, ("FG603 Ethernet0 is already "
                                                                   "the name of cage 1")),
        ({SWITCH: box().replace("1-64: 1x800G", "1-63: 1x800G", 1)}, ("FG603 modes are missing for "
                                                                     "cage 64")),
        ({SWITCH: box().replace("1-64: 1x800G", "1-64: 3x800G", 1)},
         "FG603 cage 1 does not support mode 3x800G"),
        ({SWITCH: box().replace("buffer_model: traditional", "buffer_model: big")}, "FG103 plat"),
        ({"catalog/switches/box.yaml": box()}, ("FG103 the file name does not match the model "
                                               "Box-9")),
        ({"catalog/box.yaml": box()}, "FG103 is not a place for hardware facts"),
        ({SWITCH: "- 1\n"}, "FG103 a file of hardware facts must be a mapping"),
        ({SWITCH: "model: [\n"}, "FG002 "),
        ({SWITCH: "model: Box-9\nplatforms: {eos: {}}\n"}, ("FG105 model 'Box-9' is not in the "
                                                           "catalog")),
        (
            {"catalog/switches/x-sn5600.yaml": "model: SN5600\nplatforms: {linux: {}}\n"},
            "FG106 the facts of SN5600 for linux are already in the catalog",
        ),
        (
            {"catalog/nics/thor2.yaml": shipped("nics/thor2.yaml")},
            "FG106 thor2 is in the catalog already",
        ),
        ({NIC: shipped("nics/thor2.yaml", model="coyote", family="hound")}, "FG103 "),
        ({NIC: COYOTE + 'firmware: {"A; reboot": 1}\n'}, "FG103 firmware.'A; reboot'"),
        ({SWITCH: box().replace("linux: {}", "linux:")}, "FG103 platforms: the facts of linux"),
        ({NIC: COYOTE + "split: {2: $(reboot)}\n"}, "FG103 split.'2'"),
        ({NIC: COYOTE + "rates: {speed-of-light: 1}\n"}, "FG103 rates.speed-of-light"),
        ({SWITCH: box().replace("[400000, 5,", "[null, 5,", 1)}, "FG103 platforms.sonic.skus"),
    ],
)  # fmt: skip
def test_facts_that_cannot_be_are_refused_at_their_place(
    texts: dict[str, str], wanted: str
) -> None:
    found = said(texts)
    assert found
    assert any(f" {wanted}" in line for line in found), found
    assert not own_catalog(texts).catalog.own_switches
    assert not own_catalog(texts).catalog.own_nics


def test_a_lane_that_stands_twice_is_said_where_it_does() -> None:
    text = box()
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "[Ethernet8," in row)
    first = next(row for row in text.splitlines() if "[Ethernet0," in row).split('"')[1]
    second = next(row for row in text.splitlines() if "[Ethernet8," in row).split('"')[1]
    found = said({SWITCH: text.replace(second, first)})
    assert (
        found[0] == f"{SWITCH}:{line}:7 FG603 lane {first.split(',')[0]} already belongs to cage 1"
    )


def test_nothing_follows_from_a_model_that_is_refused() -> None:
    loaded = load_texts({"site.yaml": site(), SWITCH: box(vendor="[]")})
    made = compile_site(loaded)
    errors = [item for item in made.findings if has_errors([item])]
    assert [item.code for item in errors] == [Code.BAD_VALUE]


def test_platforms_that_a_model_has_not_are_added() -> None:
    lanes = {n: ",".join(map(str, range(4 * n, 4 * n + 4))) for n in range(1, 65)}
    sonic = {
        "platform": "x86_64-acme",
        "buffer_model": "traditional",
        "name_step": 4,
        "source": "Acme, port map",
        "ports": {str(n): [f"Ethernet{4 * n}", f"e{n}", n, row] for n, row in lanes.items()},
        "skus": {"Acme": {"layout": {"1-64": "1x400G"}, "splits": False}},
    }
    text = json.dumps({"model": BARE, "platforms": {"sonic": sonic}})
    brought = own_catalog({f"catalog/switches/arista-{BARE.lower()}.yaml": text})
    assert not brought.findings
    assert "ports" in brought.catalog.known(BARE).platforms["sonic"]
    assert "ports" not in SHIPPED.known(BARE).platforms["sonic"]


@pytest.mark.parametrize(
    ("asic", "message"),
    [
        (
            "unknown",
            "the packet memory of Box-9 is not in the catalog, so it cannot have a lossless",
        ),
        (
            "Jericho2",
            "Box-9 has virtual output queues (Jericho2), for which no buffer model exists",
        ),
    ],
)
def test_without_a_model_of_its_memory_a_switch_has_no_lossless_class(
    asic: str, message: str
) -> None:
    made = compile_site(load_texts({"site.yaml": site(), SWITCH: box(asic=asic)}))
    (found,) = (item for item in made.findings if item.code is Code.BUFFER_UNKNOWN)
    assert found.message.startswith(message)
    assert not made.ok
    lossy = site(roce="pfc: false")
    assert compile_site(load_texts({"site.yaml": lossy, SWITCH: box(asic=asic)})).ok


def test_rates_are_those_that_a_server_reads_back() -> None:
    assert set(get_args(RateName)) == SHOWN.keys()


def test_links_and_sizes_are_judged_as_for_intent(tmp_path: Path) -> None:
    (tmp_path / "catalog" / "switches").mkdir(parents=True)
    (tmp_path / "site.yaml").write_text(site())
    (tmp_path / "elsewhere").write_text(box())
    (tmp_path / SWITCH).symlink_to(tmp_path / "elsewhere")
    codes = [item.code for item in load_site(tmp_path).findings]
    assert codes == [Code.UNREADABLE]
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(7)
    )
    (found,) = own_catalog({SWITCH: bomb}).findings
    assert found.code is Code.TOO_DEEP_OR_LARGE
    many = {f"catalog/switches/x-{n}.yaml": bomb for n in range(2_000)}
    assert own_catalog(many).values < 2 * MAX_VALUES
    refused = load_texts({"site.yaml": site(), SWITCH: bomb}).findings
    assert [item.code for item in refused] == [Code.TOO_DEEP_OR_LARGE] * 2


def test_a_fact_that_changes_makes_the_tree_anew() -> None:
    made = []
    for asic in ("Tomahawk4", "Tomahawk5"):
        loaded = load_texts({"x/site.yaml": site(), f"x/{SWITCH}": box(asic=asic)}, root="x/")
        compiled = compile_site(loaded)
        assert compiled.site is not None
        made.append([Digests().of(piece) for _, piece in slices(compiled.site)])
    assert all(before != after for before, after in zip(*made, strict=True))


def test_the_page_shows_files_that_are_taken() -> None:
    page = (Path(__file__).parents[3] / "docs" / "design" / "hardware.md").read_text()
    blocks = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    switches = ("catalog/switches/acme-box-4.yaml", "catalog/switches/arista-7050cx3-32s.yaml")
    names = (*switches, ASICS, OPTICS)
    brought = own_catalog(dict(zip(names, map(dedent, blocks), strict=True)))
    assert not brought.findings
    assert brought.catalog.own_switches.keys() == {"Box-4", "7050CX3-32S"}
    assert brought.catalog.own_asics.keys() == {"Anvil"}
    assert brought.catalog.own_optics.keys() == {"Acme-2DR4"}
