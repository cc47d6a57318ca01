"""Write questions as eAPI requests, and split what the driver returns into answers.

A request is a list of JSON-RPC bodies with the keys of their commands, because the format of an
answer, JSON or text, is one per request. The output of the driver is one JSON object: by key, the
answer of the switch, or the words of its refusal under `errors`, as eAPI has them.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from fabricgen.nos.questions import Answer, Answers, Question
from fabricgen.nos.shared.plain import plain, printable

ENABLE, REFUSED = "enable", "refused: "
_LIMIT = 300
"""Characters of a refusal that a message quotes."""


def encode(questions: Iterable[Question]) -> str:
    """Return the text of one or two requests: commands with JSON answers, and with text."""
    asked = tuple(questions)
    batches = ([each for each in asked if each.text is text] for text in (False, True))
    return json.dumps([_request(batch) for batch in batches if batch])


def _request(batch: list[Question]) -> dict[str, Any]:
    """Return one request. `enable` is first, since some commands need it."""
    commands: list[dict[str, Any]] = [{"cmd": ENABLE, "input": ""}]
    for each in batch:
        revision = {"revision": each.revision} if each.revision else {}
        commands.append({"cmd": each.line, **revision})
    body = {
        "jsonrpc": "2.0",
        "method": "runCmds",
        "params": {
            "version": 1,
            "cmds": commands,
            "format": "text" if batch[0].text else "json",
            "timestamps": True,
            "stopOnError": False,
        },
        "id": "fabricgen",
    }
    return {"keys": [each.key for each in batch], "body": body}


def decode(output: str) -> Answers:
    """Return the answers by key; none if the output is no output of the driver."""
    try:
        given = json.loads(output)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(given, dict):
        return {}
    return {key: _answer(item) for key, item in given.items()}


def _answer(item: Any) -> Answer:
    """Return one answer. eAPI may put the JSON of an answer into a string."""
    if isinstance(item, str):
        return Answer(plain(item) if item.startswith(("{", "[")) else printable(item))
    if not isinstance(item, dict):
        return Answer(f"unexpected JSON {type(item).__name__}", 1)
    if isinstance(item.get("errors"), list):
        return Answer(f"{REFUSED}{refusal(item)}", 1)
    seconds = _seconds(item.get("_meta"))
    if isinstance(item.get("output"), str):
        return Answer(printable(item["output"]), 0, seconds)
    try:
        return Answer(plain(json.dumps(item)), 0, seconds)
    except (ValueError, RecursionError):
        return Answer("the answer is nested too deep", 1)


def refusal(item: Mapping[str, Any]) -> str:
    """Return the words of a refusal in one line."""
    words = " ".join(each for each in item["errors"] if isinstance(each, str))
    return printable(" ".join(words.split()))[:_LIMIT] or "no reason"


def _seconds(meta: Any) -> float | None:
    duration = meta.get("execDuration") if isinstance(meta, dict) else None
    return float(duration) if isinstance(duration, int | float) else None
