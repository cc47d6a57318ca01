"""Ordinary edits of an intent, each carried out whole on a small lab of FRR under traffic.

`link`: one link between a leaf and a spine is drained, dark and back, then drained, planned and
used again.

A site of two spines, three leafs and six servers is booted for each drill, as `bench.drills` does.
What people do with their hands (a cable, a NIC, a box) is done there, too: where the edit leads to
a port that had no cable, the new cable lies beside the old one from the beginning.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from bench.cables import SPARE, with_cables
from bench.drill import Traffic, push, tell
from bench.drills import BOX, LAB, PATIENCE, Stage, addressed, site_of

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_site
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.up import LabRequest, boot
from fabricgen.prove.verifier import Verifier, expectations

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.lab.plan import LabPlan

WORK = 10.0  # seconds
CABLE = "fe-leaf02:swp5"
"""Of the link to the first spine."""
_SITE = """\
site:
  name: drill
  management: {{subnet: 10.255.0.0/24}}
{servers}frontend:
  leaf: {{model: {model}, platform: linux}}
  spine: {{model: {model}, platform: linux, count: 2}}
  leaf_groups: {{{groups}}}
{frontend}tenants:
  blue:
    vlans: {{lan: {{id: 30}}}}
    attachments: [{blue}]
  red:
    vrfs:
      red:
        id: 1
        vlans: {{web: {{id: 10, subnet: 10.10.10.0/24}}, db: {{id: 20, subnet: 10.10.20.0/24}}}}
    attachments: [{red}]
