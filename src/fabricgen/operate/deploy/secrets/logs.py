"""Removes secrets from every log record of every library."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fabricgen.operate.deploy.secrets.secrets import Secrets


@contextmanager
def hidden_logs(secrets: Secrets) -> Iterator[None]:
    """Hide secrets in log records of all threads while the block runs.

    A filter must be added to every handler, also to those that a library adds later. The record
    factory is one place for all records. Values in `extra` are added afterwards and are not hidden.
    """
    before = logging.getLogRecordFactory()

    def make(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = before(*args, **kwargs)
        record.msg, record.args = secrets.hide(_message(record)), None
        if record.exc_info and record.exc_info[1] is not None:
            record.exc_text, record.exc_info = secrets.trace(record.exc_info[1]).rstrip(), None
        return record

    logging.setLogRecordFactory(make)
    try:
        yield
    finally:
        logging.setLogRecordFactory(before)


def _message(record: logging.LogRecord) -> str:
    """Return the full message. Python's logging itself prints arguments that do not fit it."""
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 - an argument may raise any exception when it is formatted
        return f"{record.msg} (with arguments that do not fit it)"
