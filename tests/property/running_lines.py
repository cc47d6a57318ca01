"""Compare the files of a site at two sizes: which lines of running ports changed or went."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from fabricgen.compile.compiler import HOSTS, files
from fabricgen.compile.design.site import design_site
from fabricgen.compile.output.risks import dialects_of
from fabricgen.core.diagnostics import has_errors
from fabricgen.core.tree.settings import Path, Settings, script
from fabricgen.intent.lift import lift
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.topology import Switch

Rendered = dict[tuple[str, str], dict[str, str]]
"""By platform and device: the path of a file below the device's folder, to its text."""

_LISTS = ("bridge-ports", "bridge-vids")
"""Settings of several words that grow by one word: nothing that was listed goes."""
_PORT = re.compile(r"(?:Ethernet|swp)\d[\w/]*")


def rendered(data: dict[str, Any], platform: str) -> Rendered:
    """Render a site on a platform."""
    loaded = load_texts({"site.yaml": yaml.safe_dump(data, sort_keys=False)})
    assert loaded.intent is not None, loaded.findings
    site, findings = design_site(lift(loaded.intent, platform))
    assert not has_errors(findings), findings
    return {
        (owner.platform if isinstance(owner, Switch) else HOSTS, owner.name): {
            file.path.split("/", 2)[2]: file.text for file in own
        }
        for owner, own in files(site)
    }


def moved(before: Rendered, after: Rendered, *, hosts: bool = True) -> list[str]:
    """Name each setting that stood before and does not stand unchanged after.

    A setting of a port that was shut carries no traffic, so it may change. hosts: compare the
    files of servers as well.
    """
    return [
        f"{device} {file}: {' > '.join(path)} {value}".rstrip()
        for key, old in before.items()
        for device in (key[1],)
        for file, path, value in _lost(key[0], old, after.get(key, {}))
        if key[0] != HOSTS or hosts
    ]


def _lost(
    platform: str, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[tuple[str, Path, str]]:
    closed = {port for name, text in old.items() for port in _closed(_read(platform, name, text))}
    for name, text in old.items():
        if text == new.get(name):
            continue
        before, after = _read(platform, name, text), _read(platform, name, new.get(name, ""))
        for path, value in before.items():
            if after.get(path) == value or _grew(path, after):
                continue
            if not closed.intersection(_PORT.findall(" ".join(path))):
                yield name, path, value


def _read(platform: str, name: str, text: str) -> Settings:
    dialect = next(item for item in dialects_of(platform) if item.file.fullmatch(name))
    if dialect.read is script:  # one setting as a whole; here each of its lines is one
        return {(line,): "" for line in text.splitlines()}
    return dialect.read(text)


def _closed(state: Settings) -> Iterator[str]:
    """Yield the ports that are shut, in the words of each platform."""
    for path, value in state.items():
        if path[-1] in ("shutdown", "link-down yes"):
            yield from _PORT.findall(path[0])
        elif path[0] == "PORT" and path[-1] == "admin_status" and value == "down":
            yield path[1]


def _grew(path: Path, after: Settings) -> bool:
    """Tell whether a list has the same words and more."""
    name, *words = path[-1].split()
    lists = (item[-1].split() for item in after if item[:-1] == path[:-1])
    return name in _LISTS and any(item[0] == name and {*words} <= {*item} for item in lists)
