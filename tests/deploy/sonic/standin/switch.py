"""STAND-IN, not SONiC: a folder in; a switch with a real sshd and a real Redis in it out."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.deploy.sonic.standin.redis import Redis, read, store

from fabricgen.operate.lab.tools import Tools

HERE = Path(__file__).parent
ASKED = ("bridge", "chronyc", "ip", "ping", "portstat", "show", "teamshow")
PROGRAMS = (*ASKED, "config", "docker", "sonic-cfggen", "systemctl")
REDIS_CLI = """\
#!/bin/sh
echo "redis-cli" >>"$STANDIN/commands"
LD_LIBRARY_PATH={libraries} exec {program} -s "$STANDIN/redis.sock" "$@"
"""
CHANGING = re.compile(
    r"^(config|systemctl) (?!apply-patch --dry-run|list-dependencies|is-active)|--reload"
)
MODELS = """\
import json, os, pathlib
class SonicYang:
    def __init__(self, folder):
        assert folder == "/usr/local/yang-models"
    def loadYangModel(self):
        pass
    def loadData(self, configdbJson):
        faults = pathlib.Path(os.environ["STANDIN"], "faults.json")
        wrong = faults.exists() and json.loads(faults.read_text()).get("models-refuse")
        if wrong:
            raise ValueError(wrong)
        self.loaded = True
    def validate_data_tree(self):
        assert self.loaded
"""
SUDO = """\
#!/bin/sh
echo "sudo $*" >>"$STANDIN/commands"
shift
exec "$@"
"""
ACCOUNTS = "root:x:0:0::/:/bin/sh\nsshd:x:992:992::/run/sshd:/usr/sbin/nologin\n"
SSHD = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {home}/host_key
AuthorizedKeysFile {home}/key.pub
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
StrictModes no
PidFile none
SetEnv PATH={home}/bin:/usr/bin:/bin STANDIN={home} PYTHONPATH={home}/lib LC_ALL=C.UTF-8
"""
# Its own /etc, /run and /var/lib; process 1 waits for whoever loses its parent.
SPACES = ("unshare", "-m", "-p", "--fork", "--kill-child", "--mount-proc")
START = """\
set -e
mount --make-rprivate /
for each in etc run var/lib; do mount --bind "$1/$each" "/$each"; done
"$2" --port 0 --unixsocket "$1/redis.sock" --save '' --dir "$1" --logfile "$1/redis.log" &
"$3" -D -e -f "$1/sshd_config" 2>"$1/sshd.log" &
wait
"""


@cache
def why_not() -> str:
    """Say why no stand-in can run here; empty when it can."""
    tools = Tools.here()
    if os.geteuid():
        return "only root may give a stand-in its own /etc and process space"
    wanted = ("usr/bin/redis-server", "usr/bin/redis-cli", "usr/sbin/sshd", "usr/bin/ssh-keygen")
    if missing := [path for path in wanted if tools.find(path) is None]:
        return f"neither installed nor unpacked: {', '.join(missing)} (.ci/system-packages)"
    done = subprocess.run([*SPACES, "true"], capture_output=True, text=True, check=False)
    return done.stderr.strip()


def libraries() -> dict[str, str]:
    """Return the environment in which unpacked programs find their libraries."""
    root = Tools.here().root
    found = sorted(root.glob("usr/lib/*-linux-gnu")) if root else []
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, found))} if found else {**os.environ}


def tool(path: str) -> str:
    """Return a program that `why_not` found."""
    found = Tools.here().find(path)
    assert found is not None
    return str(found)


