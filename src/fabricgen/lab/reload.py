"""The switches of a running lab in; what their own tools would change on a reload, out.

Right after a boot that is nothing: the rendered files are in the form in which FRR and ifupdown2
say them back. What they would change then, they would change at every reload.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.lab.client import LabClient, Result

_ROUTING = (
    *("/usr/lib/frr/frr-reload.py", "--test", "--stdout", "--log-level", "warning"),
    "/etc/frr/frr.conf",
)
_INTERFACES = ("ifquery", "-a", "-c")
_AT_ONCE = 4

# What ifquery calls a failure and is none, with the reason; found by the words of its line.
_NO_FAILURE = {
    "bridge-pvid": "ifquery compares with the port's VLAN list, where a PVID of its own is missing",
}


def reload_differences(client: LabClient, switches: Iterable[str]) -> dict[str, list[str]]:
    """Ask each switch what a reload of its own files would change, and change nothing."""
    chosen = list(switches)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = pool.map(lambda name: list(_of(client, name)), chosen)
        return dict(zip(chosen, found, strict=True))


def _of(client: LabClient, name: str) -> Iterator[str]:
    yield from routing_differences(name, client.execute(name, _ROUTING))
    yield from interface_differences(name, client.execute(name, _INTERFACES))


def routing_differences(switch: str, said: Result) -> Iterator[str]:
    """Read frr-reload.py --test: it prints the lines it would delete and add, under two titles."""
    word = ""
    for line in said.stdout.splitlines():
        if line.startswith("Lines To "):
            word = line.removeprefix("Lines To ").strip().lower()
        elif word and line.strip() and not line.startswith("==="):
            yield f"{switch}: a reload of frr.conf would {word}: {line.strip()}"
    if said.status:
        yield f"{switch}: frr-reload.py fails: {(said.stderr or said.stdout).strip()[-200:]}"


def interface_differences(switch: str, said: Result) -> Iterator[str]:
    """Read ifquery --check: an interface's name, then its attributes, wrong ones with [fail]."""
    interface = ""
    for line in said.stdout.splitlines():
        words = line.split()
        if words[:1] in (["auto"], ["iface"]):
            interface = words[1]
        if line.rstrip().endswith("[fail]") and words[0] not in (*_NO_FAILURE, "iface", "auto"):
            attribute = " ".join(words[:-1])
            yield f"{switch}: ifquery finds {interface} not as written: {attribute}"
