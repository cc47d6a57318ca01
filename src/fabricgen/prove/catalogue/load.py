"""Load the declarations of all checks. Each check is one YAML file of the folder `checks`."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from fabricgen.core.tree.facts import Topic
from fabricgen.prove.catalogue.model import Check, Severity

FOLDER = Path(__file__).with_name("checks")


@lru_cache(maxsize=1)
def catalogue() -> tuple[Check, ...]:
    """Return every check, by name."""
    return tuple(_check(path) for path in sorted(FOLDER.glob("*.yaml")))


def chosen(names: Iterable[str] = (), tags: Iterable[str] = ()) -> tuple[Check, ...]:
    """Return the checks with one of the names or tags; all without any.

    Raises:
        KeyError: A name or a tag is unknown. Its argument is that name or tag.
    """
    checks, names, tags = catalogue(), frozenset(names), frozenset(tags)
    known = {each.name for each in checks} | {tag for each in checks for tag in each.tags}
    for word in sorted((names | tags) - known):
        raise KeyError(word)
    if not names and not tags:
        return checks
    return tuple(each for each in checks if each.name in names or tags & set(each.tags))


def _check(path: Path) -> Check:
    told: Mapping[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return Check(
        name=path.stem,
        tags=tuple(told["tags"]),
        severity=Severity(told.get("severity", Severity.ERROR)),
        proves=told["proves"],
        why=told["why"],
        topics=_topics(told.get("topics", ())),
        metrics=tuple(told.get("metrics", ())),
        complete=told.get("complete", False),
        needs=told.get("needs", ""),
        covers=told.get("covers", ""),
        looks=told.get("looks", 1),
        rule=told.get("rule", ""),
        limits=tuple(told.get("limits", ())),
        absent=told.get("absent", {}),
        lacking=told.get("lacking", {}),
        example=told.get("example", ""),
        sources=tuple(told.get("sources", ())),
    )


def _topics(lines: Iterable[str]) -> tuple[Topic, ...]:
    """Return the topics of lines of a kind and one or more attributes."""
    words = map(str.split, lines)
    return tuple((kind, name) for kind, *names in words for name in names)
