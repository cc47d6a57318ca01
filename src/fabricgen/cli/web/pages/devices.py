"""Makes the data of switches and servers: an index, and for each one its facts and its files."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import Reason, Server, Site, Switch


FILES = "files/"
"""Prefix of the chunks with files."""


def chunks(site: Site) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the index, then facts and files of each switch and server.

    Files with the reason of each line are large, so they are chunks of their own.
    """
    yield "devices", partial(_index, site)
    for switch in site.switches.values():
        yield f"switch/{switch.name}", partial(switch_data, switch)
        yield f"{FILES}{switch.name}", partial(_files, switch)
    for server in site.servers.values():
        yield f"server/{server.name}", partial(server_data, server)
        yield f"{FILES}{server.name}", partial(_files, server)


def _index(site: Site) -> dict[str, Any]:
    return {
        "switches": [
            [each.name, each.fabric, each.role, each.model, each.platform]
            for each in site.switches.values()
        ],
        "servers": [[each.name, each.kind] for each in site.servers.values()],
    }


def identity(switch: Switch) -> dict[str, Any]:
    """Return the name, fabric, role, hardware model and platform of a switch."""
    return {
        "name": switch.name,
        "fabric": switch.fabric,
        "role": switch.role,
        "model": switch.model,
        "platform": switch.platform,
    }


def switch_data(switch: Switch) -> dict[str, Any]:
    """Return a switch without its files."""
    return {**identity(switch), "place": switch.place, "facts": switch.facts}


def server_data(server: Server) -> dict[str, Any]:
    """Return a server without its files."""
    ports = [asdict(port) for port in server.ports]
    return {"name": server.name, "kind": server.kind, "ports": ports}


def _files(device: Switch | Server) -> dict[str, Any]:
    """Return files as text with runs of lines that have the same reasons, and each reason once."""
    reasons: dict[tuple[Any, ...], int] = {}
    files: dict[str, dict[str, Any]] = {}
    numbers: dict[str, str] = {}
    for line in device.explain():
        numbers.update(line.numbers)
        marks = [reasons.setdefault(_key(reason), len(reasons)) for reason in line.reasons]
        file = files.setdefault(line.file, {"lines": [], "runs": [], "templates": {}})
        file["lines"].append(line.text)
        if line.template:
            file["templates"][line.number] = line.template
        if file["runs"] and file["runs"][-1][1] == marks:
            file["runs"][-1][0] += 1
        else:
            file["runs"].append([1, marks])
    return {
        "files": {
            path: {**file, "lines": "\n".join(file["lines"])} for path, file in files.items()
        },
        "reasons": [[rule, [list(place) for place in places]] for rule, places in reasons],
        "numbers": numbers,
    }


def _key(reason: Reason) -> tuple[Any, ...]:
    return reason.rule, tuple((place.key, place.place) for place in reason.places)
