"""A Redis socket and commands in, its replies out: as little of its protocol as CONFIG_DB needs."""

import socket
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

CONFIG_DB = 4
"""Its number on a SONiC switch: sonic-swss-common common/database_config.json."""


class Redis:
    """One connection to CONFIG_DB."""

    def __init__(self, path: str) -> None:
        """Connect to the Unix socket."""
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise
        self._file: BinaryIO = self._socket.makefile("rb")
        self("SELECT", str(CONFIG_DB))

    def __call__(self, *words: str) -> Any:
        """Send one command and return its reply."""
        return self.all([words])[0]

    def all(self, commands: Sequence[Sequence[str]]) -> list[Any]:
        """Send many commands at once and return their replies."""
        self._socket.sendall(b"".join(map(_spelled, commands)))
        return [self._reply() for _ in commands]

    def _reply(self) -> Any:
        line = self._file.readline()
        kind, rest = line[:1], line[1:-2].decode()
        if kind == b"-":
            raise RuntimeError(rest)
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if rest == "-1" else self._file.read(int(rest) + 2)[:-2].decode()
        if kind == b"*":
            return [self._reply() for _ in range(int(rest))]
        return rest

    def raw(self) -> dict[str, dict[str, str]]:
        """Return every hash as it is stored, in the order of the names."""
        names = sorted(self("KEYS", "*"))
        found = self.all([("HGETALL", name) for name in names])
        return {
            name: dict(sorted(zip(flat[::2], flat[1::2], strict=True)))
            for name, flat in zip(names, found, strict=True)
        }

    def close(self) -> None:
        """Disconnect."""
        self._file.close()
        self._socket.close()


def _spelled(words: Sequence[str]) -> bytes:
    parts = [word.encode() for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(p), p) for p in parts)


def encoded(fields: dict[str, Any]) -> dict[str, str]:
    """Spell an entry as ConfigDBConnector stores it (sonic-swss-common pyext/swsscommon.i)."""
    if not fields:
        return {"NULL": "NULL"}
    return {
        f"{name}@" if isinstance(value, list) else name: ",".join(value)
        if isinstance(value, list)
        else value
        for name, value in fields.items()
    }


def decoded(fields: dict[str, str]) -> dict[str, Any]:
    """Return an entry as `sonic-cfggen -d --print-data` shows it."""
    return {
        name.removesuffix("@"): value.split(",") if name.endswith("@") else value
        for name, value in fields.items()
        if name != "NULL"
    }


def read(db: Redis) -> dict[str, Any]:
    """Return every table."""
    tables: dict[str, Any] = {}
    for key, fields in db.raw().items():
        table, _, row = key.partition("|")
        tables.setdefault(table, {})[row] = decoded(fields)
    return tables


def store(db: Redis, entries: Iterable[tuple[str, str, dict[str, Any] | None]]) -> None:
    """Replace entries, or take away those without fields."""
    commands: list[tuple[str, ...]] = []
    for table, row, fields in entries:
        name = f"{table}|{row}"
        commands.append(("DEL", name))
        if fields is not None:
            flat = [word for pair in encoded(fields).items() for word in pair]
            commands.append(("HSET", name, *flat))
    db.all(commands)
