"""Start a switch from its rendered files in the order of a real boot and run commands on it."""

import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fabricgen.operate.lab.engine.world import (
    ENVIRONMENT,
    FRR_USER,
    ROOT,
    LabError,
    RefusedError,
    World,
    run,
)
from fabricgen.operate.lab.refused import refused_lines

_START = (
    "/usr/lib/frr/watchfrr.sh start all > /run/frr/start.log 2>&1; done=$?; "
    "cat /run/frr/start.log; exit $done"
)
START_FRR = ("sh", "-c", _START)
"""The output is a file, not a pipe, because daemons of FRR 10 keep it open."""
_NODE = Path(__file__).with_name("node.sh")
_UNIT = "etc/systemd/system/fabricgen.service"
_LEFT_OUT = ("chpasswd", "dcb.sh")  # commands of the unit; operate/lab/layout.py has the reasons
_OPAQUE = "trusted.overlay.opaque"
_ZONES = "zones: this kernel has no nftables for IP, so all traffic passes"
_MARKS = "DSCP marking: this kernel has no nftables for ports, so packets keep their DSCP"
_SSHD = """\
# The first value wins: the rendered one has no key of the lab.
AuthorizedKeysFile .ssh/authorized_keys /etc/ssh/authorized_keys.d/%u /etc/ssh/lab_key
Include /etc/ssh/sshd_config.d/*.conf
HostKey /etc/ssh/ssh_host_ed25519_key
PermitRootLogin prohibit-password
PasswordAuthentication no
UsePAM no
UseDNS no
StrictModes no
Subsystem sftp internal-sftp
"""


_REBOOT = "run/reboot"
_IMAGE = {
    "usr/sbin/reboot": f"#!/bin/sh\ntouch /{_REBOOT}\n",
    "etc/frr/daemons": "bgpd=no\n",
    "etc/frr/frr.conf": "log syslog informational\n",
}
"""Image of a fresh switch: it cannot power-cycle, so the lab notices a requested reboot.
FRR has the defaults of Debian's package, without BGP.
"""
_ANEW = (
    "pkill dhclient; ip address flush dev eth0; rm -rf /run/network/*; hostname -F /etc/hostname"
)


