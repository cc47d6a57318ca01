"""The example sites as trees, and as networks that were never designed."""

import json
from functools import cache, lru_cache
from pathlib import Path

import yaml
from tests.switches import files_of_switches

from fabricgen.compile.compiler import Compiled, compile_site, folder_of
from fabricgen.importer.tree import Tree, loaded, merged
from fabricgen.prove.foreign.folder import Found
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged

INTENT = Path(__file__).parents[3] / "intent"
EXAMPLES = sorted(each.name for each in INTENT.iterdir() if each.is_dir())


def tree_of(name: str) -> Tree:
    """Return all files of an example as one tree; the caller may change it."""
    return merged(_tree_of(name))


@cache
def _tree_of(name: str) -> Tree:
    texts = sorted((INTENT / name).rglob("*.yaml"))
    return merged(*(yaml.safe_load(each.read_text(encoding="utf-8")) for each in texts))


Texts = dict[str, dict[str, str]]
"""Of each switch, by fabric/name: the texts of its files, by the path on it."""


def rendered(tree: Tree, as_platform: str | None = None) -> tuple[Texts, dict[str, str]]:
    """Return the files of all switches, and their platforms; AssertionError when it has errors.

    A tree that was rendered is not rendered again; the caller may change what it gets.
    """
    texts, platforms = _rendered(json.dumps(tree), as_platform)
    return {folder: dict(own) for folder, own in texts.items()}, dict(platforms)


def compiled(tree: Tree, as_platform: str | None = None) -> Compiled:
    """Compile a tree; one that was compiled is not compiled again."""
    return _compiled(json.dumps(tree), as_platform)


@lru_cache(maxsize=16)
def _compiled(text: str, as_platform: str | None) -> Compiled:
    return compile_site(loaded(json.loads(text)), as_platform)


@lru_cache(maxsize=64)
def _rendered(text: str, as_platform: str | None) -> tuple[Texts, dict[str, str]]:
    compiled = _compiled(text, as_platform)
    assert compiled.site is not None
    assert compiled.ok, compiled.findings
    texts: Texts = {}
    platforms = {}
    for owner, own in files_of_switches(compiled.site):
        folder = folder_of(owner)
        texts[folder] = {each.path.removeprefix(f"{folder}/"): each.text for each in own}
        platforms[folder] = owner.platform
    return texts, platforms


def network(texts: Texts, platforms: dict[str, str]) -> Network:
    """Read files as those of a network of which nothing else is known."""
    return Network(
        [
            Judged(
                Found(
                    name=folder.rpartition("/")[2],
                    platform=platforms[folder],
                    texts=own,
                    places={path: f"{folder}/{path}" for path in own},
                ),
                wide=True,
            )
            for folder, own in texts.items()
        ]
    )


@cache
def example(name: str, as_platform: str | None = None) -> Network:
    """Return the network of an example."""
    return network(*rendered(tree_of(name), as_platform))
