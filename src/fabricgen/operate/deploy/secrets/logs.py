"""Removes secrets from every log record of every library."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fabricgen.operate.deploy.secrets.secrets import Secrets


@contextmanager
def hidden_logs(secrets: Secrets) -> Iterator[None]:
    """Hide while the block runs, in all threads.

    A filter would have to be on every handler, also on those that a library adds later; a record
    is made in one place. What is passed as `extra` is put on it afterwards and is not hidden.
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
    """Return the whole message; arguments that do not fit it would be printed by logging itself."""
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 - whatever an argument raises when it is printed
        return f"{record.msg} (with arguments that do not fit it)"
