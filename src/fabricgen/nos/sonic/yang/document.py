"""Convert a CONFIG_DB to the XML document of its YANG models and list unmodeled entries.

SONiC does the same before it validates (sonic-buildimage src/sonic-yang-mgmt/sonic_yang_ext.py). A
table is a container. An entry goes to the list that has as many keys as its name has parts. The
rows of a map are a list within the list. A container without lists has its entries as containers.
"""

import html
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from fabricgen.nos.sonic.yang.tables import Node, Table

escape = partial(html.escape, quote=False)  # xml.sax.saxutils loads a client of HTTP
Fields = dict[str, Any]
# Leaf-lists that CONFIG_DB has as one text (sonic_yang_ext.py); all others are lists of text there.
_JOINED = {"profile_list": ",", "src_intf": ";"}


class Unmodeled(Exception):  # noqa: N818 - it carries the sentence
    """A table, entry or field that the models do not have."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(place, why)
        self.place, self.why = place, why


class Document:
    """The document of one switch: `text`, and the unmodeled parts in `lost`."""

    def __init__(self, db: Mapping[str, Fields], tables: Mapping[str, Table]) -> None:
        """Translate every table; an unknown table is lost completely."""
        self.lost: list[Unmodeled] = []
        modules: dict[tuple[str, str], list[str]] = {}
        for name, entries in db.items():
            table = tables.get(name)
            if table is None:
                self.lost.append(Unmodeled(name, "the models have no such table"))
                continue
            inner = self.container(table.node, entries, name)
            modules.setdefault((table.module, table.namespace), []).append(inner)
        self.text = "".join(
            f'<{module} xmlns="{escape(space)}">{"".join(parts)}</{module}>\n'
            for (module, space), parts in modules.items()
        )

    def container(self, node: Node, entries: Fields, place: str) -> str:
        """Translate the entries of a table, or the fields of an entry that is a container."""
        inner = []
        for key, value in entries.items():
            try:
                inner.append(self.entry(node, key, value, f"{place} > {key}"))
            except Unmodeled as lost:
                self.lost.append(lost)
        return _element(node.name, "".join(inner))

    def entry(self, node: Node, key: str, value: Any, place: str) -> str:
        child = node.child(key)
        if child is not None and child.leaf:
            return "".join(_leaf(child, value))
        if child is not None and not child.many:
            return self.container(child, value, place)
        parts = key.split("|")
        fits = [each for each in node.below if len(each.keys) == len(parts)]
        if not fits:
            raise Unmodeled(place, "the models have no such entry")
        return self.row(fits[0], parts, value, place)

    def row(self, node: Node, parts: list[str], fields: Fields, place: str) -> str:
        """Translate an entry of a list: its keys first, as XML requires."""
        keys = dict(zip(node.keys, parts, strict=True))
        inner = [_element(name, escape(text)) for name, text in keys.items()]
        rest = [each for each in node.below if each.name not in keys]
        if len(rest) == 1 and len(rest[0].keys) == 1 and not rest[0].leaf:
            inner += _map(rest[0], fields)
            return _element(node.name, "".join(inner))
        for name, value in fields.items():
            child = node.child(name)
            if child is None or not child.leaf or name in keys:
                raise Unmodeled(f"{place} > {name}", "the models have no such field")
            inner += _leaf(child, value)
        return _element(node.name, "".join(inner))


def _map(node: Node, fields: Fields) -> Iterator[str]:
    """Yield the rows of a map, as DSCP to class: each has a key and a value."""
    (key,) = node.keys
    (value,) = (each.name for each in node.below if each.name != key)
    for one, other in fields.items():
        inner = _element(key, escape(one)) + _element(value, escape(str(other)))
        yield _element(node.name, inner)


def _leaf(node: Node, value: Any) -> Iterator[str]:
    if node.many and isinstance(value, str) and node.name in _JOINED:
        value = value.split(_JOINED[node.name])
    for each in value if isinstance(value, list) else [value]:
        yield _element(node.name, escape(str(each)))


def _element(name: str, inner: str) -> str:
    return f"<{name}>{inner}</{name}>"
