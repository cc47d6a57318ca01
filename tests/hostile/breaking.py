"""A document in; random drafts of it out that are broken in up to three places.

FABRICGEN_FUZZ is how many of each kind; `make reliability` gives 10,000.
"""

import json
import os
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

COUNT = int(os.environ.get("FABRICGEN_FUZZ", "30"))
fuzzed = settings(
    max_examples=COUNT,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 2**70),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["/etc/shadow", "../x", "\x1b]0;x\x07", "\ud800", "a" * 5000, [], {}, [[]]]),
)
ODD = ["\0", "{", "[" * 2000, "\ud7ff", '"', "\n", "999999999999999999999", "\x1e", ": "]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to everything inside a JSON value."""
    inner: Any = ()
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = [path] if path else []
    for key, each in inner:
        found += places(each, (*path, key))
    return found


def alike(value: Any) -> st.SearchStrategy[Any]:
    """Draw something else of the same type, which is not refused for its shape."""
    if isinstance(value, bool | None):
        return st.booleans()
    if isinstance(value, list):
        return st.sampled_from([value * 2, value[::-1], value[1:]])
    if isinstance(value, dict):
        return st.sampled_from([dict(reversed(value.items())), value | {"": value}])
    return st.text(max_size=8) if isinstance(value, str) else st.integers(-5, 2**70)


@st.composite
def broken_json(draw: st.DrawFn, whole: Any) -> str:
    """Draw a document of which up to three parts are others, alike, gone or under another key."""
    value = json.loads(json.dumps(whole))
    for _ in range(draw(st.integers(1, 3))):
        spots = places(value)
        if not spots:
            break
        *way, key = draw(st.sampled_from(spots))
        holder = value
        for step in way:
            holder = holder[step]
        kind = draw(st.sampled_from(["other", "gone", "key", "alike", "alike"]))
        if kind == "other" or (kind != "alike" and isinstance(holder, list)):
            holder[key] = json.loads(json.dumps(draw(LEAVES)))  # of its own: it may be broken, too
        elif kind == "alike":
            holder[key] = draw(alike(holder[key]))
        else:
            kept = holder.pop(key)
            if kind == "key":
                holder[draw(st.text(max_size=5))] = kept
    return json.dumps(value)


@st.composite
def broken_text(draw: st.DrawFn, whole: str) -> str:
    """Draw a text of which up to three pieces are cut out, doubled, or something odd."""
    for _ in range(draw(st.integers(1, 3))):
        begin = draw(st.integers(0, len(whole)))
        end = min(len(whole), begin + draw(st.sampled_from([0, 1, 10, 1000])))
        put = draw(st.sampled_from(["", whole[begin:end] * 2, *ODD]))
        whole = whole[:begin] + put + whole[end:]
    return whole
