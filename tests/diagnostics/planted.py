"""Faults that no intent can ask for, planted in a designed model or an output folder; text out."""

from __future__ import annotations

import contextlib
import io
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.diagnostics import released
from tests.diagnostics.verbs import configured, two_sites
from tests.outside.packages import installed, written
from tests.unit.adopt import inventories, strangers
from tests.unit.checks.sites import run_checks
from tests.unit.invariants import faults
from tests.unit.judge import published, saved_site

from fabricgen.api.findings import entries
from fabricgen.cli.formats.findings import text
from fabricgen.cli.main import run
from fabricgen.compile.checks.links import Mtu
from fabricgen.compile.checks.registry import judged
from fabricgen.compile.compiler import files, files_of, host_slices
from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.load import Loaded, load_texts
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.routing import AsnPlan
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.lowering import spell
from fabricgen.nos.models import Candidate, Models, Refusal
from fabricgen.nos.registry import nos
from fabricgen.prove import servers
from fabricgen.prove import written as lines
from fabricgen.prove.evidence import rendered, walk
from fabricgen.prove.models import against
from fabricgen.prove.qos.verify import verify
from fabricgen.prove.reach.matrix import cases
from fabricgen.prove.reach.matrix import examined as reached
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stations import stands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fabricgen.model.fabric.topology import Link

    Plant = Callable[[SwitchSlice], SwitchSlice]

SITE = """site:
  name: lab
  management: {subnet: 10.255.0.0/22, ntp: [10.255.3.250, 10.255.3.251]}
backend:
  design: rail-optimized
  servers: {count: 8, gpus: 2, nic_speed: 400G}
  scalable_unit: {servers: 4}
  oversubscription: 4
  links: {speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 2}
  roce: {enabled: false}
"""
LEAF, SPINE = "be-su01-leaf1", "be-spine1"


@cache
def base() -> tuple[Loaded, Site]:
    """The site in which faults are planted; nothing is wrong with it before."""
    loaded = load_texts({"site/site.yaml": SITE})
    assert loaded.intent is not None
    site, findings = design_site(loaded.intent)
    assert not findings
    return loaded, site


def said(examined: list[Examined]) -> str:
    """Print what the checks say, as the command line does."""
    found = [finding for result in examined for finding in result.findings]
    return text(entries(found, base()[0].source), examined)


def checked(site: Site, plant: Plant = lambda switch_slice: switch_slice) -> str:
    """Check a site whose slices went through `plant`."""
    pieces = (
        (fabric, plant(switch_slice))
        for fabric in site.fabrics
        for switch_slice in Slicer(fabric).slices()
    )
    return said(run_checks(site, pieces))


def on(name: str, change: Plant) -> Plant:
    """Change the slice of one switch."""
    return lambda switch_slice: (
        change(switch_slice) if switch_slice.switch.name == name else switch_slice
    )


def swapped(switch_slice: SwitchSlice, old: Interface, new: Interface) -> SwitchSlice:
    """Put another interface in the place of one, for its session too."""
    return replace(
        switch_slice,
        interfaces=tuple(new if item is old else item for item in switch_slice.interfaces),
        sessions=tuple(
            replace(item, interface=new) if item.interface is old else item
            for item in switch_slice.sessions
        ),
    )


def first(switch_slice: SwitchSlice, use: Use) -> Interface:
    return next(item for item in switch_slice.interfaces if item.use is use)


def backend(**changes: object) -> Site:
    """The base site with another backend."""
    site = base()[1]
    return replace(site, fabrics=(replace(site.fabrics[0], **changes),))  # type: ignore[arg-type]


def with_links(change: Callable[[tuple[Link, ...]], tuple[Link, ...]]) -> Site:
    """The base site, cabled otherwise."""
    topology = base()[1].fabrics[0].topology
    return backend(topology=replace(topology, links=change(topology.links)))


def asn_clash() -> str:
    """The range of spines reaches into that of leafs."""
    fabric: Fabric = base()[1].fabrics[0]
    plan = AsnPlan(first=4_200_000_000, last=4_200_000_005, shared=False)
    return checked(backend(routing=replace(fabric.routing, asns=plan)))


def slow_end() -> str:
    """One end of a cable runs at another speed."""

    def slower(switch_slice: SwitchSlice) -> SwitchSlice:
        old = first(switch_slice, Use.FABRIC)
        port = replace(old.port, speed=BitsPerSecond.parse("200G"))
        return swapped(switch_slice, old, replace(old, port=port))

    return checked(base()[1], on(SPINE, slower))