"""
_HOSTS = 'servers: {per_leaf: 2, speed: 100G, names: "h{number}"}'


def of_kind(ports: str) -> str:
    """Return an intent whose servers are a kind, with these words of their ports."""
    kind = f'  h: {{count: 6, names: "h{{number}}", ports: {{{ports}}}}}'
    return _SITE.format(
        servers=f"servers:\n{kind}\n",
        model="LAB-8",
        groups="hosts: {leafs: 1-3}",
        frontend="",
        blue='{servers: h, numbers: "2,4,6", access: lan}',
        red='{servers: h, numbers: "1,3", access: web, addresses: static}, '
        "{servers: h, numbers: 5-5, access: db, addresses: static}",
    )


def of_groups(groups: str, frontend: str = "", model: str = "LAB-8") -> str:
    """Return an intent whose servers are those of leaf groups: all in one, or the third apart."""
    third = "third" if "third" in groups else "hosts"
    more = ", {group: third, servers: 2-2, access: lan}" if third == "third" else ""
    return _SITE.format(
        servers="",
        model=model,
        groups=groups,
        frontend=f"  {frontend}\n" if frontend else "",
        blue="{group: hosts, servers: 2-2, access: lan}" + more,
        red="{group: hosts, leafs: 1-2, servers: 1-1, access: web, addresses: static}, "
        f"{{group: {third}, leafs: 3-3, servers: 1-1, access: db, addresses: static}}",
    )


ALL = f"hosts: {{leafs: 1-3, {_HOSTS}}}"


def apart(hardware: str = "") -> str:
    """Return the leaf groups with the third leaf in one of its own."""
    return f"hosts: {{leafs: 1-2, {_HOSTS}}}, third: {{leafs: 3-3, {hardware}{_HOSTS}}}"


Act = Callable[[Stage, Traffic], None]


def hand(stage: Stage, host: str, script: str) -> None:
    """Do something at a server."""
    done = stage.client.execute(host, ("sh", "-c", script))
    assert done.status == 0, (script, done.stdout, done.stderr)


def set_up(stage: Stage, host: str, device: str) -> None:
    """Give the new device of a server what `eth0` had."""
    (own,) = [each for each in stage.plan.hosts if each.name == host]
    lines = "\n".join(own.commands).replace("eth0", device)
    done = stage.client.execute(host, ("ip", "-batch", "-"), lines + "\n")
    assert done.status == 0, (lines, done.stderr)


def replug(stage: Stage, traffic: Traffic) -> None:
    """Move the cable of h1: its NIC, with its MAC, is at the other leaf then."""
    hand(
        stage,
        "h1",
        "mac=$(ip -br link show eth0 | tr -s ' ' | cut -d' ' -f3); ip address flush dev eth0; "
        f"ip link set eth0 down; ip link set eth0 name old0; ip link set {SPARE} name eth0; "
        "ip link set eth0 address $mac",
    )
    set_up(stage, "h1", "eth0")
    traffic.say("the cable of h1 is at the other leaf")


def another_nic(stage: Stage, traffic: Traffic) -> None:
    """Take the NIC out of h1, and put another one in, which is called otherwise."""
    hand(
        stage, "h1", "ip address flush dev eth0; ip link set eth0 down; ip link set eth0 name nic0"
    )
    traffic.say("the NIC of h1 is out")
    time.sleep(2)
    hand(stage, "h1", "ip link set nic0 address 02:00:00:00:99:01")
    set_up(stage, "h1", "nic0")
    traffic.say("another NIC is in h1")


def another_model(stage: Stage, traffic: Traffic) -> None:
    """Put an empty box of another model in the place of the third leaf: its uplinks are last."""
    stage.replaced(traffic)
    stage.run(
        "for port in 5 6; do ip link set swp$port down; "
        "ip link set swp$port name swp$((port + 4)); "
        "ip link set swp$((port + 4)) up; ip link add swp$port type dummy; done"
    )
    traffic.say(f"{BOX} has 12 ports")


def cut(stage: Stage, traffic: Traffic) -> None:
    """Pull the cable of the drained link for some seconds, and wait until all is as before."""
    drained = site_at(stage.changed.parent / "step0")
    traffic.phase("dark and back")
    stage.client.call("fail", name=CABLE, silent=False)
    traffic.say(f"{CABLE} is dark")
    time.sleep(WORK)
    stage.client.call("restore", name=CABLE)
    traffic.say(f"{CABLE} is back")
    Verifier(stage.client.ask, expectations(drained, everyone(drained))).settle(PATIENCE)
    traffic.say("all switches run as designed")


@dataclass(frozen=True, kw_only=True)
class Step:
    """An intent that is pushed, with words of the push; after what was done by hand.

    phase: what losses are told under while it is pushed, if apart.
    """

    intent: str
    words: tuple[str, ...] = ()
    act: Act | None = None
    phase: str = ""


@dataclass(frozen=True, kw_only=True)
class Edit:
    """What is booted, and the steps from there. whose: servers that are told apart, if any."""

    before: str
    steps: tuple[Step, ...]
    whose: frozenset[str] = frozenset()


ETH = "eth: {fabric: frontend, speed: 100G, per_leaf: 2}"
_MOVED = ETH.replace("2}", "2, moved: {1: {leaf: 3, place: 3}}}")
_NIC = ETH.replace("eth:", "nic:")
_MODEL = of_groups(apart("hardware: {model: LAB-12, platform: linux}, "))
_SLOW, _FAST = "links: {speed: 200G}", "links: {speed: 400G}"


def _upgraded(switches: str, speed: str = _SLOW) -> str:
    own = f"\n  switches: {{{switches}}}" if switches else ""
    return of_groups(ALL, speed + own, "LAB-8-400")


def _linked(state: str) -> str:
    return of_groups(ALL, f"switches: {{fe-leaf02: {{links: {{fe-spine1: {{state: {state}}}}}}}}}")


FASTER = _upgraded("", _FAST)
"""All links at once: a plan of this is refused while all of them would move."""
_DONE = "fe-spine1: {speed: 400G}"
EDITS = {
    "move": Edit(
        before=of_kind(ETH),
        steps=(
            Step(intent=of_kind(_MOVED), words=("--limit", "fe-leaf03")),
            Step(intent=of_kind(_MOVED), act=replug),
        ),
        whose=frozenset({"h1"}),
    ),
    "nic": Edit(
        before=of_kind(ETH),
        steps=(Step(intent=of_kind(_NIC), act=another_nic),),
        whose=frozenset({"h1"}),
    ),
    "upgrade": Edit(
        before=_upgraded(""),
        steps=(
            Step(intent=_upgraded("fe-spine1: {state: drained}")),
            Step(intent=_upgraded("fe-spine1: {state: planned, speed: 400G}")),
            Step(intent=_upgraded(_DONE)),
        ),
    ),
    "upgraded": Edit(
        before=_upgraded(_DONE),
        steps=(
            Step(intent=_upgraded(f"{_DONE}, fe-spine2: {{state: drained}}")),
            Step(intent=_upgraded(f"{_DONE}, fe-spine2: {{state: planned, speed: 400G}}")),
            Step(intent=_upgraded(f"{_DONE}, fe-spine2: {{speed: 400G}}")),
            Step(intent=FASTER),
        ),
    ),
    "model": Edit(
        before=of_groups(ALL),
        steps=(
            Step(intent=_MODEL, act=another_model, words=("--limit", "fe-leaf03")),
            Step(intent=_MODEL),
        ),
        whose=frozenset({"h5", "h6"}),
    ),
    "link": Edit(
        before=of_groups(ALL),
        steps=(
            Step(intent=_linked("drained"), phase="drained"),
            Step(intent=of_groups(ALL), act=cut, phase="no longer drained"),
            Step(intent=_linked("drained"), phase="drained again"),
            Step(intent=_linked("planned"), phase="planned"),
            Step(intent=of_groups(ALL), phase="used again"),
        ),
    ),
    "split": Edit(before=of_groups(ALL), steps=(Step(intent=of_groups(apart())),)),
}


def bridged_alone(edit: Edit) -> Edit:
    """Return an edit whose servers are all of the bridged tenant."""
    steps = tuple(replace(each, intent=_bridged(each.intent)) for each in edit.steps)
    return replace(edit, before=_bridged(edit.before), steps=steps)


def _bridged(intent: str) -> str:
    words = yaml.safe_load(intent)
    routed = words["tenants"].pop("red")["attachments"]
    for each in routed:
        where = {key: value for key, value in each.items() if key != "addresses"}
        words["tenants"]["blue"]["attachments"].append({**where, "access": "lan"})
    return yaml.safe_dump(words)


def staged(edit: Edit, folder: Path) -> tuple[Stage, list[Path]]:
    """Boot the site as it is before the edit; the folders of the steps come back with it."""
    before, old = site_of(folder, "before", edit.before)
    later = [site_of(folder, f"step{n}", step.intent) for n, step in enumerate(edit.steps)]
    sites: list[Site] = [site for _, site in later]
    plan = with_cables(addressed(_laid(old)), [_laid(site) for site in sites])
    rendered = [file for _, own in files(old) for file in own]
    client = boot(LabRequest(plan=plan, intent=before), rendered, lambda _: None, lambda _: None)
    Verifier(client.ask, expectations(old, everyone(old))).settle(PATIENCE)
    stage = Stage(client=client, plan=plan, site=old, changed=later[-1][0], comes=False)
    return stage, [path for path, _ in later]


def everyone(site: Site) -> frozenset[str]:
    """Return the names of the switches."""
    return frozenset(it.name for it in site.fabrics[0].topology.switches)


def _laid(site: Site) -> LabPlan:
    return lay_out(site, name=LAB, lifted=None, files=())


def edited(name: str, *, bridged: bool) -> int:
    """Carry out one edit and print what it cost; the exit code is the worst of its pushes."""
    edit = bridged_alone(EDITS[name]) if bridged else EDITS[name]
    print(f"--- {name}{', the bridged tenant alone' if bridged else ''}", flush=True)
    with tempfile.TemporaryDirectory(prefix="drill-") as folder:
        stage, paths = staged(edit, Path(folder))
        try:
            told, pairs = zip(*stage.groups(), strict=True)
            stage.warm(list(pairs))
            codes = []
            with Traffic(stage.client, list(pairs)) as traffic:
                for step, path in zip(edit.steps, paths, strict=True):
                    if step.act is not None:
                        step.act(replace(stage, site=site_at(path)), traffic)
                    if step.phase:
                        traffic.phase(step.phase)
                    codes.append(push(path, LAB, step.words, traffic))
            own = [_whose(stage, pair, edit.whose) for pair in pairs]
            kinds = [f"{kind}{whose}" for kind, whose in zip(told, own, strict=True)]
            tell(
                traffic,
                {
                    it: [at for at, kind in enumerate(kinds) if kind == it]
                    for it in sorted({*kinds})
                },
            )
            verify = (sys.executable, "-m", "fabricgen", "verify", str(paths[-1]), "--lab", LAB)
            subprocess.run(verify, check=False)
        finally:
            stage.client.call("down")
    return max(codes)


def site_at(path: Path) -> Site:
    """Compile a folder once more."""
    site = compile_site(load_site(path)).site
    assert site is not None
    return site


def _whose(stage: Stage, pair: tuple[int, int], servers: frozenset[str]) -> str:
    """Say of which of the named servers a pair is, if of any."""
    own = sorted({stage.plan.endpoints[end].host for end in pair} & servers)
    return f", to and from {' and '.join(sorted(servers))}" if own else ""
