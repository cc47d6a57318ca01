"""A JSON document and RFC 6902 operations in, the changed document out: the tests' own applier."""

import copy
from typing import Any


class PatchError(Exception):
    """An operation that does not fit the document."""


def applied(document: Any, steps: list[dict[str, Any]]) -> Any:
    """Apply the operations in their order; the document given stays as it is."""
    result = copy.deepcopy(document)
    for step in steps:
        *way, last = words(step["path"])
        place = result
        for word in way:
            if word not in place:
                raise PatchError(f"no {step['path']}")
            place = place[word]
        if step["op"] in ("remove", "replace") and last not in place:
            raise PatchError(f"nothing to {step['op']} at {step['path']}")
        if step["op"] == "remove":
            del place[last]
        else:
            place[last] = copy.deepcopy(step["value"])
    return result


def words(path: str) -> list[str]:
    """Split a JSON pointer (RFC 6901)."""
    return [word.replace("~1", "/").replace("~0", "~") for word in path[1:].split("/")]