def wrong_peer_asn() -> str:
    """One end of a session expects another ASN than its peer has."""

    def misled(switch_slice: SwitchSlice) -> SwitchSlice:
        one, *rest = switch_slice.sessions
        return replace(switch_slice, sessions=(replace(one, peer_asn=one.peer_asn - 90), *rest))

    return checked(base()[1], on(LEAF, misled))


def phantom_interface() -> str:
    """A port without a cable is in use."""

    def used(switch_slice: SwitchSlice) -> SwitchSlice:
        old = first(switch_slice, Use.UNUSED)
        return swapped(switch_slice, old, replace(old, use=Use.NIC))

    return checked(base()[1], on(LEAF, used))


def crossed_nics() -> str:
    """The cables of two NICs of one server are swapped."""

    def crossed(links: tuple[Link, ...]) -> tuple[Link, ...]:
        one, other, *rest = links
        return (
            replace(one, lower_port=other.lower_port),
            replace(other, lower_port=one.lower_port),
            *rest,
        )

    return checked(with_links(crossed))


def lost_cable() -> str:
    """One of the cables of a leaf and a spine is missing."""

    def fewer(links: tuple[Link, ...]) -> tuple[Link, ...]:
        lost = next(link for link in links if not link.to_server)
        return tuple(link for link in links if link is not lost)

    return checked(with_links(fewer))


PAIR = """site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.250, 10.255.3.251]}}
servers:
  cpu:
    count: 2
    ports:
      front: {fabric: frontend, ports: 2, speed: 25G, bond: lacp, leafs: 2}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  oversubscription: 8
"""


def torn_segment() -> str:
    """Of two leafs of a server, one has the segment of another server."""

    def taken(switch_slice: SwitchSlice) -> SwitchSlice:
        one, other = switch_slice.lags
        assert one.segment is not None
        return replace(switch_slice, lags=(one, replace(other, segment=one.segment)))

    return on_second(PAIR, taken)


def slow_link() -> str:
    """Of the links of a server's bundle, the one to the second leaf is slower."""

    def slow(switch_slice: SwitchSlice) -> SwitchSlice:
        one, other = switch_slice.lags
        (member,) = one.members
        port = replace(member.port, speed=BitsPerSecond.parse("10G"))
        return replace(
            switch_slice, lags=(replace(one, members=(replace(member, port=port),)), other)
        )

    return on_second(PAIR, slow)


def on_second(words: str, plant: Plant) -> str:
    """Return what is said of a pair of leafs whose second one is told something else."""
    loaded = load_texts({"site/site.yaml": words})
    assert loaded.intent is not None
    site, _ = design_site(loaded.intent)
    pieces = (
        (fabric, on("fe-leaf02", plant)(switch_slice))
        for fabric in site.fabrics
        for switch_slice in Slicer(fabric).slices()
    )
    examined = run_checks(site, pieces)
    found = [finding for result in examined for finding in result.findings]
    return text(entries(found, loaded.source), examined)


def small_mtu() -> str:
    """A port towards a NIC has a smaller MTU."""

    def smaller(switch_slice: SwitchSlice) -> SwitchSlice:
        old = first(switch_slice, Use.NIC)
        return swapped(switch_slice, old, replace(old, mtu=1500))

    loaded = load_texts({"site/site.yaml": f"{SITE}  underlay: {{mtu: 1500}}\n"})
    assert loaded.intent is not None
    small, _ = design_site(loaded.intent)
    return checked(base()[1], on(LEAF, smaller)) + checked(small)


def nothing_examined() -> str:
    """A check that saw no switch."""
    return said([judged(Mtu(base()[1]).result())])


def misplaced_roce() -> str:
    """A rendered file puts RoCE into the class of the rest."""
    loaded = load_texts({"site/site.yaml": SITE.replace("{enabled: false}", "{pfc: true}")})
    assert loaded.intent is not None
    site, _ = design_site(loaded.intent)
    right, wrong = (f"qos map dscp 26 to traffic-class {number}" for number in (3, 0))
    spoiled = (
        (switch, {"eos.cfg": group[0].text.replace(right, wrong)})
        for switch, group in files(site)
        if isinstance(switch, Switch) and switch.name == LEAF
    )
    return said([verify(site, spoiled, spell)])


