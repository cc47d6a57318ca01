"""Write the `ip -batch` commands of the lab's cables and of broken ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fabricgen.operate.lab.engine.world import LabError, run

BRIDGE = "lab-mgmt"
"""The management network: a bridge in the namespace of the machine.

No port of a host may have its name or that of its ports: the kernel creates a veth pair there
before it moves the ends.
"""
_LIGHT = "lab-light"

_LINES = 400
"""Lines of one `ip -batch`: it keeps a file open for each `netns NAME`, up to 1,024."""
_IPV6 = "-6 "


@dataclass(frozen=True, slots=True)
class End:
    """One end of a cable."""

    node: str
    port: str

    def __str__(self) -> str:
        """Return the notation node:port."""
        return f"{self.node}:{self.port}"


def batch(lines: Iterable[str], where: str | None = None) -> None:
    """Run many `ip` commands in few processes, optionally in a named network namespace.

    Commands that begin with -6 apply to IPv6 and run last: a batch has one address family.
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
    """Make the management network, in which the lab has the gateway's address.

    An extra port keeps the bridge up, because Kea listens only on interfaces that are up at its
    start.
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
    """Connect a switch's management port. mac: its MAC address, if known."""
    own = f" address {mac}" if mac else ""
    return [
        f"link add {_port(number)} type veth peer name eth0{own} netns {switch}",
        f"link set {_port(number)} master {BRIDGE} up",
    ]


def detach(number: int) -> str:
    """Remove the cable of a management port."""
    return f"link del {_port(number)}"


def _port(number: int) -> str:
    return f"lab-m{number}"


def cable(a: End, b: End) -> str:
    """Make a cable: a pair of veth, each in the namespace of its switch or host."""
    return f"link add {a.port} netns {a.node} type veth peer name {b.port} netns {b.node}"


def empty(switch: str, port: str) -> str:
    """Make a port without a cable."""
    return f"link add {port} netns {switch} type dummy"


def cut(end: End) -> None:
    """Set one end down; the other end sees it at once."""
    batch([f"link set {end.port} down"], end.node)


def mend(end: End) -> None:
    """Set one end up."""
    batch([f"link set {end.port} up"], end.node)


def silence(ends: Sequence[End]) -> None:
    """Drop every arriving frame while both ends stay up: only BFD detects it."""
    for end in ends:
        _tc(end, "qdisc", "replace", "dev", end.port, "ingress")
        words = "parent ffff: protocol all prio 1 matchall action drop"
        _tc(end, "filter", "replace", "dev", end.port, *words.split())


def listen(ends: Sequence[End]) -> None:
    """Stop dropping frames."""
    for end in ends:
        run(["tc", "-n", end.node, "qdisc", "del", "dev", end.port, "ingress"])


def _tc(end: End, *words: str) -> None:
    done = run(["tc", "-n", end.node, *words])
    if done.returncode:
        raise LabError(f"{end}: {done.stderr.strip()}")