@dataclass(slots=True, kw_only=True)
class SwitchNode:
    """A switch.

    Attributes:
        fresh: It starts from its image alone and requests its configuration.
        pid: Its first process, 0 before the start.
        skipped: Features that it could not use.
    """

    name: str
    folder: Path
    management: str
    fresh: bool = False
    pid: int = 0
    skipped: list[str] = field(default_factory=list)

    @property
    def place(self) -> Path:
        """Return the folder of its layers."""
        return ROOT / "switches" / self.name

    def create(self, world: World) -> None:
        """Create its namespaces and install its files."""
        upper = self.place / "upper"
        _copy_layer(world.base, upper)
        shutil.copytree(self.folder, upper, dirs_exist_ok=True)
        for name, text in _IMAGE.items() if self.fresh else ():
            (upper / name).parent.mkdir(parents=True, exist_ok=True)
            (upper / name).write_text(text)
            (upper / name).chmod(0o755)
        for path in (upper / "etc/frr").iterdir():
            shutil.chown(path, FRR_USER, FRR_USER)
        (upper / "etc/ssh/sshd_config").write_text(_SSHD)
        for each in ("work", "root"):
            (self.place / each).mkdir()
        spaces = ("unshare", "-m", "-u", "-n", "-p", "-i", "--fork", "--kill-child", "--")
        script = ("sh", str(_NODE), "debian" if self.fresh else self.name, world.lower)
        layers = (str(upper), str(self.place / "work"), str(self.place / "root"))
        process = subprocess.Popen(  # noqa: S603 - our own script
            (*spaces, *script, *layers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            text=True,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        if process.stdout.readline().strip() != "ready":
            raise LabError(f"{self.name}: root file system failed: {process.stderr.read().strip()}")
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        self.pid = int(children)

    def run(
        self, command: Sequence[str], text: str | None = None, timeout: float = 120
    ) -> subprocess.CompletedProcess[str]:
        """Run a command on this switch."""
        spaces = ("nsenter", "-t", str(self.pid), "-m", "-u", "-n", "-p", "-i", "--")
        return run((*spaces, *command), text, timeout)

    def must(self, command: Sequence[str], what: str) -> str:
        """Run a command on this switch that has to succeed."""
        done = self.run(command)
        if done.returncode:
            raise LabError(f"{self.name}: {what}: {_last_lines(done)}")
        return done.stdout

    def start(self, tell: Callable[[str], None]) -> dict[str, float]:
        """Start everything in the order of a real boot; return the seconds of each step."""
        took: dict[str, float] = {}
        for word, step in (
            *((("first boot", self._first_boot),) if self.fresh else ()),
            ("kernel settings", self._sysctl),
            ("interfaces", self._interfaces),
            ("queues", self._unit),
            ("routing", self._routing),
            ("services", self._services),
        ):
            tell(word)
            begun = time.monotonic()
            step()
            took[word] = round(time.monotonic() - begun, 2)
        return took

    def route(self) -> None:
        """Start an external router: forwarding and FRR, without services."""
        self._sysctl()
        self._routing()

    @property
    def root(self) -> Path:
        """Return its root file system, as the switch sees it."""
        return Path(f"/proc/{self.pid}/root")

    def _first_boot(self) -> None:
        """Run the first boot: request the configuration by DHCP and run it until the reboot."""
        self._interfaces()
        if not (self.root / _REBOOT).exists():
            leases = self.run(("sh", "-c", "cat /var/lib/dhcp/*.leases")).stdout.split()
            said = (
                f"the DHCP leases contain: {' '.join(leases)}"
                if leases
                else "no DHCP server answered"
            )
            raise LabError(f"{self.name}: the first boot fetched no configuration: {said}")
        self.run(("sh", "-c", _ANEW))

    def reload(self, files: dict[str, str]) -> list[str]:
        """Install changed files and reload their services, as an operator would.

        Files without a difference are ignored. The paths of the changed files are returned.
        """
        changed = [path for path, text in files.items() if _text(self.root / path) != text]
        for path in changed:
            (self.root / path).write_text(files[path])
        for path, step in (
            ("etc/sysctl.d/", self._sysctl),
            ("etc/network/interfaces", self._interfaces),
            ("etc/fabricgen/tc.batch", self._unit),
            ("etc/fabricgen/zones.nft", self._unit),
            ("etc/fabricgen/marks.nft", self._unit),
            ("etc/frr/frr.conf", self._reload_frr),
        ):
            if any(each.startswith(path) for each in changed):
                step()
        return changed

    def _reload_frr(self) -> None:
        self._judge_frr()
        words = ("/usr/lib/frr/frr-reload.py", "--reload", "/etc/frr/frr.conf")
        self.must(words, "frr-reload.py failed")

    def _judge_frr(self) -> None:
        done = self.run(("vtysh", "-C", "-f", "/etc/frr/frr.conf"))
        if done.returncode:
            reason = _last_lines(done)
            raise RefusedError(f"{self.name}: FRR rejected etc/frr/frr.conf: {reason}")

    def _sysctl(self) -> None:
        """Apply the settings as systemd-sysctl does at boot."""
        done = self.run(("sh", "-c", "sysctl -q -p /etc/sysctl.d/*.conf"))
        self.skipped.extend(
            f"{line.rpartition('/proc/sys/')[2].partition(':')[0].replace('/', '.')}: this "
            "kernel does not support the setting per switch"
            for line in done.stderr.splitlines()
            if "/proc/sys/" in line
        )

    def _interfaces(self) -> None:
        """Configure the interfaces as ifupdown2's networking.service does at boot."""
        done = self.run(("ifreload", "-a"), timeout=300)
        errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
        if errors or done.returncode:  # it returns 0 after an invalid address
            reason = "; ".join(errors[:4]) or done.stderr.strip()
            raise RefusedError(f"{self.name}: ifupdown2 rejected etc/network/interfaces: {reason}")

    def _unit(self) -> None:
        """Run the commands of the rendered unit in their order."""
        path = self.root / _UNIT
        for line in path.read_text().splitlines() if path.exists() else ():
            if line.startswith("ExecStart=") and not any(word in line for word in _LEFT_OUT):
                command = shlex.split(line.partition("=")[2])
                done = self.run(command)
                if done.returncode and command[0].endswith("/nft"):
                    self.skipped.append(_MARKS if "marks" in command[-1] else _ZONES)
                elif done.returncode:
                    self.skipped.extend(_complaints(command[0], done.stderr))

    def _routing(self) -> None:
        """Validate FRR's file, then start the daemons of the rendered list."""
        self._judge_frr()
        output = self._start_frr()
        there = {path.stem for path in (self.root / "run/frr").glob("*.vty")}
        lines = (self.root / "etc/frr/daemons").read_text().splitlines()
        wanted = {"zebra", "staticd", *(x.removesuffix("=yes") for x in lines if "d=yes" in x)}
        if wanted - there:
            raise LabError(
                f"{self.name}: {', '.join(sorted(wanted - there))} did not start: {output}"
            )

    def _start_frr(self) -> str:
        """Start the daemons, which read their lines; FRR starts with status 1 if one is refused."""
        done = self.run(START_FRR)
        if done.returncode and (refused := refused_lines(done.stdout)):
            lines = "; ".join(refused[:8])
            raise RefusedError(f"FRR on {self.name} refused lines of etc/frr/frr.conf: {lines}")
        if done.returncode:
            raise LabError(f"FRR on {self.name} did not start: {_last_lines(done)}")
        return done.stdout

    def _services(self) -> None:
        key = "/etc/ssh/ssh_host_ed25519_key"
        self.must(("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key), "no host key")
        self.must(("/usr/sbin/sshd",), "sshd did not start")
        self.must(("/usr/sbin/lldpd",), "lldpd did not start")


def _last_lines(done: subprocess.CompletedProcess[str]) -> str:
    return "; ".join((done.stderr or done.stdout).strip().splitlines()[-8:])


def _text(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


def _copy_layer(source: Path, target: Path) -> None:
    """Copy a layer with the attributes that make a folder hide lower layers."""
    shutil.copytree(source, target, symlinks=True)
    for folder in source.rglob("*"):
        if folder.is_dir() and _OPAQUE in os.listxattr(folder):
            os.setxattr(target / folder.relative_to(source), _OPAQUE, b"y")


def _complaints(command: str, output: str) -> list[str]:
    """Return the errors of a command, except for deletions of missing objects."""
    name = command.rpartition("/")[2]
    kept = {
        line
        for line in output.splitlines()
        if line.strip() and not line.startswith(("Command failed", "We have an error"))
    }
    return [f"{name}: {line}" for line in sorted(kept) if "No such file" not in line]
