"""Changes that networks see, each carried out whole on a small lab of FRR under traffic.

A site of two spines, three leafs and six servers is booted for each drill, with a tenant that is
routed (red: two VLANs of a VRF) and one that is only bridged (blue). The changed intent is pushed
by plan and gate while every ordered pair of servers of a tenant sends 10 packets a second, from
before the first second of the push until some seconds after its last; then `verify` compares all
switches with the new intent. What was booted ends with the drill.

Ordinary edits of the intent (move, nic, upgrade, upgraded, model, link, split) are in
`bench.edits`.

usage: python -m bench.drills [--bridged] [vni|mtu|rename|add|rma|asn|links …] [move|nic|…]
--bridged: with the bridged tenant alone. Nobody named: all of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bench.drill import Pairs, Traffic, push, tell
from tests.lab.machinery import ROOT, need_a_lab, new_ground

from fabricgen.compile.attached.host import Endpoint
from fabricgen.compile.compiler import File, compile_site, files
from fabricgen.intent.load import load_site
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.place import Place
from fabricgen.operate.lab.traffic.pairs import expected_pairs
from fabricgen.operate.lab.up import LabRequest, boot
from fabricgen.prove.verifier import Verifier, expectations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.plan import LabPlan

LAB, PATIENCE = "drill", 300  # seconds until routing has settled
CATALOG = ROOT / "tests/lab/catalog"
"""Models with few ports: in a lab each costs a part of every look."""
BOX = "fe-leaf03"
"""The leaf that comes, or is another box."""

_SITE = """\
site:
  name: drill
  management: {{subnet: 10.255.0.0/24}}
frontend:
  leaf: {{model: 7050CX3-32S, platform: linux}}
  spine: {{model: 7050CX3-32S, platform: linux, count: 2}}
  leaf_groups:
    hosts: {{leafs: 1-{leafs}, servers: {{per_leaf: 2, speed: 100G, names: "h{{number}}"}}}}
{frontend}
tenants:
"""
_BLUE = """\
  blue:
    vlans: {lan: {id: 30}}
    attachments: [{group: hosts, servers: SERVERS, access: lan}]
"""
_RED = """\
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 10, subnet: 10.10.10.0/24}, db: {id: 20, subnet: 10.10.20.0/24}}
    attachments:
      - {group: hosts, leafs: 1-2, servers: 1-1, access: web}
"""
_RED_3 = "      - {group: hosts, leafs: 3-3, servers: 1-1, access: db}\n"


@dataclass(frozen=True, kw_only=True)
class Drill:
    """One change. intent: lines of the frontend; words: of the push. leafs: before and after.

    dies: the box of one leaf is replaced by an empty one first. size: of the packets, in bytes.
    """

    intent: str = ""
    words: tuple[str, ...] = ()
    leafs: tuple[int, int] = (3, 3)
    dies: bool = False
    size: int = 200


DRILLS = {
    "vni": Drill(intent="  overlay: {l2vni_base: 20000}", words=("--one-batch",)),
    "mtu": Drill(intent="  underlay: {mtu: 9000}", size=8900),  # and 50 bytes of VXLAN
    "rename": Drill(
        intent='  names: {leaf: "rack{index}", spine: "top{index}", '
        'previous_name: {leaf: "fe-leaf{index:02}", spine: "fe-spine{index}"}}'
    ),
    "add": Drill(leafs=(2, 3)),
    "rma": Drill(
        intent=f'  switches: {{{BOX}: {{serial: NEW-1, mac: "02:00:00:00:03:ff"}}}}', dies=True
    ),
    "asn": Drill(
        intent="  underlay: {asn: {first: 4200100000, last: 4294900000}}",
        words=("--steps",),
        leafs=(2, 2),
    ),
    "links": Drill(
        intent="  addressing: {links: 10.96.0.0/14}", words=("--one-batch", "--steps"), leafs=(2, 2)
    ),
}

_DEAD = """\
rm -rf /var/lib/fabricgen /etc/fabricgen /etc/sysctl.d/90-fabricgen* /etc/lldpd.d/fabricgen.conf \
  /etc/systemd/system/fabricgen.service /etc/systemd/system/networking.service.d
