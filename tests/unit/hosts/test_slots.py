"""Interfaces are named by the PCI addresses that the intent gives, and the check looks for them."""

from pathlib import Path

import pytest
import yaml
from tests.unit.hosts.hosts import NICS, SHAPES, compiled, designed, plain, rails, servers, texts
from tests.unit.hosts.stand_ins import host

from fabricgen.api.proof import read_back
from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts

SLOTS = ["0000:18:00.0", "0000:2a:00.0", "0000:3a:00.0", "0001:5d:00.0"]


def links(files: dict[str, str]) -> dict[str, str]:
    """Return the interface that each .link file names, by the path it matches."""
    found = {}
    for path, text in files.items():
        if path.endswith(".link"):
            words = dict(line.split("=") for line in text.splitlines() if "=" in line)
            assert path == f"etc/systemd/network/10-fabricgen-{words['Name']}.link"
            found[words["Path"]] = words["Name"]
    return found


def test_each_nic_is_named_after_its_rail() -> None:
    files = texts(servers(designed(nic_slots=SLOTS))[0])
    assert links(files) == {f"pci-{slot}": f"rdma{number}" for number, slot in enumerate(SLOTS)}


def test_the_second_port_is_the_next_function() -> None:
    names = links(texts(servers(designed("two-planes", nic_slots=SLOTS))[0]))
    assert (names["pci-0000:18:00.0"], names["pci-0000:18:00.1"]) == ("rdma0p0", "rdma0p1")
    assert len(names) == 8


def test_without_addresses_the_host_names_its_interfaces() -> None:
    assert not links(texts(servers(plain())[0]))


@pytest.mark.parametrize("slots", [SLOTS[:3], [*SLOTS[:3], SLOTS[0]]])
def test_there_is_one_address_for_each_nic(slots: list[str]) -> None:
    made = compiled(nic_slots=slots)
    assert not made.ok
    found = next(each for each in made.findings if each.code is Code.BAD_VALUE)
    assert found.path == ("backend", "servers", "nic_slots")
    assert found.message == "a server has 4 NICs, but 3 different PCI addresses"


def test_a_path_is_no_address() -> None:
    (found, *_) = compiled(nic_slots=["18:00.0", *SLOTS[1:]]).findings
    assert "must be a PCI address in lower case, for example 0000:18:00.0" in found.message


def test_networkd_reads_its_own_files_beside_them() -> None:
    assert read_back(designed(network="networkd", nic_slots=SLOTS))[-1].findings == ()


def test_the_check_names_a_nic_in_another_slot(tmp_path: Path) -> None:
    host_slice = servers(designed(nic_slots=SLOTS))[0]
    here = host(tmp_path, texts(host_slice), rails(host_slice).share.gid_index)
    here.apply()
    for number, slot in enumerate(SLOTS):
        link = here.root / f"sys/class/net/rdma{number}/device"
        link.unlink()
        link.symlink_to(f"../../../{slot}")
    assert here.check() == (0, [])
    moved = here.root / "sys/class/net/rdma1/device"
    moved.unlink()
    moved.symlink_to("../../../0000:99:00.0")
    assert here.check() == (1, ["rdma1: the PCI address is 0000:99:00.0, not 0000:2a:00.0"])


@pytest.mark.parametrize("nic", NICS.values())
def test_udev_is_told_to_restart_the_unit(nic: str) -> None:
    """The rule names no driver: each one that makes RDMA devices brings them without settings."""
    files = texts(servers(designed(nic=nic))[0])
    rule = files["etc/udev/rules.d/90-fabricgen-nics.rules"].splitlines()[-1]
    assert rule.startswith(
        'ACTION=="add", SUBSYSTEM=="infiniband", RUN+="/usr/bin/systemctl restart'
    )
    assert "StartLimitIntervalSec=0" in files["etc/systemd/system/fabricgen-nics.service"]


def test_each_kind_of_server_has_its_own_slots_on_one_fabric() -> None:
    kinds = {
        name: {
            "count": 2,
            "gpus": 4,
            "ports": {
                "rail": {"fabric": "backend", "speed": "400G", "unit": unit, "nic_slots": slots}
            },
        }
        for name, unit, slots in (("one", 1, SLOTS), ("two", 2, SLOTS[::-1]))
    }
    role = {"model": "7060X6-64PE", "platform": "eos"}
    words = {
        "site": {"name": "t", "management": {"subnet": "10.255.0.0/20"}},
        "servers": kinds,
        "backend": {**SHAPES["rail-optimized"], "leaf": role},
    }
    made = compile_site(load_texts({"site.yaml": yaml.safe_dump(words)}))
    assert made.site is not None, made.findings
    named = {host_slice.server.name: links(texts(host_slice)) for host_slice in servers(made.site)}
    assert len(named) == 4
    for server, found in named.items():
        slots = SLOTS if server.startswith("one") else SLOTS[::-1]
        assert found == {f"pci-{slot}": f"rail{number}" for number, slot in enumerate(slots)}
