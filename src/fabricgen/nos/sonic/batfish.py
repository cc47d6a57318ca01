"""The rendered files of a SONiC switch in, the folder that Batfish reads of it out.

pybatfish docs/source/formats.md, SONiC: a folder a switch, with these two files and no others.
"""

from collections.abc import Mapping


def snapshot(switch: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a snapshot by path."""
    return {
        f"sonic_configs/{switch}/{name}": files[name] for name in ("config_db.json", "frr.conf")
    }
