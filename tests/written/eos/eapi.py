"""STAND-IN for eAPI without HTTPS: the written answers of a switch to the requests of a look.

It answers a batch as EOS does with `stopOnError: false`: `result` if no command is refused, else an
error whose `data` has one item per command (aristanetworks/anta, asynceapi/_models.py).
"""

import json
from typing import Any

from tests.written.eos.switches import Shown

from fabricgen.nos.eos.driver.batch import answered


def output(shown: Shown, request: str) -> str:
    """Return what the driver returns for a request."""
    return json.dumps(answered(lambda body: post(shown, body), json.loads(request)))


def post(shown: Shown, body: str) -> str:
    """Answer one JSON-RPC request."""
    asked = json.loads(body)
    text = asked["params"]["format"] == "text"
    items = [item(shown, each["cmd"], text=text) for each in asked["params"]["cmds"]]
    if not any("errors" in each for each in items):
        return json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": items})
    error = {"code": 1002, "message": "CLI command failed", "data": items}
    return json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": error})


def item(shown: Shown, command: str, *, text: bool) -> dict[str, Any]:
    """Return the answer of one command, with its duration."""
    meta = {"execDuration": 0.01, "execStartTime": 1_760_000_000.0}
    if command == "enable":
        return {"_meta": meta}
    said = shown.get(command)
    if said is None:
        return {"errors": ["Invalid input (at token 1)"]}
    return {"output": said, "_meta": meta} if text else {**said, "_meta": meta}
