"""Asks the tools of running switches what they would change on a reload.

Right after a boot that is nothing, because the rendered files have the form in which FRR and
ifupdown2 print them. A difference after a boot would return at every reload.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from fabricgen.operate.lab.client import LabClient, Result

_ROUTING = (
    *("/usr/lib/frr/frr-reload.py", "--test", "--stdout", "--log-level", "warning"),
    "/etc/frr/frr.conf",
)
_INTERFACES = ("ifquery", "-a", "-c")
_AT_ONCE = 4

_NO_FAILURE = "(bridge pvid error)"
"""What ifquery calls a failure and is none.

A port that takes tagged frames only has no PVID, as `bridge-allow-untagged no` wants it, and
ifupdown2 3.0.0 expects one (addons/bridge.py, _query_check_bridge_port_vidinfo).
"""


def reload_differences(client: LabClient, switches: Iterable[str]) -> dict[str, list[str]]:
    """Ask each switch what a reload of its own files would change, and change nothing."""
    chosen = list(switches)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        differences = pool.map(lambda name: list(_of(client, name)), chosen)
        return dict(zip(chosen, differences, strict=True))


def _of(client: LabClient, name: str) -> Iterator[str]:
    yield from routing_differences(name, client.execute(name, _ROUTING))
    yield from interface_differences(name, client.execute(name, _INTERFACES))


def routing_differences(switch: str, result: Result) -> Iterator[str]:
    """Read frr-reload.py --test: it prints the lines it would delete and add, under two titles."""
    word = ""
    for line in result.stdout.splitlines():
        if line.startswith("Lines To "):
            word = line.removeprefix("Lines To ").strip().lower()
        elif word and line.strip() and not line.startswith("==="):
            yield f"{switch}: a reload of frr.conf would {word}: {line.strip()}"
    if result.status:
        yield f"{switch}: frr-reload.py fails: {(result.stderr or result.stdout).strip()[-200:]}"


def interface_differences(switch: str, result: Result) -> Iterator[str]:
    """Read ifquery --check: what it finds of each attribute, a wrong one with [fail].

    An interface's own line fails with its attributes; by itself it gives a reason in brackets.
    """
    interface = ""
    for line in result.stdout.splitlines():
        what = line.removesuffix("[fail]").strip()
        if what.startswith("iface "):
            interface, what = what.split()[1], what.partition("(")[2]
        if line.endswith("[fail]") and what and f"({what}" != _NO_FAILURE:
            yield f"{switch}: ifquery finds {interface} not as written: {what.rstrip(')')}"
    if not interface:
        yield f"{switch}: ifquery fails: {result.stderr.strip()[-200:]}"
