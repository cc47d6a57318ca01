"""Derives the names and numbers of switches."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network
from itertools import chain, pairwise
from typing import Any

from fabricgen.importer.choices import Choice, Distance, chosen, placed
from fabricgen.importer.draft import Draft
from fabricgen.importer.inventory.model import Inventory
from fabricgen.importer.nearness import NOT_AT_ALL, fabric_of, facing
from fabricgen.importer.proposed import Models
from fabricgen.importer.tree import Tree, below, merged, patterns, said
from fabricgen.importer.underlay import PRIVATE
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.switch import Judged

_WORDS = ("index", "unit", "pod", "plane", "rail")
_NO_PATTERN = re.compile(r"[^a-z0-9{}:-]")
_NO_HOST = re.compile(r"[^a-z0-9-]")


def hosts(switches: Iterable[Judged], models: Models, inventory: Inventory) -> Models:
    """Rename switches to valid names: lower case, no domain, `-` for `_`.

    Lines with the old names stay and differ. Return the models by new name.
    """
    now: Models = {}
    every = list(switches)
    short = Counter(each.name.lower().partition(".")[0] for each in every)
    for each in every:
        before = each.name.lower()
        first = before.partition(".")[0]
        bare = _NO_HOST.sub("-", first if short[first] == 1 else before)
        spelled = before if before in inventory.named else bare
        if before in models:
            now[spelled] = models[before]
        each.name = spelled
    return now


def named(draft: Draft, tree: Tree) -> Tree:
    """Return a tree that gives the switches of a fabric their names.

    A tier gets one pattern if possible, else an override per switch.
    """
    fabric = fabric_of(tree, draft.name)
    if fabric is None:
        return tree
    pairs = facing(fabric, draft.part)
    for role, _ in draft.part.roles:
        tier = [pair for pair in pairs if pair[0].role.value == role]
        if all(one.name == other.name for one, other in tier):
            continue
        pattern = _pattern(tier)
        other = placed(tree, draft.key("names", role), pattern) if pattern else tree
        if pattern and fabric_of(other, draft.name) is not None:
            tree = other
        else:
            for one, read in tier:
                if not _NO_HOST.search(read.name) and one.name != read.name:
                    place = draft.key("switches", one.key, "hostname")
                    tree = merged(tree, below(place, read.name))
    return tree


def _pattern(tier: list[tuple[Switch, Judged]]) -> str:
    """Return a pattern that gives all switches their names, or an empty text."""
    first = tier[0][1].name
    for pattern in patterns(first, _WORDS):
        if _NO_PATTERN.search(pattern):
            return ""
        if all(pattern.format(**_coordinates(one)) == other.name for one, other in tier):
            return pattern
    return ""


def _coordinates(switch: Switch) -> dict[str, int]:
    rail = switch.rails[0] if switch.rails else 0
    places = {word: int(getattr(switch, word)) for word in _WORDS if word != "rail"}
    return {**places, "rail": rail}


# Computed numbers are not written. Numbers in equal steps become a formula, others overrides.

_ROOMS = ("/24", "/22", "/20", "/16")
"""Lengths of pools that are tried around addresses."""
_SCHEMES = ("rfc7938",)


def numbered(draft: Draft, tree: Tree, distance: Distance) -> tuple[Tree, int]:
    """Return the tree with keys that reduce its distance, and the new distance."""
    far = distance(tree)
    if far in (0, NOT_AT_ALL):
        return tree, far
    for kind in (_asns, _loopbacks, _vteps, _links, _nics):
        fabric = fabric_of(tree, draft.name)
        assert fabric is not None
        for words in kind(draft, fabric):
            other = merged(tree, below(draft.path, words))
            there = distance(other)
            if there < far:
                tree, far = other, there
    scheme = Choice(draft.key("underlay", "asn", "scheme"), (None, *_SCHEMES))
    return chosen(tree, [scheme], distance)


def _formula(found: Sequence[int | IPv4Address], spell: type[int | IPv4Address]) -> str:
    """Return the formula of numbers in steps by switch number, or an empty text."""
    numbers = [*map(int, found)]
    steps = {after - before for before, after in pairwise(numbers)}
    if not numbers or len(steps) > 1 or 0 in steps:
        return ""
    step = steps.pop() if steps else 0
    first = str(spell(numbers[0]))
    return f"{first} {'+' if step > 0 else '-'} {abs(step)} per number" if step else first


def _by_tier(draft: Draft, fabric: Fabric) -> Iterator[tuple[str, list[tuple[Switch, Judged]]]]:
    pairs = facing(fabric, draft.part)
    for role, _ in draft.part.roles:
        tier = [pair for pair in pairs if pair[0].role.value == role]
        yield role, sorted(tier, key=lambda pair: pair[0].ordinal)


def _asns(draft: Draft, fabric: Fabric) -> Iterator[Tree]:
    found = {
        role: [read.asn for _, read in tier if read.asn] for role, tier in _by_tier(draft, fabric)
    }
    formulas = said(**{
        role: str(own[0]) if len(own) > 1 and len({*own}) == 1 else _formula(own, int)
        for role, own in found.items()
    })  # fmt: skip
    every = [*chain(*found.values())]
    for low, high in PRIVATE:
        if every and low <= min(every) <= max(every) <= high:
            whole = {"underlay": {"asn": {"first": low, "last": high}}}
            yield whole | said(numbering=said(asn=formulas))


def _loopback(read: Judged) -> IPv4Address | None:
    names = nos(read.platform).names
    port = read.tables.ports.get(names.loopback) if names is not None else None
    first = port.addresses[0].ip if port is not None and port.addresses else None
    return first if isinstance(first, IPv4Address) else None


def _loopbacks(draft: Draft, fabric: Fabric) -> Iterator[Tree]:
    found = {
        role: [address for _, read in tier if (address := _loopback(read)) is not None]
        for role, tier in _by_tier(draft, fabric)
    }
    formulas = said(**{role: _formula(own, IPv4Address) for role, own in found.items()})
    yield from _pooled(draft, "loopbacks", [*chain(*found.values())], formulas)


def _vteps(draft: Draft, fabric: Fabric) -> Iterator[Tree]:
    tier = dict(_by_tier(draft, fabric))["leaf"]
    found = [IPv4Address(read.tables.vtep) for _, read in tier if read.tables.vtep]
    yield from _pooled(draft, "vteps", found, _formula(found, IPv4Address))


def _links(draft: Draft, fabric: Fabric) -> Iterator[Tree]:
    """Yield pools of links, and a formula if leafs have the same number of links per spine."""
    tiers = dict(_by_tier(draft, fabric))
    uppers = {read: one.index for one, read in tiers.get("spine", ())}
    found: dict[tuple[int, int, int], IPv4Address] = {}
    for number, (_, read) in enumerate(tiers["leaf"], 1):
        times: dict[int, int] = {}
        for plug in draft.part.plugs.of[read]:
            address = next(iter(read.tables.ports[plug.port].addresses), None)
            if plug.to in uppers and address is not None and address.version == 4:
                upper = uppers[plug.to]
                times[upper] = times.get(upper, 0) + 1
                found[number, upper, times[upper]] = IPv4Address(str(address.ip))
    formula = _stepped(found)
    yield from _pooled(draft, "links", list(found.values()), {"leaf": formula} if formula else {})


def _stepped(found: Mapping[tuple[int, int, int], IPv4Address]) -> str:
    """Return the formula of links by number of leaf, spine and link, or an empty text."""
    start = found.get((1, 1, 1))
    if start is None:
        return ""
    steps = {
        word: int(found[at]) - int(start)
        for word, at in (("number", (2, 1, 1)), ("upper", (1, 2, 1)), ("link", (1, 1, 2)))
        if at in found
    }
    for (number, upper, link), address in found.items():
        places = {"number": number, "upper": upper, "link": link}
        if int(start) + sum((places[w] - 1) * step for w, step in steps.items()) != int(address):
            return ""
    told = (f" {'+' if n > 0 else '-'} {abs(n)} per {word}" for word, n in steps.items() if n)
    return f"{start}{''.join(told)}"


def _nics(draft: Draft, fabric: Fabric) -> Iterator[Tree]:
    if fabric.addresses.nics is not None:
        found = [
            IPv4Address(str(address.ip))
            for plug in draft.part.below
            for address in plug.switch.tables.ports[plug.port].addresses
            if address.version == 4
        ]
        yield from _pooled(draft, "nics", found, None)


def _pooled(draft: Draft, key: str, found: Sequence[IPv4Address], formulas: Any) -> Iterator[Tree]:
    """Yield possible keys of addresses: a pool, and the order in the pool."""
    for pool in _pools(draft, found):
        own: Tree = {"addressing": {key: pool}}
        yield own
        if formulas:
            yield own | {"numbering": {key: formulas}}


def _pools(draft: Draft, found: Sequence[IPv4Address]) -> Iterator[str]:
    """Yield networks that contain all addresses. Networks from a file, as in a list, are first."""
    if not found:
        return
    texts = draft.part.leafs[0].found.texts.values()
    every = [IPv4Network((found[0], length), strict=False) for length in range(30, 7, -1)]
    whole = [str(each) for each in every if all(address in each for address in found)]
    listed = [each for each in whole if any(each in text for text in texts)]
    yield from dict.fromkeys((*listed, *(each for each in whole if each.endswith(_ROOMS))))
