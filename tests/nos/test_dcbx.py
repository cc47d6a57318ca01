"""DCBX towards servers: its line on EOS, its proof, and where it is refused."""

import pytest
from tests.nos.claims import pieces

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Use
from fabricgen.nos.features import Feature, Unsupported
from fabricgen.nos.registry import nos
from fabricgen.prove.written import prove

SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/22}}
backend:
  design: rail-optimized
  scalable_unit: {servers: 2}
  links: {speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos}
  roce: {enabled: %s}
servers:
  gpu: {count: 4, gpus: 2, ports: {rdma: {fabric: backend, speed: 400G, dcbx: ieee}}}
"""


def test_every_port_of_a_server_has_the_line_and_no_other() -> None:
    every = [each for each in pieces("eos") if each[0] == "a NIC with DCBX"]
    for _, switch_slice, files in every:
        servers = [port for port in switch_slice.interfaces if port.use is Use.NIC]
        assert files["eos.cfg"].count("   dcbx mode ieee\n") == len(servers)
    assert sum(each[2]["eos.cfg"].count("dcbx") for each in every) == 8


@pytest.mark.parametrize(("old", "new"), [("   dcbx mode ieee\n", ""), ("mode ieee", "mode cee")])
def test_a_missing_or_other_mode_is_found(old: str, new: str) -> None:
    switch_slice, files = next(
        (piece, files)
        for site, piece, files in pieces("eos")
        if site == "a NIC with DCBX" and "dcbx" in files["eos.cfg"]
    )
    assert prove(switch_slice, files).findings == ()
    changed = {**files, "eos.cfg": files["eos.cfg"].replace(old, new, 1)}
    assert prove(switch_slice, changed).findings


@pytest.mark.parametrize("platform", ["sonic", "linux"])
def test_lldpd_has_no_dcbx(platform: str) -> None:
    assert isinstance(nos(platform).answer(Feature.DCBX), Unsupported)
    found = compile_site(load_texts({"site.yaml": SITE % "true"}), platform).findings
    path = ("servers", "gpu", "ports", "rdma", "dcbx")
    assert (Code.UNSUPPORTED, path) in [(item.code, item.path) for item in found]


def test_without_a_paused_class_there_is_nothing_to_announce() -> None:
    found = compile_site(load_texts({"site.yaml": SITE % "false"})).findings
    (wrong,) = (item for item in found if item.path[-1:] == ("dcbx",))
    assert wrong.code is Code.BAD_VALUE
    assert "pauses no class" in wrong.message
