"""Edits by hand end as a pin, an own line or a named remainder; none is lost."""

import json
import random
import re
from functools import cache
from typing import Any

import pytest
from tests.unit.adopt.examples import Texts, network, rendered, tree_of

from fabricgen.importer.distance import Drawn
from fabricgen.importer.fit import Fit, ImportResult
from fabricgen.importer.tree import Tree

SITES = (("pairs", "eos"), ("storage", "sonic"), ("lab", "linux"))
AT_ONCE, RUNS = 10, 7
FILES = {
    "eos": ("eos.cfg",),
    "sonic": ("config_db.json", "frr.conf"),
    "linux": ("etc/network/interfaces", "etc/frr/frr.conf", "etc/sysctl.d/90-fabricgen.conf"),
}
NEW = {
    "eos.cfg": (
        "queue-monitor length",
        "ip access-list odd",
        "interface Loopback77\n   ip address 192.0.2.77/32",
        "snmp-server community geheim ro",
        "event-handler x\n   action bash reboot",
        "alias wr write",
    ),
    "frr.conf": (
        "ip prefix-list ODD seq 5 permit 192.0.2.0/24",
        "router ospf\n ospf router-id 192.0.2.1",
    ),
    "etc/network/interfaces": (
        "auto odd0\niface odd0\n    mtu 1400",
        "iface odd1\n    post-up reboot",
    ),
    "etc/sysctl.d/90-fabricgen.conf": ("net.ipv4.odd = 1",),
}
NEW["etc/frr/frr.conf"] = NEW["frr.conf"]


def on(tree: Any, platform: str) -> Any:
    """Return a tree whose switches all run one OS."""
    if isinstance(tree, dict):
        return {k: platform if k == "platform" else on(v, platform) for k, v in tree.items()}
    return [on(each, platform) for each in tree] if isinstance(tree, list) else tree


@cache
def site(name: str, platform: str) -> tuple[Tree, Texts, dict[str, str]]:
    tree = on(tree_of(name), platform)
    return tree, *rendered(tree)


def number(line: str, dice: random.Random) -> str:
    """Change one number of a line."""
    numbers = list(re.finditer(r"(?<![\w.])\d{1,9}(?![\w.])", line))
    if not numbers:
        return word(line, dice)
    chosen = dice.choice(numbers)
    other = str(int(chosen[0]) + dice.choice((1, 2, 10)))
    return line[: chosen.start()] + other + line[chosen.end() :]


def word(line: str, dice: random.Random) -> str:
    """Change the last word of a line."""
    return line + dice.choice(("x", "1", "-odd"))


def edited_text(text: str, new: tuple[str, ...], dice: random.Random) -> str:
    lines = text.split("\n")
    says = [at for at, line in enumerate(lines) if line.strip() and line.strip()[0] not in "!#"]
    at = dice.choice([each for each in says if lines[each].strip() not in ("end", "exit")])
    what = dice.choice(("number", "word", "delete", "shut", "add", "below"))
    if what == "delete":
        del lines[at]
    elif what == "shut":
        ports = [n for n in says if re.match(r"(?:interface|iface) \S*\d", lines[n])]
        if ports:
            margin = "    " if "iface" in lines[ports[0]] else "   "
            word_ = "link-down yes" if "iface" in lines[ports[0]] else "shutdown"
            lines.insert(dice.choice(ports) + 1, margin + word_)
    elif what == "add":
        end = next((n for n, line in enumerate(lines) if line == "end"), len(lines) - 1)
        lines[end:end] = dice.choice(new).split("\n")
    elif what == "below":
        depth = len(lines[at]) - len(lines[at].lstrip())
        lines.insert(at + 1, f"{' ' * depth}odd {dice.randrange(100)}")
    else:
        lines[at] = (number if what == "number" else word)(lines[at], dice)
    return "\n".join(lines)


