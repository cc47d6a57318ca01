"""Reads both sides of a comparison: sites, rendered trees, revisions or saved configurations."""

from collections.abc import Iterable
from pathlib import Path

from fabricgen.compile.compiler import Compiled, Cutter, Owner, checked, designed, files, folder_of
from fabricgen.compile.output.manifest import FILE
from fabricgen.compile.output.unchanged import checked_pair
from fabricgen.core.record import record
from fabricgen.intent.load import Loaded, load_site
from fabricgen.model.fabric.topology import Switch
from fabricgen.review.revisions import Listing, listed
from fabricgen.review.saved import Saved, both_saved, read_saved, saved_and_other
from fabricgen.review.side import Side
from fabricgen.review.trees import (
    StoredTree,
    listed_pair,
    listed_side,
    stored,
    tree_pair,
    tree_side,
)

__all__ = ["IntentSource", "Side", "read_side", "read_sides"]

SITE = "site.yaml"


@record()
class IntentSource:
    """A side that is a site, before it is compiled. platform: the NOS of all switches, if given."""

    name: str
    loaded: Loaded
    platform: str | None = None


_Source = Side | IntentSource | StoredTree | Listing | Saved


def read_sides(before: str | IntentSource, after: str | IntentSource) -> tuple[Side, Side]:
    """Read both sides, each a site, a rendered tree, REV:path or saved configurations.

    A folder with a manifest is a tree. One without a site may have saved configurations, by their
    content. Files of two sites are rendered only if they may differ. Files of two trees are kept
    only if they differ. A loaded site may be given instead of its name.
    """
    one, other = (_read(each) if isinstance(each, str) else each for each in (before, after))
    if isinstance(one, Saved) or isinstance(other, Saved):
        return _with_saved(one, other)
    if isinstance(one, IntentSource) and isinstance(other, IntentSource):
        return _pair(one, other)
    if isinstance(one, StoredTree) and isinstance(other, StoredTree):
        return tree_pair(one, other)
    if isinstance(one, Listing) and isinstance(other, Listing):
        return listed_pair(one, other)
    return _whole(one), _whole(other)


def read_side(name: str) -> Side:
    """Read one side with all its files."""
    return _whole(_read(name))


def _read(text: str) -> _Source:
    path = Path(text)
    if path.is_dir():
        return stored(text, path) if (path / FILE).exists() else _in_folder(text, path)
    listing = listed(text)
    if isinstance(listing, Side) or listing.is_tree:
        return listing
    loaded = listing.loaded()
    return loaded if isinstance(loaded, Side) else IntentSource(text, loaded)


def _in_folder(text: str, path: Path) -> _Source:
    """Read a site. Without a readable one, read the folder's saved configurations."""
    loaded = load_site(path)
    if loaded.intent is not None or (path / SITE).exists():
        return IntentSource(text, loaded)
    return read_saved(text, path) or IntentSource(text, loaded)


def _with_saved(one: _Source, other: _Source) -> tuple[Side, Side]:
    """Return both sides, of which one or both are saved configurations."""
    if isinstance(one, Saved) and isinstance(other, Saved):
        return both_saved(one, other)
    if isinstance(one, Saved):
        return _against(one, other)
    assert isinstance(other, Saved)
    after, before = _against(other, one)
    return before, after


def _against(saved: Saved, other: _Source) -> tuple[Side, Side]:
    """Return both sides. Of a site, only switches with a saved configuration are rendered."""
    if not isinstance(other, IntentSource):
        return saved_and_other(saved, _whole(other))
    compiled = checked(designed(other.loaded, other.platform))
    owners = list(Cutter(compiled.site).owners()) if compiled.ok and compiled.site else []
    here = [each for each in owners if _is_in(saved, each)]
    absent = [folder_of(each) for each in owners if not _is_in(saved, each)]
    return saved_and_other(saved, _rendered(other, compiled, here), absent)


def _is_in(saved: Saved, owner: Owner) -> bool:
    return isinstance(owner, Switch) and owner.name.lower() in saved.names


def _whole(source: _Source) -> Side:
    """Read a tree, or compile a site and render all its files."""
    if isinstance(source, IntentSource):
        return _rendered(source, checked(designed(source.loaded, source.platform)))
    if isinstance(source, StoredTree):
        return tree_side(source)
    if isinstance(source, Listing):
        return listed_side(source)
    return both_saved(source, source)[0] if isinstance(source, Saved) else source


def _pair(one: IntentSource, other: IntentSource) -> tuple[Side, Side]:
    """Compile two sites and render the files that may differ."""
    pair = checked_pair(designed(one.loaded, one.platform), designed(other.loaded, other.platform))
    if pair is None:
        return _whole(one), _whole(other)
    sides = zip((one, other), pair.compiled, pair.changed, strict=True)
    before, after = (
        _rendered(intent, compiled, owners.values(), pair.unchanged)
        for intent, compiled, owners in sides
    )
    return before, after


def _rendered(
    intent: IntentSource,
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