def wrong_line() -> str:
    """A rendered file has a neighbor with another ASN."""
    site = base()[1]
    switch_slice = next(p for fabric in site.fabrics for p in Slicer(fabric).slices() if p.asn)
    text = files_of(switch_slice, Renderer())[0].text
    number = switch_slice.sessions[0].peer_asn
    spoiled = text.replace(f"remote-as {number}", f"remote-as {number + 1}", 1)
    return said([lines.examined([lines.prove(switch_slice, {"eos.cfg": spoiled})])])


def refused_file() -> str:
    """A vendor's model does not know a table that two switches have."""
    site = base()[1]
    pieces = [switch_slice for fabric in site.fabrics for switch_slice in Slicer(fabric).slices()]

    def refusals(_: Path, judged: Sequence[Candidate]) -> Iterator[Refusal]:
        for each in judged[:2]:
            yield Refusal(each.switch, each.release, "SAG", "the models have no such table")

    models = Models(
        what="SONiC's YANG models",
        variable="FABRICGEN_SONIC_YANG",
        outcome=lambda _: "`config reload` ends with this error, and a first boot may, too",
        refusals=refusals,
    )
    texts = ["{}" for _ in pieces]
    return said([against(nos("sonic"), models, Path("models"), pieces, texts)])


def leaky_leafs() -> str:
    """Two leafs send routes from above up again, in a fabric that pauses."""
    loaded = load_texts({"site/site.yaml": SITE.replace("{enabled: false}", "{pfc: true}")})
    assert loaded.intent is not None
    site, _ = design_site(loaded.intent)

    def leaky(switch_slice: SwitchSlice) -> SwitchSlice:
        sessions = tuple(replace(item, valley_free=False) for item in switch_slice.sessions)
        return replace(switch_slice, sessions=sessions)

    return checked(
        site, lambda switch_slice: on(LEAF, leaky)(on("be-su01-leaf2", leaky)(switch_slice))
    )


def open_rail() -> str:
    """A template of servers lost the line that ends a rail's table."""
    switch_slice = next(iter(host_slices(base()[1])))
    group = {file.path.split("/", 2)[2]: file.text for file in files_of(switch_slice, Renderer())}
    path = "etc/netplan/60-fabricgen.yaml"
    ends = [line for line in group[path].splitlines() if "unreachable" in line]
    group[path] = group[path].replace(f"{ends[0]}\n", "")
    return said([servers.examined([servers.ServerJudge().judge(switch_slice, group)])])


TENANTS = """site: {name: lab, management: {subnet: 10.255.0.0/22}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {cpu: {leafs: 1-2, servers: {per_leaf: 2, speed: 25G}}}
tenants:
  blue:
    vrfs: {blue: {id: 2, vlans: {web: {id: 20, subnet: 10.2.0.0/24}}}}
    attachments: [{group: cpu, servers: 2-2, access: web}]
  red:
    vrfs: {red: {id: 1, vlans: {web: {id: 10, subnet: 10.1.0.0/24}}}}
    attachments: [{group: cpu, servers: 1-1, access: web}]
"""


def walked(loaded: Loaded, leaf: str, old: str, new: str) -> str:
    """Break a file of a leaf, and walk packets through all files."""
    assert loaded.intent is not None
    site, _ = design_site(loaded.intent)
    every = stands(site)
    texts = [
        (owner, {p: t.replace(old, new) if owner.name == leaf else t for p, t in own.items()})
        for owner, own in rendered(site)
    ]
    second = walk(site, [each.station for each in every], texts)
    result = reached(cases(every, every, Model(site, every), second))
    return text(entries(result.findings, loaded.source), [result])


def lost_prefixes() -> str:
    """A leaf announces another block than that of its NICs."""
    return walked(base()[0], LEAF, "permit 172.16.0.0/12", "permit 172.64.0.0/12")


def crossed_gateway() -> str:
    """A gateway of one tenant stands in the VRF of another."""
    loaded = load_texts({"site/site.yaml": TENANTS})
    return walked(loaded, "fe-leaf01", "   vrf red\n   ip address", "   vrf blue\n   ip address")


def call(folder: Path, *words: str) -> str:
    """Run the command line in a folder that holds the base site; return all it printed."""
    (folder / "site").mkdir(exist_ok=True)
    (folder / "site" / "site.yaml").write_text(SITE)
    heard = io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(heard),
        contextlib.redirect_stderr(heard),
    ):
        assert run(list(words)) != 0
    return heard.getvalue().replace(f"{folder.resolve()}/", "")


def foreign_file(folder: Path) -> str:
    """The output folder holds somebody's notes."""
    (folder / "out").mkdir()
    (folder / "out" / "notes.txt").write_text("mine")
    return call(folder, "render", "site", "-o", "out")


