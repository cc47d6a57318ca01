"""Define how a platform runs in containerlab.

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
    """A switch in the lab, with the folder of its files and the device of each cabled port."""

    switch: Switch
    folder: str
    wires: Mapping[Port, str]


@record(kw_only=True)
class Kind:
    """Settings that let one platform run in containerlab.

    Attributes:
        node: Keys of the topology.
        files: Files to add to the rendered files.
        wire: Returns the device of the n-th cabled port, from 1.
        unchanged: Sentence for the reader about unchanged files.
        differs: Sentence for the reader about differences.
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
    """Add no file to the rendered files."""
    del wired
    return {}
