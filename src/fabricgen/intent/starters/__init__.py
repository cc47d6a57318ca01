"""Writes the commented files of a starter site for a design."""

from pathlib import Path

_FOLDER = Path(__file__).parent
_FILES = {
    "rail-only": ("site", "rail-only"),
    "rail-optimized": ("site", "rail-optimized"),
    "three-tier": ("site", "three-tier"),
    "leaf-spine": ("site", "leaf-spine", "tenants"),
    "collapsed": ("site", "collapsed", "edge-tenants"),
    "full": ("site", "rail-optimized", "leaf-spine", "tenants"),
}
_MODELINE = "# yaml-language-server: $schema=fabricgen.schema.json\n"
_NAMES = {
    "rail-only": "backend",
    "rail-optimized": "backend",
    "three-tier": "backend",
    "leaf-spine": "frontend",
    "collapsed": "frontend",
    "edge-tenants": "tenants",
}


def starter(design: str) -> dict[str, str]:
    """Return the files of a starter site. Raises KeyError for an unknown design."""
    return {
        f"{_NAMES.get(part, part)}.yaml": _MODELINE + (_FOLDER / f"{part}.yaml").read_text()
        for part in _FILES[design]
    }
