"""Check which changes a reload would cause on running switches.

Right after a boot there must be none, because the rendered files have the form in which FRR and
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
"""Harmless failure of ifquery.

A port for tagged frames only has no PVID, as `bridge-allow-untagged no` requires, and ifupdown2
3.0.0 expects one (addons/bridge.py, _query_check_bridge_port_vidinfo).
"""


def reload_differences(client: LabClient, switches: Iterable[str]) -> dict[str, list[str]]:
    """Return the changes that a reload of its files would cause on each switch."""
    chosen = list(switches)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        differences = pool.map(lambda name: list(_of(client, name)), chosen)
        return dict(zip(chosen, differences, strict=True))


def _of(client: LabClient, name: str) -> Iterator[str]:
    yield from routing_differences(name, client.execute(name, _ROUTING))
    yield from interface_differences(name, client.execute(name, _INTERFACES))


def routing_differences(switch: str, result: Result) -> Iterator[str]:
    """Parse frr-reload.py --test: it prints the lines to delete and to add under two titles."""
    word = ""
    for line in result.stdout.splitlines():
        if line.startswith("Lines To "):
            word = line.removeprefix("Lines To ").strip().lower()
        elif word and line.strip() and not line.startswith("==="):
            yield f"{switch}: a reload of frr.conf would {word}: {line.strip()}"
    if result.status:
        yield f"{switch}: frr-reload.py failed: {(result.stderr or result.stdout).strip()[-200:]}"


def interface_differences(switch: str, result: Result) -> Iterator[str]:
    """Parse ifquery --check, which marks a wrong attribute with [fail].

    The line of an interface fails with its attributes; if it fails alone, it has a reason in
    brackets.
    """
    interface = ""
    for line in result.stdout.splitlines():
        what = line.removesuffix("[fail]").strip()
        if what.startswith("iface "):
            interface, what = what.split()[1], what.partition("(")[2]
        if line.endswith("[fail]") and what and f"({what}" != _NO_FAILURE:
            yield (
                f"{switch}: {interface} differs from its file, according to ifquery: "
                f"{what.rstrip(')')}"
            )
    if not interface:
        yield f"{switch}: ifquery failed: {result.stderr.strip()[-200:]}"
