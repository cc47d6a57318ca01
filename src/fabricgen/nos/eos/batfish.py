"""Write the Batfish snapshot of an EOS switch: its rendered file, unchanged."""

from collections.abc import Mapping

from fabricgen.nos.nos import Export


def snapshot(switch: str, files: Mapping[str, str]) -> Export:
    """Return the files of a snapshot by path. Batfish detects EOS by the first line."""
    return Export({f"configs/{switch}.cfg": files["eos.cfg"]})
