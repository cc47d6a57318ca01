"""Create, fail, restore and delete the switches, hosts and cables of a running lab."""

import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fabricgen.operate.lab.engine import first, wires
from fabricgen.operate.lab.engine.switch import START_FRR, SwitchNode
from fabricgen.operate.lab.engine.wires import End, batch
from fabricgen.operate.lab.engine.world import ROOT, LabError, World, run

Tell = Callable[[dict[str, Any]], None]


class Lab:
    """A running lab. Every method blocks; the engine calls them from threads."""

    def __init__(self, plan: dict[str, Any], files: Path, world: World, workers: int) -> None:
        """Take a plan, its rendered tree, and the number of simultaneous starts."""
        self.plan, self.files, self.world, self.workers = plan, files, world, workers
        self.switches = {
            each["name"]: SwitchNode(
                name=each["name"],
                folder=files / each["folder"],
                management=each["management"],
                fresh=each["name"] in plan["fresh"],
            )
            for each in plan["switches"]
        }
        self.routers = {
            each["name"]: SwitchNode(
                name=each["name"], folder=files / each["folder"], management=""
            )
            for each in plan["routers"]
        }
        self.broken: dict[str, list[str]] = {}  # kinds of failures by object
        self.open: dict[str, list[End]] = {}  # by failed switch: ports that were up

    def boot(self, tell: Tell) -> dict[str, Any]:
        """Create and start everything; return the duration of each part in seconds."""
        begun = time.monotonic()
        Path("/run/netns").mkdir(parents=True, exist_ok=True)
        self.world.prepare()
        self.world.lay_hosts()
        tell({"event": "making", "switches": len(self.switches)})
        self._spaces()
        self._cables()
        if self.plan["fresh"]:
            first.serve(self.files / "boot", self.plan["gateway"].partition("/")[0])
        for planned in (*self.plan["routers"], *self.plan["hosts"]):
            batch(planned["commands"], planned["name"])
        created = time.monotonic()
        with ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(SwitchNode.route, self.routers.values()))
            steps = dict(pool.map(lambda node: self._start(node, tell), self.switches.values()))
        done = time.monotonic()
        skipped = self._skipped()
        for reason, names in skipped.items():
            tell({"event": "skipped", "reason": reason, "names": names})
        return {
            "made": round(created - begun, 2),
            "started": round(done - created, 2),
            "steps": steps,
            "skipped": skipped,
            "memory": memory_used(),
        }

    def _start(self, node: SwitchNode, tell: Tell) -> tuple[str, dict[str, float]]:
        tell({"event": "switch", "name": node.name, "step": "starting"})
        took = node.start(lambda step: tell({"event": "switch", "name": node.name, "step": step}))
        tell({"event": "switch", "name": node.name, "step": "started"})
        return node.name, took

    def _skipped(self) -> dict[str, list[str]]:
        """Return the skipped features with their switches."""
        seen: dict[str, list[str]] = {}
        for node in self.switches.values():
            for reason in dict.fromkeys(node.skipped):
                seen.setdefault(reason, []).append(node.name)
        return seen

    def _spaces(self) -> None:
        with ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(lambda node: node.create(self.world), self.nodes.values()))
        lines = [f"netns attach {node.name} {node.pid}" for node in self.nodes.values()]
        batch([*lines, *(f"netns add {each['name']}" for each in self.plan["hosts"])])

    def _cables(self) -> None:
        cabled = {
            End(cable[node], cable[port])
            for cable in self.plan["cables"]
            for node, port in (("a", "a_port"), ("b", "b_port"))
        }
        lines = wires.management(self.plan["gateway"])
        for number, planned in enumerate(self.plan["switches"]):
            lines += wires.attach(number, planned["name"], planned["mac"])
            lines += [
                wires.empty(planned["name"], port)
                for port in planned["ports"]
                if End(planned["name"], port) not in cabled
            ]
        lines += [wires.cable(*ends_of(cable)) for cable in self.plan["cables"]]
        batch(lines)

    @property
    def nodes(self) -> dict[str, SwitchNode]:
        """Return switches and routers."""
        return {**self.switches, **self.routers}

    def switch(self, name: str) -> SwitchNode:
        """Return a switch; raise LabError with the known switches if it is unknown."""
        if name not in self.switches:
            there = ", ".join(sorted(self.switches)[:8])
            raise LabError(f"the lab has no switch {name!r}; known switches: {there}")
        return self.switches[name]

    def execute(
        self, name: str, command: list[str], text: str | None, seconds: float
    ) -> dict[str, Any]:
        """Run a command on a switch or in a host's network, with a timeout."""
        try:
            done = self._executed(name, command, text, seconds)
        except subprocess.TimeoutExpired:
            return {"status": 124, "stdout": "", "stderr": f"no answer within {seconds} s"}
        return {"status": done.returncode, "stdout": done.stdout, "stderr": done.stderr}

    def _executed(
        self, name: str, command: list[str], text: str | None, seconds: float
    ) -> subprocess.CompletedProcess[str]:
        if name in self.nodes:
            return self.nodes[name].run(command, text, seconds)
        if any(each["name"] == name for each in self.plan["hosts"]):
            root = str(ROOT / "hosts/root")
            return run(["ip", "netns", "exec", name, "chroot", root, *command], text, seconds)
        raise LabError(f"the lab has no switch or host {name!r}")

    def at(self, name: str) -> list[tuple[End, End]]:
        """Return the cable with this end, or all cables of a switch."""
        cables = [
            ends
            for ends in map(ends_of, self.plan["cables"])
            if name in (str(ends[0]), str(ends[1]), *(end.node for end in ends))
        ]
        if not cables:
            raise LabError(f"unknown switch or cable {name!r}; write a cable as switch:port")
        return cables

    def fail(self, name: str, *, silent: bool) -> dict[str, Any]:
        """Fail a cable or a switch; with `silent` the links stay up."""
        cables = self.at(name)
        if name in self.nodes:
            self._stop(self.nodes[name], cables, silent=silent)
        elif silent:
            wires.silence(cables[0])
        else:
            wires.cut(next(end for end in cables[0] if str(end) == name))
        self.broken.setdefault(name, []).append("silent" if silent else "down")
        return {"cables": [f"{a} -- {b}" for a, b in cables]}

    def _stop(self, node: SwitchNode, cables: list[tuple[End, End]], *, silent: bool) -> None:
        """Kill the daemons of a switch and stop its forwarding; with `silent` the links stay up."""
        ends = [end for pair in cables for end in pair if end.node == node.name]
        words = node.run(("ip", "-br", "link", "show", "up")).stdout.replace("@", " ").split()
        self.open.setdefault(node.name, [end for end in ends if end.port in words])
        if silent:
            wires.silence(ends)
        else:
            batch([f"link set {end.port} down" for end in ends], node.name)
        node.run(("pkill", "-KILL", "-f", "/usr/lib/frr/|lldpd"))

    def restore(self, name: str | None) -> dict[str, Any]:
        """Restore one link or switch, or all; a switch boots from its rendered files."""
        names = [name] if name else list(self.broken)
        for each in names:
            if each not in self.broken:
                raise LabError(f"{each!r} has not failed: nothing to restore")
            self._mend(each)
            del self.broken[each]
        return {"restored": names}

    def _mend(self, name: str) -> None:
        cables = self.at(name)
        if name in self.nodes:
            ends = [end for pair in cables for end in pair if end.node == name]
            wires.listen(ends)
            batch([f"link set {end.port} up" for end in self.open.pop(name)], name)
            self._revive(self.nodes[name])
            return
        wires.listen(cables[0])
        for end in cables[0]:
            wires.mend(end)

    def _revive(self, node: SwitchNode) -> None:
        node.run(("sh", "-c", "rm -f /run/frr/*.pid /run/frr/*.vty; rm -f /run/lldpd*"))
        node.must(START_FRR, "FRR did not start again")
        if node.name in self.switches:
            node.must(("/usr/sbin/lldpd",), "lldpd did not start again")

    def keys(self, key: str) -> dict[str, str]:
        """Install a public key on all switches; return the host keys."""
        for node in self.switches.values():
            node.run(("sh", "-c", "cat > /etc/ssh/lab_key"), key)
        path = "etc/ssh/ssh_host_ed25519_key.pub"
        return {
            name: (node.place / "upper" / path).read_text().strip()
            for name, node in self.switches.items()
        }


def ends_of(cable: dict[str, str]) -> tuple[End, End]:
    """Return both ends of a planned cable."""
    return End(cable["a"], cable["a_port"]), End(cable["b"], cable["b_port"])


def memory_used() -> int:
    """Return the used memory of the machine in bytes."""
    facts = dict(
        line.split(":") for line in Path("/proc/meminfo").read_text().splitlines() if ":" in line
    )
    kib = {key: int(facts[key].split()[0]) for key in ("MemTotal", "MemAvailable")}
    return (kib["MemTotal"] - kib["MemAvailable"]) * 1024