def edited_database(text: str, dice: random.Random) -> str:
    tables = json.loads(text)
    fields = [
        (table, key, field)
        for table, entries in tables.items()
        for key, own in entries.items()
        for field, value in own.items()
        if isinstance(value, str)
    ]
    table, key, field = dice.choice(fields)
    what = dice.choice(("change", "delete", "field", "entry", "table"))
    if what == "change":
        tables[table][key][field] = number(tables[table][key][field], dice)
    elif what == "delete":
        del tables[table][key][field]
    elif what == "field":
        tables[table][key]["odd"] = str(dice.randrange(9))
    elif what == "entry":
        tables[table][f"odd{dice.randrange(9)}"] = {"odd": "1"}
    else:
        tables["ODD_TABLE"] = {"odd": {"odd": "1", "password": "geheim"}}
    return json.dumps(tables, indent=4) + "\n"


def edit(texts: Texts, platform: str, dice: random.Random) -> None:
    folder = dice.choice(sorted(texts))
    path = dice.choice([each for each in FILES[platform] if each in texts[folder]])
    text = texts[folder][path]
    texts[folder][path] = (
        edited_database(text, dice)
        if path.endswith(".json")
        else edited_text(text, NEW[path], dice)
    )


def rows(path: str, text: str) -> dict[str, list[int]]:
    """Return what a file says, by a reader of this test alone: each line with its sections."""
    said: dict[str, list[int]] = {}
    if path.endswith(".json"):
        for table, entries in json.loads(text).items():
            for key, fields in entries.items():
                for field, value in fields.items():
                    told = value if isinstance(value, str) else json.dumps(value)
                    said[f"{table} > {key} > {field} {told}"] = []
        return said
    above: list[tuple[int, str]] = []
    for number_, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line[0] in "!#" or line in ("end", "exit", "exit-address-family"):
            continue
        if line in ("exit-vrf", "exit-vni"):
            continue
        margin = len(raw) - len(raw.lstrip())
        above = [each for each in above if each[0] < margin]
        above.append((margin, line))
        said.setdefault(" > ".join(each for _, each in above), []).append(number_)
    return said


def nothing_is_lost(adopted: ImportResult, texts: Texts) -> None:
    drawn = Drawn(adopted.tree)
    left = {(each.at.file, each.at.line) for each in adopted.remainders if not each.ours}
    named = {(each.at.file, each.line) for each in adopted.remainders}
    for folder, own in texts.items():
        after = drawn.texts(folder.rpartition("/")[2])
        for path, text in own.items():
            place, here, there = f"{folder}/{path}", rows(path, after[path]), rows(path, text)
            for line in there.keys() - here.keys():
                numbers = there[line]
                secret = "<<secret" in line or "geheim" in line
                told = any((place, each) in left for each in numbers)
                assert told or secret or (place, line) in named or listed(line, here), line
            for line in here.keys() - there.keys():
                secret = "<<secret" in line
                assert (place, line) in named or secret or listed(line, there), line


def listed(line: str, others: dict[str, list[int]]) -> bool:
    """Tell whether a line is a list of words, and others say them in another number of lines."""
    head, _, last = line.rpartition(" > ")
    words = last.split()
    return any(
        each.startswith(f"{head} > {words[0]} ") or each.rpartition(" > ")[0] == head
        for each in others
    ) and words[0] in ("bridge-vids", "bridge-ports", "bond-slaves", "switchport")


@pytest.mark.parametrize("seed", range(RUNS))
@pytest.mark.parametrize(("name", "platform"), SITES)
def test_no_edit_is_lost(name: str, platform: str, seed: int) -> None:
    tree, before, platforms = site(name, platform)
    dice = random.Random(f"{name} {seed}")
    texts = {folder: dict(own) for folder, own in before.items()}
    for _ in range(AT_ONCE):
        edit(texts, platform, dice)
    adopted = Fit(network(texts, platforms).switches).fitted(tree)
    assert adopted.compiles, adopted.findings
    nothing_is_lost(adopted, texts)
    said = json.dumps(adopted.tree) + "".join(map(str, adopted.remainders))
    assert "geheim" not in said
