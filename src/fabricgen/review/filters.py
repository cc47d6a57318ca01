"""Compares filters by the content of their rules, since an inserted rule renumbers those after it.

The facts of a rule are an object with the list and the number of the rule.
"""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from fabricgen.core.tree.facts import Attributes, Facts, Key, spelled
from fabricgen.review.differences import FactDifference

_RULES = frozenset(("rule", "acl"))
ORDER = "order of rules"
_List = dict[str, tuple[Key, str]]
"""Number of a rule to its object and its text."""


def is_rule(key: Key) -> bool:
    """Return whether an object is one rule of a list."""
    return key[0] in _RULES and len(key) == 3


def rule_differences(ones: Facts, others: Facts) -> Iterator[FactDifference]:
    """Yield new and removed lists, and the rules that come, go or change their order."""
    before, after = _lists(ones), _lists(others)
    for key in dict.fromkeys((*before, *after)):
        old, new = [*before.get(key, {}).values()], [*after.get(key, {}).values()]
        if [text for _, text in old] == [text for _, text in new]:
            if [each for each, _ in old] != [each for each, _ in new]:
                yield _of_list(key, "numbers", "as before", "renumbered", new[0][0])
            continue
        if not old or not new:
            origin = (old or new)[0][0]
            if key not in ones and key not in others:
                yield _of_list(key, "", "" if old else None, "" if new else None, origin)
            continue
        yield from _changed(key, old, new)


def _lists(facts: Mapping[Key, Attributes]) -> dict[Key, _List]:
    """Return the rules of each list by number, in the order of the numbers."""
    found: dict[Key, _List] = {}
    for key in sorted(filter(is_rule, facts), key=lambda each: (each[1], len(each[2]), each[2])):
        found.setdefault(key[:2], {})[key[2]] = key, rule_text(facts[key])
    return found


def rule_text(attributes: Attributes) -> str:
    """Return a rule as people read it: `permit tcp 10.1.0.0/24 any to port 443`."""
    known = ("action", "protocol", "source", "target")
    words = [spelled(attributes[name]) for name in known if name in attributes]
    words += [f"{name} port {spelled(attributes[name])}" for name in ("from", "to")
              if name in attributes]  # fmt: skip
    rest = (name for name in attributes if name not in (*known, "from", "to"))
    words += [f"{name} {spelled(attributes[name])}" for name in rest]
    return " ".join(words)


def _changed(
    key: Key, old: list[tuple[Key, str]], new: list[tuple[Key, str]]
) -> Iterator[FactDifference]:
    matcher = SequenceMatcher(
        None, [text for _, text in old], [text for _, text in new], autojunk=False
    )
    gone: list[tuple[Key, str]] = []
    come: list[tuple[Key, str]] = []
    for step, i, j, k, m in matcher.get_opcodes():
        if step != "equal":
            gone += old[i:j]
            come += new[k:m]
    moved = {text for _, text in gone} & {text for _, text in come}
    for origin, text in gone:
        if text not in moved:
            yield _of_list((*key, text), "", "", None, origin)
    for origin, text in come:
        if text not in moved:
            yield _of_list((*key, text), "", None, "", origin)
        else:
            yield _of_list((*key, text), ORDER, "elsewhere", "here", origin)


def _of_list(
    key: Key, attribute: str, before: str | None, after: str | None, origin: Key
) -> FactDifference:
    return FactDifference(key=key, attribute=attribute, before=before, after=after, origin=origin)
