"""What a session says of its routes in; what the intent says of who is behind it out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from ipaddress import ip_network
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from fabricgen.core.tree.facts import TRUE, Attributes, Value
from fabricgen.importer.settings import keys_of
from fabricgen.model.fabric.external import USUAL_LIMIT
from fabricgen.model.settings.sessions import MaxPrefixes
from fabricgen.prove.walk.values import text, words

if TYPE_CHECKING:
    from fabricgen.importer.tree import Fragment

_DEFAULTS = {4: "0.0.0.0/0", 6: "::/0"}
_PREFER = {"200": "primary", "50": "backup"}
_REFERENCE = re.compile(r"<<secret:(?:bgp7:\S*@)?((?:env|file|vault):[^>]+)>>")
"""The place of a secret in files of ours; in those of others stands its text, and stays there."""

_USUAL = {"max_prefixes": {"count": USUAL_LIMIT.count, "action": "end"}}
"""What a session has where the intent gives it no limit."""


def border(sessions: Iterable[Attributes], *, watched: bool, secret: str) -> Fragment:
    """Return what sessions of one peer keep to; of both families the first that says it.

    watched: sessions of the fabric have BFD. secret: the reference where there is only a text.
    """
    own: Attributes = {}
    for each in sessions:
        own = {**each, **own}
    into, out = clause(own.get("in")), clause(own.get("out"))
    said: Fragment = {}
    origins = [int(each[1:-1]) for each in permitted(into.get("origins")) if each[1:-1].isdigit()]
    communities = {
        "require": permitted(into.get("community")),
        "mark": list(words(into.get("communities"))),
        "send": list(words(out.get("communities"))),
    }
    said |= {"origins": origins} if origins else {}
    several = {key: value for key, value in communities.items() if value}
    said |= {"communities": several} if several else {}
    most = limit(own)
    said |= {} if most == _USUAL else most
    prefer = _PREFER.get(text(into.get("preference")))
    said |= {"prefer": prefer} if prefer else {}
    said |= {"local_asn": int(text(own["local-as"]))} if "local-as" in own else {}
    said |= {"private_asns": "remove"} if own.get("hides-private") == TRUE else {}
    said |= {"password": reference(text(own["password"]), secret)} if "password" in own else {}
    return said | ({"bfd": False} if watched and own.get("bfd") != TRUE else {})


def limit(own: Attributes) -> Fragment:
    """Return the most prefixes of a session, where it has a limit with an action."""
    most = keys_of(MaxPrefixes, [own]) if own.get("most") != "0" else {}
    return {"max_prefixes": most} if most else {}


def reference(written: str, otherwise: str) -> str:
    """Return the reference of a secret: that of the file, or one that is to be filled."""
    match = _REFERENCE.search(written)
    return match[1] if match else otherwise


def clause(policy: Value | None) -> Mapping[str, Value]:
    """Return what the only clause of a policy says; nothing of one of several."""
    clauses = policy if isinstance(policy, tuple) else ()
    return dict(clauses[0]) if len(clauses) == 1 else {}


def accepted(policies: Iterable[Value | None]) -> list[Any]:
    """Return what may come in: of each family the first, then of each the second, and so on."""
    lists = [prefixes(clause(policy).get("prefixes")) for policy in policies]
    rows = zip_longest(*lists)
    return [each for row in rows for each in row if each is not None]


def defaults(versions: Iterable[int]) -> list[str]:
    """Return what is accepted where nothing is said."""
    return [_DEFAULTS[version] for version in sorted(versions)]


def prefixes(listed: Value | None) -> list[Any]:
    """Return the prefixes of a list as the intent has them: plain, or with their lengths."""
    made: list[Any] = []
    for spelled in permitted(listed):
        prefix, _, lengths = spelled.partition(",")
        least, _, most = lengths.partition("-")
        made.append(_range(prefix, int(least), int(most)))
    return made


def _range(prefix: str, least: int, most: int) -> Any:
    network = ip_network(prefix)
    if least == most == network.prefixlen:
        return prefix
    said: Fragment = {"prefix": prefix}
    said |= {"ge": least} if least != network.prefixlen else {}
    return said | ({"le": most} if most != network.max_prefixlen or not said.get("ge") else {})


def permitted(entries: Value | None) -> list[str]:
    """Return what the lists of a match permit."""
    lists: tuple[Any, ...] = entries if isinstance(entries, tuple) else ()
    return [text for each in lists for action, text in each if action == "permit"]
