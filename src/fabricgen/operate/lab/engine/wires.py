"""Writes the `ip -batch` commands of the lab's cables and of broken ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fabricgen.operate.lab.engine.world import LabError, run

BRIDGE = "lab-mgmt"
"""The management network: a bridge in the machine's own network space.

No port of a host may be called like it or its ports: the kernel makes a veth pair there before it
moves the ends.
"""
_LIGHT = "lab-light"

_LINES = 400
"""Of one `ip -batch`: it keeps a file open for each `netns NAME` in them, and may have 1,024."""
_IPV6 = "-6 "


@dataclass(frozen=True, slots=True)
class End:
    """One end of a cable."""

    node: str
    port: str

    def __str__(self) -> str:
        """Return it as people write it."""
        return f"{self.node}:{self.port}"


def batch(lines: Iterable[str], where: str | None = None) -> None:
    """Run many `ip` commands in few processes, in a named network namespace if any.

    Those that begin with -6 are about IPv6 and come last: a batch has one family.
    """
    chosen: dict[bool, list[str]] = {False: [], True: []}
    for line in lines:
        chosen[line.startswith(_IPV6)].append(line.removeprefix(_IPV6))
    for six, part in chosen.items():
        space = ("-n", where) if where else ()
        command = ["ip", *(("-6",) if six else ()), *space, "-batch", "-"]
        for start in range(0, len(part), _LINES):
            run(command, "\n".join(part[start : start + _LINES]) + "\n", check=True)


def management(gateway: str) -> list[str]:
    """Make the management network; the lab itself has the gateway's address in it.

    A port that is always up keeps its light on: Kea listens where there is light when it starts.
    """
    return [
        "link set lo up",
        f"link add {BRIDGE} type bridge",
        f"address add {gateway} dev {BRIDGE}",
        f"link set {BRIDGE} up",
        f"link add {_LIGHT} type dummy",
        f"link set {_LIGHT} master {BRIDGE} up",
    ]


def attach(number: int, switch: str, mac: str) -> list[str]:
    """Cable a switch's management port; mac: its own, if it is known."""
    own = f" address {mac}" if mac else ""
    return [
        f"link add {_port(number)} type veth peer name eth0{own} netns {switch}",
        f"link set {_port(number)} master {BRIDGE} up",
    ]


def detach(number: int) -> str:
    """Take that cable away."""
    return f"link del {_port(number)}"


def _port(number: int) -> str:
    return f"lab-m{number}"


def cable(a: End, b: End) -> str:
    """Make a cable: a pair of veth, each in its owner's space."""
    return f"link add {a.port} netns {a.node} type veth peer name {b.port} netns {b.node}"


def empty(switch: str, port: str) -> str:
    """Make a port with no cable in it."""
    return f"link add {port} netns {switch} type dummy"


def cut(end: End) -> None:
    """Take the light away at one end; the other end sees it at once."""
    batch([f"link set {end.port} down"], end.node)


def mend(end: End) -> None:
    """Give the light back."""
    batch([f"link set {end.port} up"], end.node)


def silence(ends: Sequence[End]) -> None:
    """Lose every frame that arrives, while both ends stay up: only BFD can tell."""
    for end in ends:
        _tc(end, "qdisc", "replace", "dev", end.port, "ingress")
        words = "parent ffff: protocol all prio 1 matchall action drop"
        _tc(end, "filter", "replace", "dev", end.port, *words.split())


def listen(ends: Sequence[End]) -> None:
    """Let frames arrive again."""
    for end in ends:
        run(["tc", "-n", end.node, "qdisc", "del", "dev", end.port, "ingress"])


def _tc(end: End, *words: str) -> None:
    done = run(["tc", "-n", end.node, *words])
    if done.returncode:
        raise LabError(f"{end}: {done.stderr.strip()}")
