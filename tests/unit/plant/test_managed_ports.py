"""The ends of management cables: RJ45 up to 1G, and not known beyond."""

from pathlib import Path

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site, load_texts
from fabricgen.model.cabling.media import far_socket
from fabricgen.model.catalog.optics import Socket
from fabricgen.plan.cabling import Plan

ROOT = Path(__file__).parents[3] / "intent"
SFP = """
SFP-1G-SX:
  kind: transceiver
  cages: {SFP: {1x1G: 1000BASE-SX}}
  lanes: 1
  reach: 550
  media: multimode
  connector: duplex LC/UPC
  fibers: 2
  source: "Acme, data sheet"
"""
LEAF = """
model: Fiber-48
vendor: Acme
asic: unknown
source: "Acme, drawing"
cages:
  - {first: 1, last: 48, form: SFP, lanes: 1, modes: {1x1G: 1}}
  - {first: 49, last: 52, form: QSFP28, lanes: 4, modes: {1x100G: 4}}
platforms: {linux: {}}
"""


def test_every_management_port_of_1g_is_rj45() -> None:
    site = compile_site(load_site(ROOT / "full")).site
    assert site is not None
    oob = next(fabric for fabric in site.fabrics if fabric.name == "oob")
    links = [link for link in oob.topology.links if link.to_server]
    assert len(links) > 100
    assert {far_socket(oob, link) for link in links if str(link.speed) == "1G"} == {
        Socket(forms=("RJ45",), modes=("1x1G",))
    }
    laid = [cable for cable in Plan.of(site).laid if cable.fabric == "oob" and cable.link in links]
    assert {cable.fixed.name for cable in laid if cable.fixed is not None} == {"1000BASE-T"}


def test_no_end_of_the_largest_example_is_unknown() -> None:
    site = compile_site(load_site(ROOT / "full")).site
    assert site is not None
    unknown = [
        cable.name
        for cable in Plan.of(site).laid
        for end in (cable.near, cable.far)
        if cable.far.owner is not None and cable.fixed is None and end.optic is None
    ]
    assert unknown == []


def test_a_bmc_is_not_joined_to_a_leaf_of_fiber() -> None:
    folder = ROOT / "oob"
    texts = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.yaml")}
    texts = {name: text.replace("model: SN2201", "model: Fiber-48") for name, text in texts.items()}
    texts |= {"catalog/switches/acme-fiber-48.yaml": LEAF, "catalog/optics.yaml": SFP}
    found = compile_site(load_texts(texts), "linux").findings
    told = [each.message for each in found if str(each.code) == "FG707"]
    assert any("a cable of 1G" in each and "no allowed medium is known" in each for each in told)