for kind in vxlan bridge vrf; do
  for it in $(ip -br link show type $kind | cut -d' ' -f1); do
    [ $it = mgmt ] || ip link del $it
  done
done
ip address flush dev lo scope global
for path in /sys/class/net/swp*; do
  port=${path##*/}; ip address flush dev $port; tc qdisc del dev $port root 2>/dev/null
  ip link set $port down mtu 1500 address 02:00:00:00:03:$(printf %02x ${port#swp})
done
rm -f /etc/ssh/ssh_host_*; ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key
pkill -HUP -x sshd
"""
"""What makes another box of a switch: nothing of the old one's files, devices, MACs and keys."""


def site_of(folder: Path, name: str, text: str) -> tuple[Path, Site]:
    """Write an intent and compile it."""
    place = folder / name
    place.mkdir()
    (place / "site.yaml").write_text(text)
    shutil.copytree(CATALOG, place / "catalog")
    result = compile_site(load_site(place))
    assert result.site is not None, result.findings
    assert result.ok, result.findings
    return place, result.site


def intent(frontend: str, leafs: int, *, bridged: bool) -> str:
    """Return the text of an intent."""
    red = "" if bridged else _RED + _RED_3 * (leafs > 2)
    blue = _BLUE.replace("SERVERS", "1-2" if bridged else "2-2")
    return _SITE.format(leafs=leafs, frontend=frontend) + blue + red


def bare(rendered: list[File]) -> list[File]:
    """Return of a switch's files what its image has: name, management in its VRF, daemons."""
    kept = []
    for file in rendered:
        if file.path.endswith("/etc/network/interfaces"):
            parts = file.text.split("\n\n")
            own = [part for part in parts if part.startswith(("auto mgmt", "auto eth0"))]
            kept.append(
                replace(file, text="\n\n".join(["auto lo\niface lo inet loopback", *own, ""]))
            )
        elif file.path.endswith("/etc/frr/frr.conf"):
            name = file.path.split("/")[-4]
            kept.append(replace(file, text=f"frr defaults datacenter\nhostname {name}\n"))
        elif "/etc/sysctl.d/" in file.path:
            lines = [line for line in file.text.splitlines() if "l3mdev" in line]
            kept.append(replace(file, text="".join(f"{line}\n" for line in lines)))
        elif file.path.endswith(("/etc/hostname", "/etc/frr/daemons")):
            kept.append(file)
    return kept


def addressed(plan: LabPlan) -> LabPlan:
    """Give the servers of the bridged VLAN an address each, which no intent does."""
    routed = {each.host for each in plan.endpoints}
    ends = [
        Endpoint(
            name=f"{cable.a}/lan",
            host=cable.a,
            fabric="frontend",
            device=cable.a_port,
            address=f"10.10.30.{10 + number}",
            gateway="",
            group="lan",
            segment="lan",
            leaf=cable.b,
            mtu=9164,
        )
        for number, cable in enumerate(plan.cables)
        if cable.a in {host.name for host in plan.hosts} - routed
    ]
    lines = {end.host: f"address add {end.address}/24 dev {end.device}" for end in ends}
    hosts = [
        replace(host, commands=(*host.commands, lines[host.name])) if host.name in lines else host
        for host in plan.hosts
    ]
    return replace(plan, endpoints=(*plan.endpoints, *ends), hosts=tuple(hosts))


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A lab that is up, and the folder of the intent that is to be pushed to it.

    comes: one leaf is new there, or another box.
    """

    client: LabClient
    plan: LabPlan
    site: Site
    changed: Path
    comes: bool

    def groups(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield the pairs that reach each other across leafs, with what each is told under."""
        for pair in expected_pairs(self.site, self.plan):
            if pair.routers is None:
                continue
            ends = self.plan.endpoints[pair.source], self.plan.endpoints[pair.target]
            if ends[0].leaf == ends[1].leaf:
                continue
            blue = "bridged tenant" if ends[0].group == "lan" else "routed tenant"
            way = ", between VLANs" if pair.routers else ", within VLANs"
            box = f", to and from {BOX}" if self.comes and BOX in (it.leaf for it in ends) else ""
            yield f"{blue}{way}{box}", (pair.source, pair.target)

    def warm(self, pairs: Pairs) -> None:
        """Let servers and switches learn of each other."""
        ask = {"kind": "matrix", "pairs": pairs, "size": 200, "dscp": 0, "rounds": 5, "wait": 2}
        heard = self.client.call("probe", ask=ask)
        silent = [pairs[at] for at in range(len(pairs)) if str(at) not in heard]
        print(f"before: {len(pairs) - len(silent)} of {len(pairs)} pairs hear each other")

    def replaced(self, traffic: Traffic) -> None:
        """Let the box of a leaf die, and put an empty one in its place, with another host key."""
        self.client.call("fail", name=BOX, silent=False)
        traffic.say(f"{BOX} is dead")
        place = Place.of(LAB)
        self.run(_DEAD)
        for file in bare([file for _, own in files(self.site) for file in own]):
            folder, _, path = file.path.partition("/etc/")
            if folder.endswith(BOX):
                self.run(f"mkdir -p /etc/{path.rpartition('/')[0]}; cat > /etc/{path}", file.text)
        self.client.call("restore", name=BOX)
        keys = self.client.call("keys", key=place.key.with_suffix(".pub").read_text())
        known = [f"{name} {' '.join(key.split()[:2])}\n" for name, key in sorted(keys.items())]
        place.known_hosts.write_text("".join(known))
        traffic.say(f"an empty box is in the place of {BOX}")

    def run(self, script: str, text: str | None = None) -> None:
        """Run a script on that box."""
        done = self.client.execute(BOX, ("sh", "-c", script), text)
        assert done.status == 0, (script, done.stdout, done.stderr)


def staged(drill: Drill, folder: Path, *, bridged: bool) -> Stage:
    """Boot the site before the change; a leaf that it has not yet is there, installed and empty."""
    now, then = drill.leafs
    before, old = site_of(folder, "before", intent("", now, bridged=bridged))
    changed, new = site_of(folder, "changed", intent(drill.intent, then, bridged=bridged))
    site = old if now == then else new
    plan = addressed(lay_out(site, name=LAB, lifted=None, files=()))
    rendered = [file for _, own in files(old) for file in own]
    there = {file.path for file in rendered}
    later = [file for _, own in files(site) for file in own if f"/{BOX}/" in file.path]
    rendered += [file for file in bare(later) if file.path not in there]
    client = boot(LabRequest(plan=plan, intent=before), rendered, lambda _: None, lambda _: None)
    names = frozenset(it.name for it in old.fabrics[0].topology.switches)
    Verifier(client.ask, expectations(old, names)).settle(PATIENCE)
    comes = drill.dies or now != then
    return Stage(client=client, plan=plan, site=site, changed=changed, comes=comes)


def carried_out(name: str, *, bridged: bool) -> int:
    """Carry out one drill and print what it cost; the exit code is that of its push."""
    drill = DRILLS[name]
    print(f"--- {name}, {'the bridged tenant alone' if bridged else 'both tenants'}", flush=True)
    with tempfile.TemporaryDirectory(prefix="drill-") as folder:
        stage = staged(drill, Path(folder), bridged=bridged)
        try:
            told, pairs = zip(*stage.groups(), strict=True)
            stage.warm(list(pairs))
            with Traffic(stage.client, list(pairs), drill.size) as traffic:
                if drill.dies:
                    stage.replaced(traffic)
                code = push(stage.changed, LAB, drill.words, traffic)
            kinds = sorted({*told})
            tell(traffic, {it: [at for at, own in enumerate(told) if own == it] for it in kinds})
            verify = (sys.executable, "-m", "fabricgen", "verify", str(stage.changed), "--lab", LAB)
            subprocess.run(verify, check=False)
        finally:
            stage.client.call("down")
    return code


def main(words: list[str]) -> int:
    """Carry out the drills that are named, or all; the exit code is the worst of their pushes."""
    from bench.edits import EDITS, edited

    every = [*DRILLS, *EDITS]
    names = [word for word in words if word != "--bridged"] or every
    if unknown := {*names} - {*every}:
        sys.exit(f"no drill {', '.join(sorted(unknown))}: {', '.join(every)}")
    need_a_lab()
    codes = []
    for name in names:
        for ground in new_ground():
            os.environ |= ground.environment
            bridged = "--bridged" in words
            carry_out = edited if name in EDITS else carried_out
            codes.append(carry_out(name, bridged=bridged))
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
