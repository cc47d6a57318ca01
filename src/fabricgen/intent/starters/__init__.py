"""Returns the commented files of the starter sites, by shape."""

from pathlib import Path

SHAPES = {
    "lab": "2 leafs and 2 spines on FRR, 4 servers: boots on this machine in the lab",
    "rail-only": "a pod of 32 GPU servers: one leaf for each rail, no spines; with racks",
    "rail-optimized": "64 GPU servers: a backend with spines, and a frontend with a tenant",
    "four-fabrics": "512 GPUs: frontend, backend, storage and out-of-band; with racks",
    "collapsed": "2 leafs without spines, 8 servers, 2 providers; with racks",
}
"""The shapes of starter sites, with a description of each shape."""

_FOLDER = Path(__file__).parent
IMPORTED = _FOLDER / "imported.yaml"
"""Keys that a site from an inventory has by default."""
_MODELINE = "# yaml-language-server: $schema=fabricgen.schema.json\n"


def starter(shape: str) -> dict[str, str]:
    """Return the files of a starter site, by path.

    Args:
        shape: A key of `SHAPES`.

    Raises:
        KeyError: No shape has this name.

    """
    if shape not in SHAPES:
        raise KeyError(shape)
    files = sorted((_FOLDER / shape).glob("*.yaml"))
    return {file.name: _MODELINE + file.read_text(encoding="utf-8") for file in files}
