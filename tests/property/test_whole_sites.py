"""Whole sites of several kinds of servers and fabrics: all once, all read back, none moves.

FABRICGEN_SITES is how many sites each law is tried on.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.property.growing import facts, lost
from tests.property.whole_growth import STEPS, grown
from tests.property.whole_sites import CATALOG, Whole, sites

from fabricgen.api.proof import Bench
from fabricgen.compile.compiler import Compiled, compile_site, files, host_slices, slices
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Fabric, Site

COUNT = int(os.environ.get("FABRICGEN_SITES", "5"))
EXPECTED = {
    Code.UNSUPPORTED,  # what the platforms lack, as the site accepts it
    Code.INTENT_WITHOUT_LINES,  # kinds without a BMC, switches in no rack
    Code.HEADROOM_UNKNOWN,  # EOS keeps headroom of its own on these models
    Code.HEADROOM_DIFFERS,  # a shipped row is used where there is one
    Code.UPLINKS_NOT_DIVISIBLE,  # what growth reserves is not there yet
    Code.ODD_SPEED,  # draws have slow ports
}


def compiled(whole: Whole) -> Site:
    """Compile a site; it fits, and nothing is said but what the draw leads to."""
    text = yaml.safe_dump(whole.words, sort_keys=False)
    return judged(compile_site(load_texts({**CATALOG, "site.yaml": text})))


def judged(done: Compiled) -> Site:
    said = [
        item
        for item in done.findings
        if item.severity is Severity.ERROR or item.code not in EXPECTED
    ]
    assert not said, said
    assert done.site is not None
    return done.site


def cables(fabric: Fabric) -> list[tuple[str, str, str, str]]:
    """Return both ends of every cable of a fabric."""
    return [
        (link.lower.name, link.lower_port.label, link.upper.name, link.upper_port.label)
        for link in fabric.topology.links
    ]


def of_servers(site: Site) -> Iterator[tuple[str, ...]]:
    """Yield what servers and management ports are given: addresses and tables, and by whom."""
    for switch_slice in host_slices(site):
        name = switch_slice.server.name
        for member in switch_slice.members:
            vlan = str(member.vlan.id)
            for address in member.addresses or (None,):
                yield "member", name, member.device, vlan, str(address)
        for each in (each for side in switch_slice.routed for each in side.ports):
            plan, gateway = each.plan, each.gateway.host
            yield "nic", name, plan.nic.name, str(plan.table), gateway, str(each.address)
    for fabric in site.fabrics:
        if fabric.managed is not None:
            for port in fabric.managed.each(fabric.topology.places):
                yield "managed", port.server, port.network, str(port.address)


@settings(max_examples=COUNT)
@given(whole=sites())
def test_all_is_there_once_and_reads_back_as_designed(whole: Whole) -> None:
    site = compiled(whole)
    ends = Counter(
        end for fabric in site.fabrics for a, b, c, d in cables(fabric) for end in ((a, b), (c, d))
    )
    assert set(ends.values()) == {1}
    assert [owner for owner, times in owners(site).items() if times > 1] == []
    by_name: dict[str, int] = {}
    for fabric in site.fabrics:
        for server in fabric.topology.servers:
            assert by_name.setdefault(server.name, id(server)) == id(server)
    folders = Counter(owner.name for owner, _ in Bench(site).insisted())
    assert set(folders.values()) == {1}


def owners(site: Site) -> Counter[tuple[str, ...]]:
    """Count who has each name, address, ASN and VNI that one alone may have."""
    every: Counter[tuple[str, ...]] = Counter()
    for fabric, switch_slice in slices(site):
        every["name", switch_slice.switch.name] += 1
        every["asn", fabric.name, str(switch_slice.asn)] += 1
        every["address", switch_slice.management.host] += 1
        every["address", switch_slice.loopback.host] += 1
        if switch_slice.vtep is not None:
            every["address", switch_slice.vtep.host] += 1
        every.update(
            ("address", i.address.host) for i in switch_slice.interfaces if i.address is not None
        )
    for fabric in site.fabrics:
        if fabric.overlay is not None:
            vnis = [vlan.vni for vlan in fabric.overlay.vlans.values()]
            vnis += [vrf.vni for vrf in fabric.overlay.vrfs.values()]
            every.update(("vni", fabric.name, str(vni)) for vni in vnis)
    names = {server.name for fabric in site.fabrics for server in fabric.topology.servers}
    every.update(("name", name) for name in names)
    for what, server, *more, address in of_servers(site):
        every["member" if what == "member" else "address", address.split("/")[0]] += 1
        if what == "nic":
            every.update([("port", server, more[0]), ("table", server, more[1])])
    return Counter({key: times for key, times in every.items() if key[-1] != "None"})


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_growing_moves_nothing(step: Callable[..., bool]) -> None:
    @settings(max_examples=COUNT)
    @given(whole=sites(), data=st.data())
    def law(whole: Whole, data: st.DataObject) -> None:
        more = grown(whole, step, data.draw)
        assume(more is not None)
        assert more is not None
        before, after = compiled(whole), compiled(more)
        assert lost(facts(before), facts(after)) == []
        kept = {each for fabric in after.fabrics for each in cables(fabric)}
        assert [each for one in before.fabrics for each in cables(one) if each not in kept] == []
        assert set(of_servers(before)) - set(of_servers(after)) == set()

    law()


@settings(max_examples=COUNT)
@given(whole=sites(), random=st.randoms(use_true_random=False))
def test_the_order_of_what_is_written_decides_no_byte(whole: Whole, random: Any) -> None:
    turned = Whole(words=shuffled(whole.words, random))
    assert texts(compiled(whole)) == texts(compiled(turned))


def shuffled(value: Any, random: Any) -> Any:
    """Return a value with the keys of every mapping in it in another order."""
    if not isinstance(value, dict):
        return [shuffled(each, random) for each in value] if isinstance(value, list) else value
    items = [(key, shuffled(each, random)) for key, each in value.items()]
    random.shuffle(items)
    return dict(items)


def texts(site: Site) -> dict[str, str]:
    return {file.path: file.text for _, group in files(site) for file in group}
