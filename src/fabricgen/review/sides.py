"""Reads both sides of a comparison: sites, rendered trees, revisions or saved configurations."""

from collections.abc import Iterable
from pathlib import Path

from fabricgen.compile.compiler import Compiled, Owner, checked, designed, files
from fabricgen.compile.output.manifest import FILE
from fabricgen.compile.output.unchanged import checked_pair
from fabricgen.core.record import record
from fabricgen.intent.load import Loaded, load_site
from fabricgen.review.revisions import Listing, listed
from fabricgen.review.side import Side
from fabricgen.review.trees import StoredTree, listed_sides, stored, tree_sides

__all__ = ["Side", "read_side", "read_sides"]


@record()
class _Intent:
    """A side that is a site, before it is compiled."""

    name: str
    loaded: Loaded


_Source = Side | _Intent | StoredTree | Listing


def read_sides(before: str, after: str) -> tuple[Side, Side]:
    """Read both sides: a folder with a manifest is a tree, any other folder a site, else REV:path.

    Files of two sites are rendered only if they may differ. Files of two trees are kept only if
    they differ.
    """
    one, other = _read(before), _read(after)
    if isinstance(one, _Intent) and isinstance(other, _Intent):
        return _pair(one, other)
    if isinstance(one, StoredTree) and isinstance(other, StoredTree):
        first, second = tree_sides(one, other)
        return first, second
    if isinstance(one, Listing) and isinstance(other, Listing):
        first, second = listed_sides(one, other)
        return first, second
    return _whole(one), _whole(other)


def read_side(name: str) -> Side:
    """Read one side with all its files."""
    return _whole(_read(name))


def _read(text: str) -> _Source:
    path = Path(text)
    if path.is_dir():
        return stored(text, path) if (path / FILE).exists() else _Intent(text, load_site(path))
    listing = listed(text)
    if isinstance(listing, Side) or listing.is_tree:
        return listing
    loaded = listing.loaded()
    return loaded if isinstance(loaded, Side) else _Intent(text, loaded)


def _whole(side: _Source) -> Side:
    """Read a tree, or compile a site and render all its files."""
    if isinstance(side, _Intent):
        return _rendered(side, checked(designed(side.loaded)))
    if isinstance(side, StoredTree):
        return tree_sides(side)[0]
    return listed_sides(side)[0] if isinstance(side, Listing) else side


def _pair(one: _Intent, other: _Intent) -> tuple[Side, Side]:
    """Compile two sites and render the files that may differ."""
    pair = checked_pair(designed(one.loaded), designed(other.loaded))
    if pair is None:
        return _whole(one), _whole(other)
    sides = zip((one, other), pair.compiled, pair.changed, strict=True)
    before, after = (
        _rendered(intent, compiled, owners.values(), pair.unchanged)
        for intent, compiled, owners in sides
    )
    return before, after


def _rendered(
    intent: _Intent,
    compiled: Compiled,
    changed: Iterable[Owner] | None = None,
    unchanged: frozenset[str] = frozenset(),
) -> Side:
    """Render the files of a compiled site; of some owners, if `changed` names them."""
    made: dict[str, str] = {}
    if compiled.ok and compiled.site is not None:
        for _, every in files(compiled.site, owners=changed):
            made.update((file.path, file.text) for file in every)
    return Side(
        name=intent.name,
        files=made,
        findings=compiled.findings,
        source=intent.loaded.source,
        unchanged=unchanged,
        loaded=intent.loaded,
        site=compiled.site if compiled.ok else None,
    )
