"""What FRR runs and a file of commands in, what it runs then out: as little as a stand-in needs.

It knows sections and `no`, and not that a line may take the place of another.
"""

import re
from collections.abc import Iterator

Tree = dict[str, "Tree"]
_SECTIONS = re.compile(r"router bgp |address-family |route-map |bfd$|profile |vrf ")


def applied(running: str, told: str) -> str:
    """Return the configuration after the commands."""
    root = _tree(running)
    place = [root]
    for line in filter(None, map(str.strip, told.splitlines())):
        if line == "exit":
            place.pop()
        elif line.startswith("no ") and line[3:] in place[-1]:
            del place[-1][line[3:]]
        elif line.startswith("no neighbor "):
            _forget(place[-1], f"{line[3:]} ")
        else:
            below = place[-1].setdefault(line, {})
            if _SECTIONS.match(line):
                place.append(below)
    return "".join(_text(root, 0))


def _forget(level: Tree, start: str) -> None:
    for line in [*level]:
        if line.startswith(start):
            del level[line]
        else:
            _forget(level[line], start)


def _tree(text: str) -> Tree:
    root: Tree = {}
    around: list[tuple[int, Tree]] = [(-1, root)]
    for raw in text.splitlines():
        line = raw.strip()
        if line and not line.startswith(("!", "exit")):
            depth = len(raw) - len(raw.lstrip())
            around = [each for each in around if each[0] < depth]
            around.append((depth, around[-1][1].setdefault(line, {})))
    return root


def _text(level: Tree, depth: int) -> Iterator[str]:
    for line, below in level.items():
        yield f"{' ' * depth}{line}\n"
        yield from _text(below, depth + 1)
