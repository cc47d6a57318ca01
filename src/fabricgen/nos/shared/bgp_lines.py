"""Find the section path of a BGP line, and whether the line starts a new session.

EOS and FRR write BGP in the same forms. `router bgp 65001` opens a section and is also a setting.
`neighbor X …` lines are settings of a neighbor although they are on the same level.
"""

import re
from collections.abc import Iterable

from fabricgen.core.tree.settings import Path, Settings

_PROCESS = re.compile(r"router bgp (?P<asn>\S+)(?P<vrf> vrf \S+)?")
_NEIGHBOR = re.compile(r"(?P<no>no )?(?P<name>neighbor (?:interface )?\S+) (?P<what>.+)")


def fold(line: str) -> Iterable[Path]:
    """Return the paths of a line; the last path is the section that the line may open."""
    match = _PROCESS.fullmatch(line)
    if match:
        head = f"router bgp{match['vrf'] or ''}"
        return ((head, f"as {match['asn']}"), (head,))
    match = _NEIGHBOR.fullmatch(line)
    if match:
        return ((match["name"], f"{match['no'] or ''}{match['what']}"),)
    return ((line,),)


def new_session(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether the neighbor or group of a line is new, in all sections."""
    del after
    place = next(i for i, word in enumerate(path) if word.startswith("neighbor "))
    outside = tuple(word for word in path[:place] if not word.startswith("address-family "))
    return (*outside, path[place]) not in before


def policy_alone(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether a section that is added or removed contains only route maps."""
    said = after if path in after else before
    below = [item[len(path)] for item in said if item[:-1] == path]
    return bool(below) and all(line.startswith("route-map ") for line in below)
