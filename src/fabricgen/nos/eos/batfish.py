"""The rendered file of an EOS switch in, what Batfish reads of it out: the file as it is."""

from collections.abc import Mapping

from fabricgen.nos.nos import Export


def snapshot(switch: str, files: Mapping[str, str]) -> Export:
    """Return the files of a snapshot by path; its first line says that it is EOS."""
    return Export({f"configs/{switch}.cfg": files["eos.cfg"]})
