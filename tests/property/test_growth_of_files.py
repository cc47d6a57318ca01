"""Growing takes no line from a rendered file but those that said a port or bundle is unused."""

import json
import re
from collections import Counter

import pytest
import yaml
from tests.property.growing import ADDITIONS, grown

from fabricgen.compile.compiler import files
from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.lift import lift
from fabricgen.intent.load import load_texts

# What a port says while nothing is cabled to it, or carried on it; filling it replaces these lines.
UNUSED = {
    "eos": r"description unused|shutdown|switchport trunk allowed vlan none",
    "sonic": r'\S+ "(?:description": "unused|admin_status": "down|mtu": "\d+|Ethernet\d+": "0m)"',
    "linux": r"alias unused|link-down yes|mtu \d+",
}
# Lists on one line: growing adds words to them and takes none away.
LISTS = ("bridge-ports ", "bridge-vids ")


def rendered(data: dict[str, object], platform: str) -> dict[str, list[str]]:
    loaded = load_texts({"site.yaml": yaml.safe_dump(data, sort_keys=False)})
    assert loaded.intent is not None
    site, findings = design_site(lift(loaded.intent, platform))
    assert not has_errors(findings)
    return {file.path: lines(file.text) for _, group in files(site) for file in group}


def lines(text: str) -> list[str]:
    """The lines of a file, lists as their words; commas and indentation do not count.

    Of CONFIG_DB a line is a field with its table and key: the same field elsewhere is another.
    """
    if text.startswith("{"):
        return [
            f'{table}|{key} "{name}": {json.dumps(value)}'
            for table, rows in json.loads(text).items()
            for key, row in rows.items()
            for name, value in row.items()
        ]
    found = []
    for line in text.splitlines():
        bare = line.strip(" ,")
        found.extend(bare.split() if bare.startswith(LISTS) else [bare])
    return found


@pytest.mark.parametrize("platform", UNUSED)
@pytest.mark.parametrize("name", ADDITIONS)
def test_no_line_is_lost(name: str, platform: str) -> None:
    before, path, value = ADDITIONS[name]
    after = rendered(grown(before, *path, to=value), platform)
    allowed = re.compile(UNUSED[platform])
    for place, old in rendered(before, platform).items():
        if place.startswith("hosts/") and name == "a rail":
            continue  # a new rail is a new NIC in every server: its lists of NICs change
        lost = Counter(old) - Counter(after[place])
        assert [line for line in lost if not allowed.fullmatch(line)] == [], place
