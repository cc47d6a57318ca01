"""Represents an answer of the server, and errors as answers."""

from __future__ import annotations

import json
from typing import Any

from fabricgen import InvalidSite, MissingExtra, UnknownName
from fabricgen.core.diagnostics import Code, Failure
from fabricgen.core.record import record

_STATUS = ((UnknownName, 404), (InvalidSite, 409), (MissingExtra, 501))
_BAD_REQUESTS = (str(Code.BAD_VALUE), str(Code.MISSING_KEY), str(Code.UNKNOWN_KEY))


@record(kw_only=True)
class Answer:
    """Status, body and media type of an answer."""

    body: bytes
    status: int = 200
    kind: str = "application/json"


def as_json(data: Any, status: int = 200) -> Answer:
    """Return data as an answer."""
    text = json.dumps(data, separators=(",", ":"))  # escaped, so a lone surrogate is no problem
    return Answer(body=text.encode(), status=status)


def problem(status: int, code: str, message: str, hint: str = "") -> Answer:
    """Return the answer of an error."""
    return as_json({"code": code, "message": message, "hint": hint}, status)


def answer_of(failure: Failure) -> Answer:
    """Return the answer of an error of the library."""
    found = failure.diagnostic
    bad = 422 if str(found.code) in _BAD_REQUESTS else 500
    status = next((status for kind, status in _STATUS if isinstance(failure, kind)), bad)
    return problem(status, str(found.code), found.message, found.hint)


STOPPED = problem(503, "stopped", "the server ends", "ask again when it runs")