@dataclass(slots=True)
class StandIn:
    """One switch. Its programs are ours, its SSH server and its database are real."""

    home: Path
    port: int = 0
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self, tables: Mapping[str, Any], frr: str) -> None:
        """Start it with a configuration."""
        self._furnish()
        for name in ("host_key", "key"):
            words = (tool("usr/bin/ssh-keygen"), "-qt", "ed25519", "-N", "", "-f", self.home / name)
            subprocess.run(words, check=True, env=libraries())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (self.home / "sshd_config").write_text(SSHD.format(port=self.port, home=self.home))
        servers = (tool("usr/bin/redis-server"), tool("usr/sbin/sshd"))
        self._process = subprocess.Popen(
            [*SPACES, "sh", "-c", START, "sh", str(self.home), *servers],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=libraries(),
        )
        self._wait()
        self.known_hosts()
        db = self.database()
        store(db, ((table, row, of) for table, rows in tables.items() for row, of in rows.items()))
        db.close()
        self.frr.write_text(frr)
        self.running_frr.write_text(frr)

    def _furnish(self) -> None:
        for each in ("etc/sonic/frr", "run/sshd", "var/lib", "bin", "lib", "answers"):
            (self.home / each).mkdir(parents=True)
        (self.home / "lib/sonic_yang.py").write_text(MODELS)
        (self.home / "run/sshd").chmod(0o755)
        (self.home / "etc/passwd").write_text(ACCOUNTS)
        (self.home / "etc/shadow").write_text("root:*:19000:0:99999:7:::\n")
        (self.home / "etc/group").write_text("root:x:0:\nsshd:x:992:\n")
        for name in ("ld.so.cache", "nsswitch.conf", "alternatives"):
            if (Path("/etc") / name).is_file():
                shutil.copy(Path("/etc") / name, self.home / "etc" / name)
        base = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
        program = self.home / "bin" / "program"
        program.write_text(f"#!{base} -SE\n" + (HERE / "programs.py").read_text())
        program.chmod(0o755)
        modules = self.home / "bin/tests/deploy/sonic/standin"
        modules.mkdir(parents=True)
        for name in ("redis.py", "patching.py", "vtysh.py"):
            shutil.copy(HERE / name, modules)
        for name in PROGRAMS:
            (self.home / "bin" / name).symlink_to("program")
        real = tool("usr/bin/redis-cli")
        paths = libraries().get("LD_LIBRARY_PATH", "")
        (self.home / "bin/redis-cli").write_text(REDIS_CLI.format(libraries=paths, program=real))
        (self.home / "bin/redis-cli").chmod(0o755)
        (self.home / "bin/sudo").write_text(SUDO)
        (self.home / "bin/sudo").chmod(0o755)
        (self.home / "bin" / "python3").symlink_to(base)
        (self.home / "bin" / "awk").symlink_to(Path(shutil.which("awk") or "").resolve())

    def _wait(self) -> None:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                self.database().close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        logs = [self.home / name for name in ("sshd.log", "redis.log")]
        raise AssertionError([log.read_text() for log in logs if log.exists()])

    def known_hosts(self) -> Path:
        """Write down its host key as OpenSSH does."""
        kind, key, *_ = (self.home / "host_key.pub").read_text().split()
        path = self.home / "known_hosts"
        path.write_text(f"[127.0.0.1]:{self.port} {kind} {key}\n")
        return path

    @property
    def options(self) -> dict[str, Any]:
        """NAPALM's optional_args for it."""
        known, key = str(self.home / "known_hosts"), str(self.home / "key")
        return {"port": self.port, "known_hosts": known, "key_file": key, "routing_timeout": 1}

    def database(self) -> Redis:
        """Connect to its CONFIG_DB, behind its back."""
        return Redis(str(self.home / "redis.sock"))

    def tables(self) -> dict[str, Any]:
        """Return its CONFIG_DB."""
        db = self.database()
        try:
            return read(db)
        finally:
            db.close()

    def image(self) -> tuple[Any, str, str]:
        """Return everything it runs, byte for byte: CONFIG_DB, frr.conf, and what FRR runs."""
        db = self.database()
        try:
            return db.raw(), self.frr.read_text(), self.running_frr.read_text()
        finally:
            db.close()

    @property
    def frr(self) -> Path:
        """Its frr.conf."""
        return self.home / "etc/sonic/frr/frr.conf"

    @property
    def running_frr(self) -> Path:
        """What its FRR runs."""
        return self.home / "running.conf"

    def state(self) -> dict[str, Any]:
        """Return what our program wrote down there."""
        path = self.home / "var/lib/fabricgen/commit.json"
        return dict(json.loads(path.read_text())) if path.exists() else {}

    def fail(self, **faults: Any) -> None:
        """Say what goes wrong from now on; nothing when nothing is said."""
        named = {name.replace("_", "-"): value for name, value in faults.items()}
        (self.home / "faults.json").write_text(json.dumps(named))

    def answer(self, command: str, text: str) -> None:
        """Prepare what a command says."""
        (self.home / "answers" / command).write_text(text)

    def commands(self) -> list[str]:
        """Return every command that was called there."""
        path = self.home / "commands"
        return path.read_text().splitlines() if path.exists() else []

    def changes(self) -> list[str]:
        """Return the commands that change something."""
        return [line for line in self.commands() if CHANGING.search(line)]

    def kill_commit(self, *, children: bool = True) -> None:
        """Kill the process on it that holds the lock of our program, as a crash would.

        children: and the commands that inherited it.
        """
        assert self._process is not None
        lock = str(self.home / "run/fabricgen/process")
        space = self._first() / "ns/pid"
        for path in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                inside = (path / "ns/pid").readlink() == space.readlink()
                command = (path / "cmdline").read_bytes()
                if not children and b"-I" not in command.split(b"\0"):
                    continue
                if inside and any(_opens(each, lock) for each in (path / "fd").iterdir()):
                    os.kill(int(path.name), signal.SIGKILL)

    def _first(self) -> Path:
        assert self._process is not None
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return Path("/proc") / children[0]

    def stop(self) -> None:
        """Stop it with everything that runs on it."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.kill()
            self._process.wait()


def _opens(descriptor: Path, path: str) -> bool:
    return descriptor.stat().st_ino == Path(path).stat().st_ino
