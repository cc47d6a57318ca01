"""A frr.conf in; real FRR daemons out that run it, and speak to a spine behind Ethernet0.

They live in a network of their own. Where a switch has the container bgp, `docker exec bgp vtysh`
is the vtysh of this machine.
"""

import json
import os
import pwd
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabricgen.nos.shared.onswitch.commands import Done

SPACES = ("unshare", "-n", "-m", "-p", "--fork", "--kill-child", "--mount-proc")
# $1: the folder. FRR refuses a neighbor whose address is local, so the spine has its own network.
START = """\
set -e
ip link set lo up
unshare -n sleep infinity &
spine=$!
until [ "$(readlink /proc/$spine/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.02; done
ip link add Ethernet0 type veth peer name eth0 netns $spine
ip addr add 10.72.0.129/31 dev Ethernet0
ip link add Loopback0 type bridge
for each in 10.64.0.2 10.65.0.2; do ip addr add $each/32 dev Loopback0; done
for each in Ethernet0 Loopback0; do ip link set $each up; done
ip route add 10.64.255.254/32 via 10.72.0.128
there() { nsenter -t $spine -n "$@"; }
there ip addr add 10.64.255.254/32 dev lo
there ip addr add 10.72.0.128/31 dev eth0
for each in lo eth0; do there ip link set $each up; done
there ip route add 10.64.0.2/32 via 10.72.0.129
options() { echo -d -u frr -g frr --vty_socket $1 -i $1/$2.pid -z $1/zserv.api -A 127.0.0.1; }
/usr/lib/frr/zebra $(options $1/leaf zebra) -M dplane_fpm_nl
/usr/lib/frr/bfdd $(options $1/leaf bfdd) --bfdctl $1/leaf/bfdd.sock
/usr/lib/frr/bgpd $(options $1/leaf bgpd)
/usr/lib/frr/staticd $(options $1/leaf staticd)
there /usr/lib/frr/zebra $(options $1/spine zebra)
there /usr/lib/frr/bfdd $(options $1/spine bfdd) --bfdctl $1/spine/bfdd.sock
there /usr/lib/frr/bgpd $(options $1/spine bgpd)
touch $1/ready
wait
"""
SPINE = """\
frr defaults datacenter
router bgp 4294967294
 bgp router-id 10.64.255.254
 neighbor 10.72.0.129 remote-as 4200000001
 neighbor 10.64.0.2 remote-as 4200000001
 neighbor 10.64.0.2 ebgp-multihop 3
 neighbor 10.64.0.2 update-source 10.64.255.254
 address-family l2vpn evpn
  neighbor 10.64.0.2 activate
 exit-address-family
exit
"""
SESSIONS = ("10.72.0.128", "10.64.255.254")


def why_not() -> str:
    """Say why no FRR can run here; empty when it can."""
    if os.geteuid():
        return "only root may give FRR a network of its own"
    if not (Path("/usr/lib/frr/bgpd").exists() and Path("/usr/bin/vtysh").exists()):
        return "FRR is not installed"
    try:
        pwd.getpwnam("frr")
    except KeyError:
        return "FRR's user is not on this machine"
    done = subprocess.run([*SPACES, "true"], capture_output=True, text=True, check=False)
    return done.stderr.strip()


@dataclass(slots=True)
class RealFrr:
    """A leaf and a spine. restarts: how often the container would have been restarted."""

    home: Path
    restarts: int = 0
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self, frr: str) -> None:
        """Start both, and wait until they speak to each other."""
        user = pwd.getpwnam("frr")
        self.home.chmod(0o755)
        for name in ("leaf", "spine"):
            place = self.home / name
            place.mkdir()
            os.chown(place, user.pw_uid, user.pw_gid)
            (place / "vtysh.conf").touch()
        with (self.home / "errors").open("wb") as errors:
            self._process = subprocess.Popen(
                [*SPACES, "sh", "-c", START, "sh", str(self.home)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        until((self.home / "ready").exists, self.home / "errors")
        for name, text in (("spine", SPINE), ("leaf", frr)):
            file = self.home / f"{name}.conf"
            file.write_text(text)
            assert not self.vtysh("-f", str(file), of=name).status
        self.settle()

    def settle(self) -> None:
        """Wait until every session to the spine stands."""
        until(lambda: [state for state, _ in self.sessions().values()] == ["Established"] * 2)

    def vtysh(self, *words: str, of: str = "leaf") -> Done:
        """Call vtysh."""
        place = str(self.home / of)
        words = ("vtysh", "--vty_socket", place, "--config_dir", place, *words)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return Done(done.returncode, done.stdout, done.stderr)

    def ip(self, words: str) -> None:
        """Change the network of the leaf."""
        assert self._process is not None
        of = self._process.pid
        inside = Path(f"/proc/{of}/task/{of}/children").read_text().split()[0]
        subprocess.run(["nsenter", "-t", inside, "-n", "ip", *words.split()], check=True)

    def run(self, words: Sequence[str], *_: object, **__: object) -> Done:
        """Do what a command of the driver does on a switch."""
        if tuple(words[:4]) == ("docker", "exec", "bgp", "vtysh"):
            return self.vtysh(*words[4:])
        self.restarts += tuple(words) == ("systemctl", "restart", "bgp")
        return Done(1 if "test" in words else 0, "", "")

    def running(self) -> str:
        """Return what the leaf runs."""
        return self.vtysh("-c", "show running-config no-header").out.removesuffix("end\n")

    def pids(self) -> list[str]:
        """Return the processes of the leaf's daemons."""
        return [path.read_text() for path in sorted((self.home / "leaf").glob("*.pid"))]

    def sessions(self) -> dict[str, tuple[str, int]]:
        """Return the state of the sessions to the spine, and how often they broke off."""
        every: dict[str, Any] = json.loads(self.vtysh("-c", "show bgp neighbors json").out or "{}")
        return {
            name: (every[name]["bgpState"], every[name]["connectionsDropped"])
            for name in SESSIONS
            if name in every
        }

    def told(self) -> set[str]:
        """Return the prefixes that the spine has from the leaf."""
        return {*self._routes()}

    def paths(self) -> set[str]:
        """Return the AS paths of what the spine has from the leaf."""
        return {way["path"] for ways in self._routes().values() for way in ways}

    def _routes(self) -> dict[str, Any]:
        said = json.loads(self.vtysh("-c", "show bgp ipv4 unicast json", of="spine").out or "{}")
        routes: dict[str, Any] = said.get("routes", {})
        return routes

    def stop(self) -> None:
        """Stop everything."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def until(true: Callable[[], bool], log: Path | None = None) -> None:
    """Wait for something that happens by itself."""
    for _ in range(1500):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError(log.read_text() if log is not None else "it never happened")
