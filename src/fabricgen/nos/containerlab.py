"""Defines how a platform runs in containerlab.

The rendered files are used unchanged. Where an image names its ports otherwise, a map of names is
added in the form that the image reads.
"""

from collections.abc import Callable, Mapping
from typing import Any

from fabricgen.core.record import record
from fabricgen.model.fabric.topology import Port, Switch

LAB_IMAGE = "${LAB_IMAGE:=fabricgen-lab:12}"
START = "image/start"


@record()
class Wired:
    """A switch in the lab. folder: its files, below the topology. wires: cabled port to device."""

    switch: Switch
    folder: str
    wires: Mapping[Port, str]


@record(kw_only=True)
class Kind:
    """How one platform runs. node: keys of the topology; beside: files to put with the rendered.

    wire: the device of the n-th cabled port, from 1. unchanged, differs: what the reader is told.
    """

    name: str
    image: str
    wire: Callable[[Switch, Port, int], str]
    node: Callable[[Wired], dict[str, Any]]
    beside: Callable[[Wired], dict[str, str]]
    unchanged: str
    differs: tuple[str, ...]


def numbered(switch: Switch, port: Port, number: int) -> str:
    del switch, port
    return f"eth{number}"


def nothing(wired: Wired) -> dict[str, str]:
    """Put no file beside the rendered ones."""
    del wired
    return {}
