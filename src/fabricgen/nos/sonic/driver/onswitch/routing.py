"""Two states of a switch in; whether its routing must start again out: the driver and risk ask it.

The container bgp decides which programs run when it starts (sonic-buildimage
dockers/docker-fpm-frr/docker_init.sh and frr/supervisord/supervisord.conf.j2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.nos.sonic.driver.onswitch.tables import Tables

PROGRAMS = ("docker_routing_config_mode", "frr_mgmt_framework_config")
"""Fields of DEVICE_METADATA|localhost: what of the container's programs runs."""
_ENDS = ("exit", "end")


def programs(tables: Tables) -> tuple[object, ...]:
    """Return what decides which programs of FRR run."""
    fields = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    return tuple(fields.get(name) for name in PROGRAMS)


def same(before: str, after: str) -> bool:
    """Tell whether two texts of frr.conf say the same, in whatever order and with what remarks."""
    return set(_places(before)) == set(_places(after))


def _places(frr: str) -> Iterator[tuple[str, ...]]:
    """Yield each line below the lines it stands in."""
    around: list[tuple[int, str]] = []
    for raw in frr.splitlines():
        line = raw.strip()
        if not line or line.startswith(("!", "#")) or line.split("-")[0] in _ENDS:
            continue
        depth = len(raw) - len(raw.lstrip())
        around = [(indent, text) for indent, text in around if indent < depth]
        around.append((depth, line))
        yield tuple(text for _, text in around)
