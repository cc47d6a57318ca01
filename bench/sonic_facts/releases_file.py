"""Write which buffers template each release takes for the type of a switch."""

from bench.sonic_facts.tables import RELEASES, Tables, at

TYPES = ("ToRRouter", "LeafRouter", "SpineRouter")
HEAD = """\
# Written by `python -m bench.sonic_facts FOLDER`; do not edit. The buffers template
# (buffers_defaults_<topology>.j2) that a release takes for DEVICE_METADATA|localhost|type:
# files/build_templates/buffers_config.j2 of sonic-net/sonic-buildimage. default: the
# topology that buffers.json.j2 of the hwsku sets.
"""


def releases_text(tables: Tables) -> str:
    """Return the file: releases, oldest first, each with its commit."""
    lines = []
    for release in RELEASES:
        rows = {row["type"]: row["topology"] for row in at(tables.rows("topologies"), release)}
        told = ", ".join(f"{each}: {rows[each].removesuffix('_topo')}" for each in TYPES)
        lines.append(f'"{release}": {{commit: "{tables.commits[release]}", {told}}}')
    return HEAD + "\n".join(lines) + "\n"