def stale_output(folder: Path) -> str:
    """The output folder was never rendered."""
    return call(folder, "render", "site", "-o", "out", "--switch", LEAF, "--check")


def no_such_switch(folder: Path) -> str:
    """The person asks about a switch that is not there."""
    return call(folder, "explain", "site", "be-su1-leaf1")


def promised(promise: str) -> Callable[[Path], str]:
    """Return what is said of a promise of the base site."""

    def printed(folder: Path) -> str:
        (folder / "site").mkdir()
        words = f"failures:\n  promises:\n    rails: {promise}\n"
        (folder / "site" / "failures.yaml").write_text(words)
        return call(folder, "failures", "site")

    return printed


def other_asns(folder: Path) -> str:
    """A pull request changes the ASN of every switch, and a session may not end."""
    (folder / "new").mkdir()
    (folder / "new" / "site.yaml").write_text(f"{SITE}  underlay: {{asn: {{first: 4210000000}}}}\n")
    return call(folder, "diff", "site", "new", "--format", "junit", "--fail-on", "session-reset")


def broken_package(folder: Path) -> str:
    """A package brings a check that cannot be imported."""
    entries = {"checks": {"names": "acme_checks:Names"}}
    with installed(written(folder / "lib", {"acme_checks.py": "import acme_words"}, entries)):
        return call(folder, "check", "site")


def templated(line: str) -> Callable[[Path], str]:
    """Give a site a template of its own with a line that fails."""

    def printed(folder: Path) -> str:
        (own := folder / "site" / "templates" / "eos").mkdir(parents=True)
        (own / "index.j2").write_text(f"!\n{line}\n")
        return call(folder, "render", "site", "-o", "out")

    return printed


MODEL: dict[Code, Callable[[], str]] = {
    Code.ASN_CLASH: asn_clash,
    Code.LINK_ENDS_DISAGREE: slow_end,
    Code.SESSION_ENDS_DISAGREE: wrong_peer_asn,
    Code.CABLE_WITHOUT_INTERFACE: phantom_interface,
    Code.NIC_OFF_ITS_RAIL: crossed_nics,
    Code.MESH_INCOMPLETE: lost_cable,
    Code.MTU_BROKEN: small_mtu,
    Code.NOTHING_EXAMINED: nothing_examined,
    Code.DEADLOCK: leaky_leafs,
    Code.LOSSLESS_CHAIN: misplaced_roce,
    Code.WRITTEN_FACT: wrong_line,
    Code.MODELS_REFUSE: refused_file,
    Code.SEGMENT_ENDS_DISAGREE: torn_segment,
    Code.BUNDLE_UNLIKE: slow_link,
    Code.HOST_NOT_APART: open_rail,
    Code.NOT_REACHED: lost_prefixes,
    Code.NOT_APART: crossed_gateway,
}
"""Faults in the model, by the code that must name them."""

OUTPUT: dict[Code, Callable[[Path], str]] = {
    **{fault.code: partial(faults.faulty, code=fault.code) for fault in faults.FAULTS},
    **{code: configured(code) for code in published.FAULTS},
    **{code: partial(inventories.faulty, code=code) for code in inventories.FAULTS},
    **{code: partial(strangers.faulty, code=code) for code in strangers.FAULTS},
    Code.TIMER_REFUSED: released.slow_poll,
    Code.OUTPUT_UNWRITABLE: foreign_file,
    Code.OUTPUT_STALE: stale_output,
    Code.NO_SUCH_OBJECT: no_such_switch,
    Code.SWITCHES_CHANGE: other_asns,
    Code.SITES_NOT_APART: two_sites,
    **dict.fromkeys(saved_site.CODES, partial(saved_site.compared, SITE, LEAF, SPINE)),
    Code.PROMISE_BROKEN: promised("{fabric: backend, rails: true, keeps: 87.5, after: [spine]}"),
    Code.PROMISE_OF_NOTHING: promised("{fabric: backend, keeps: 50, after: [superspine]}"),
    Code.PROMISE_UNKNOWN: promised("{fabric: backend, recovers_within: 1000, after: [spine]}"),
    Code.EXTENSION_FAILED: broken_package,
    Code.TEMPLATE_FAILED: templated("hostname {{ hostname }}"),
    Code.TEMPLATE_LIMIT: templated("{{ 'a' * 4000000000 }}"),
}
"""Faults around the model, in a folder of their own."""
