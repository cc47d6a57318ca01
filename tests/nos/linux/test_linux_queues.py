"""From tc.batch and dcb.sh, read back: every DSCP in one class, the shares, the marking points."""

import re
import shutil
import subprocess

import pytest
from tests.nos.linux.switches import LINUX, SITES, Rendered, one_of_each, rendered, switch

from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.qos import TrafficClass
from fabricgen.nos.linux.dcb import driver

BATCH = "etc/fabricgen/tc.batch"
DCB = "etc/fabricgen/dcb.sh"


def used(item: Rendered) -> dict[str, int]:
    """Return the ports that have a cable, with their speed."""
    model = item.switch_slice.switch.model
    return {
        LINUX.port_name(model, i.port): int(i.port.speed)
        for i in item.switch_slice.interfaces
        if i.use is not Use.UNUSED
    }


def lines(item: Rendered, port: str) -> list[str]:
    return [
        line.replace(f" dev {port}", "")
        for line in item.files[BATCH].splitlines()
        if f" dev {port} " in line
    ]


def number(text: str, word: str) -> int:
    found = re.search(rf"\b{word} (\d+)", text)
    assert found is not None, (word, text)
    return int(found[1])


def classes(item: Rendered) -> dict[int, TrafficClass]:
    """Return the traffic class of each class id: strict ones first, each by falling number."""
    assert item.switch_slice.qos is not None
    order = sorted(item.switch_slice.qos.classes, key=lambda c: (not c.strict, -c.number))
    return dict(enumerate(order, 1))


@pytest.mark.parametrize("site", SITES)
def test_every_dscp_of_every_port_is_in_the_class_it_is_designed_for(site: str) -> None:
    for item in rendered(site):
        assert item.switch_slice.qos is not None
        order = classes(item)
        for port in used(item):
            found = [line for line in lines(item, port) if line.startswith("filter add")]
            (rest,) = (line for line in found if "matchall" in line)
            default = int(rest.rsplit(":", 1)[1])
            for protocol in ("ip", "ipv6"):
                told = {
                    int(words[1], 16) >> 2: int(words[2])
                    for line in found
                    if f"protocol {protocol} " in line
                    and (words := re.search(r"ip_tos (0x\w+)/0xfc classid 1:(\d+)", line))
                }
                for dscp in range(64):
                    have = order[told.get(dscp, default)]
                    assert have is item.switch_slice.qos.class_of(dscp), (port, dscp)


@pytest.mark.parametrize("site", ["asic", "front-asic"])
def test_an_asic_is_given_ets_with_strict_bands_first(site: str) -> None:
    for item in one_of_each(site):
        order = classes(item)
        for port in used(item):
            (root,) = (line for line in lines(item, port) if " ets " in line)
            assert number(root, "bands") == len(order)
            assert number(root, "strict") == sum(c.strict for c in order.values())
            quanta = re.findall(r"\d+", root.split("quanta")[1].split("priomap")[0])
            shares = [c.share for c in order.values() if not c.strict]
            assert [int(value) / 100 for value in quanta] == shares
            bands = [int(value) for value in root.split("priomap")[1].split()]
            assert len(bands) == 16
            for minor, traffic in order.items():
                assert bands[traffic.number] == minor - 1


@pytest.mark.parametrize("site", ["numbered", "front"])
def test_without_an_asic_htb_gives_line_rate_and_shares(site: str) -> None:
    for item in one_of_each(site):
        for port, speed in used(item).items():
            found = [line for line in lines(item, port) if line.startswith("class ")]
            rates = {
                int(re.findall(r"classid 1:(\d+)", line)[0]): number(line, "rate") for line in found
            }
            assert rates.pop(100) == speed
            assert sum(rates.values()) <= speed
            order = classes(item)
            assert set(rates) == set(order)
            shared = sum(rate for minor, rate in rates.items() if not order[minor].strict)
            for minor, traffic in order.items():
                if traffic.share is not None:
                    assert rates[minor] * 100 == pytest.approx(traffic.share * shared)


@pytest.mark.parametrize("site", ["asic", "numbered"])
def test_the_lossless_class_alone_is_marked_at_its_points(site: str) -> None:
    for item in one_of_each(site):
        speeds = used(item)
        for port, speed in speeds.items():
            marked = [line for line in lines(item, port) if " red " in line]
            assert len(marked) == 1
            (minor,) = re.findall(r"parent 1:(\d+)", marked[0])
            traffic = classes(item)[int(minor)]
            assert traffic.marking is not None
            point = {int(key): value for key, value in traffic.marking.items()}[speed]
            assert number(marked[0], "min") == point.minimum
            assert number(marked[0], "max") == point.maximum
            assert number(marked[0], "limit") >= point.maximum + number(marked[0], "burst") * 1000
            chance = re.search(r"probability ([0-9.]+)", marked[0])
            assert chance is not None
            assert float(chance[1]) == pytest.approx(point.probability / 100, abs=1e-4)
            assert marked[0].endswith("ecn nodrop")


