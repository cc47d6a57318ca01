"""Ask many commands of a switch in one eAPI request, and one by one if it refuses the batch.

With `stopOnError: false` the answer to a batch with a refused command is an error whose `data` has
one item per command, in order (aristanetworks/anta, asynceapi/_models.py). No document names the
first release with this parameter. Without it `data` is missing, or ends at the first refusal.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fabricgen.nos.eos.driver.answer import MOST
from fabricgen.nos.eos.driver.configuration import hide

Post = Callable[[str], str]
"""Sends one request and returns the text of its answer."""


class TooLongError(OSError):
    """The answers to all commands together are too long."""


def answered(post: Post, requests: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the answer of each command, by its key."""
    left = MOST
    found: dict[str, Any] = {}

    def bounded(body: str) -> str:
        nonlocal left
        text = post(body)
        left -= len(text)
        if left < 0:
            raise TooLongError(f"the answers are longer than {MOST >> 20} MiB")
        return text

    for each in requests:
        found |= zip(each["keys"], _items(bounded, each["body"]), strict=True)
    return found


def _items(post: Post, body: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the answers of a batch. The first command, `enable`, has no key."""
    enable, *commands = body["params"]["cmds"]
    text = body["params"]["format"] == "text"
    whole = _listed(json.loads(post(json.dumps(body))))
    for number, command in enumerate(commands, 1):
        asked = number < len(whole)
        item = whole[number] if asked else _single(post, body, [enable, command])
        yield _hidden(item) if text else item


def _listed(document: Any) -> list[Any]:
    """Return the answers in a response, in the order of the commands; none if it has none."""
    result = document.get("result")
    if result is None:
        result = document["error"].get("data")
    return result if isinstance(result, list) else []


def _single(post: Post, body: Mapping[str, Any], commands: list[Any]) -> Any:
    """Return the answer of one command in a request that every release knows."""
    params = {"version": 1, "cmds": commands, "format": body["params"]["format"]}
    document = json.loads(post(json.dumps({**body, "params": params})))
    items = _listed(document)
    if len(items) == len(commands):
        return items[-1]
    last = items[-1] if items and isinstance(items[-1], dict) else {}
    if isinstance(last.get("errors"), list):
        return {"errors": last["errors"]}
    return {"errors": [str(document["error"].get("message", "no reason"))]}


def _hidden(item: Any) -> Any:
    """Replace the secrets in a text answer: the unsaved lines of a configuration may have some."""
    if isinstance(item, dict) and isinstance(item.get("output"), str):
        return {**item, "output": hide(item["output"])}
    return item