@pytest.mark.parametrize("site", SITES)
def test_tc_parses_every_line(site: str) -> None:
    """`tc` reads a line before it looks for the device: with none there, that is its only say."""
    tc = shutil.which("tc") or shutil.which("tc", path="/usr/sbin:/sbin")
    if tc is None:
        pytest.skip("tc is not installed")
    texts = {re.sub(r" dev \S+", " dev nosuch0", item.files[BATCH]) for item in one_of_each(site)}
    for text in texts:
        unique = "\n".join(dict.fromkeys(text.splitlines())) + "\n"
        run = subprocess.run(
            [tc, "-force", "-batch", "-"], input=unique, capture_output=True, text=True, check=False
        )
        said = [line for line in run.stderr.splitlines() if not line.startswith("Command failed")]
        assert set(said) == {'Cannot find device "nosuch0"'}
        assert len(said) == len(unique.splitlines())


def test_dcb_maps_all_dscps_and_pauses_the_lossless_priority() -> None:
    for item in one_of_each("asic"):
        assert item.switch_slice.qos is not None
        text = item.files[DCB]
        found = re.search(r"dscp-prio ([0-9: ]+)", text)
        assert found is not None
        pairs = [pair.split(":") for pair in found[1].split()]
        told = {int(dscp): int(priority) for dscp, priority in pairs}
        assert told == {d: item.switch_slice.qos.class_of(d).number for d in range(64)}
        assert "prio-pfc all:off 3:on" in text
        ports = dict(re.findall(r"^port (\S+) (\d+)$", text, re.MULTILINE))
        assert set(ports) == set(used(item))
        assert all(int(size) > 100_000 for size in ports.values())


def test_dcb_pauses_each_lossless_priority_into_a_buffer_of_its_own() -> None:
    for item in one_of_each("asic-storage"):
        text = item.files[DCB]
        assert "prio-pfc all:off 3:on 5:on ||" in text
        assert 'prio-buffer all:0 3:3 5:5 buffer-size all:0 0:36856 3:"$2" 5:"$2" ||' in text


def test_a_lossless_buffer_is_headroom_and_what_is_there_at_pause() -> None:
    """By the formula that SONiC has for the chip; on eight lanes twice of the latter and an MTU."""
    leaf = switch("asic", "be-su01-leaf1")
    ports = dict(re.findall(r"^port (\S+) (\d+)$", leaf.files[DCB], re.MULTILINE))
    below = {"400G": 19 * 1024, "800G": 47 * 1024}
    told = set()
    for i in leaf.switch_slice.interfaces:
        if i.use is not Use.UNUSED:
            assert leaf.switch_slice.buffers is not None
            planned = leaf.switch_slice.buffers.port(i.port.speed, i.length)
            assert planned is not None
            told.add(str(i.port.speed))
            size = ports[LINUX.port_name(leaf.switch_slice.switch.model, i.port)]
            assert int(size) == planned.headroom + below[str(i.port.speed)]
    assert told == set(below)


@pytest.mark.parametrize("site", ["front", "front-asic", "asic", "numbered"])
def test_the_scripts_are_shell(site: str) -> None:
    for item in one_of_each(site):
        for path, text in item.files.items():
            if text.startswith("#!/bin/sh"):
                run = subprocess.run(["sh", "-n"], input=text, text=True, check=False)
                assert run.returncode == 0, path


def test_cages_are_split_once_on_an_asic_only() -> None:
    leaf = switch("asic", "be-su01-leaf1")
    found = dict(
        re.findall(r"^split (\S+) (\d+)$", leaf.files["etc/fabricgen/breakout.sh"], re.MULTILINE)
    )
    wanted = {
        f"swp{i.port.cage}": str(i.port.subs)
        for i in leaf.switch_slice.interfaces
        if i.port.subs > 1
    }
    assert found == wanted
    assert wanted
    for item in rendered("front"):
        assert driver(item.switch_slice.switch.model) is None
        assert "etc/fabricgen/breakout.sh" not in item.files
        assert DCB not in item.files
