"""One rendered file in; every way to change one QoS value, word, line or field in it out.

Lines and rows of many ports are alike, so each kind of port is represented by one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

OTHER = {
    "on": "off",
    "off": "on",
    "true": "false",
    "dscp": "cos",
    "strict": "shared",
    "drop": "errdisable",
    "ecn": "drop",
    "bytes": "kbytes",
    "DWRR": "STRICT",
    "STRICT": "DWRR",
    "ingress": "egress",
    "egress": "ingress",
    "dynamic": "static",
    "ecn_green": "ecn_none",
    "up": "down",
    "ip": "ipv6",
    "ipv6": "ip",
    "uc-tx-queue": "tx-queue",
    "pfifo": "bfifo",
}
_TOKEN = re.compile(r"0x[0-9a-f]+|\d+\.\d+|\d+|[A-Za-z_]+(?:-[a-z]+)*")


class Mutant(NamedTuple):
    """What was changed, and the file as it then is."""

    what: str
    text: str


def other_words(token: str) -> list[str]:
    """Return what could stand in the place of a number or a word."""
    if token.startswith("0x"):
        return [f"0x{(int(token, 16) + 4) & 0xFF:02x}", f"0x{int(token, 16) ^ 1:02x}"]
    if "." in token and token.replace(".", "").isdecimal():
        digits = len(token.split(".")[1])
        return [f"{float(token) + 10**-digits:.{digits}f}"]
    if token.isdecimal():
        number = int(token)
        return [str(number + 1), *([str(number - 1)] if number else [])]
    return [OTHER.get(token, f"{token}x")]


def of_lines(text: str, chosen: Mapping[int, str], fixed: str = r"\A") -> Iterator[Mutant]:
    """Change and delete lines, by number; each says whose it is.

    fixed: matches what is no QoS value (a device, the first word of a line that is none without).
    """
    lines = text.splitlines(keepends=True)
    keep = re.compile(fixed)
    for number, whose in sorted(chosen.items()):
        line = lines[number]

        def with_line(new: str, number: int = number) -> str:
            return "".join([*lines[:number], new, *lines[number + 1 :]])

        yield Mutant(f"{whose}: - {line.strip()}", with_line(""))
        spared = [found.span() for found in keep.finditer(line)]
        for found in _TOKEN.finditer(line):
            if any(first <= found.start() < last for first, last in spared):
                continue
            for word in other_words(found[0]):
                new = f"{line[: found.start()]}{word}{line[found.end() :]}"
                yield Mutant(f"{whose}: {line.strip()} -> {new.strip()}", with_line(new))


def of_fields(text: str, tables: Collection[str], ports: Mapping[str, str]) -> Iterator[Mutant]:
    """Change and delete fields and rows of CONFIG_DB tables; of ports only the given ones."""
    data: dict[str, dict[str, Any]] = json.loads(text)

    laid = {table: _laid(rows) for table, rows in data.items()}

    def printed(table: str, rows: dict[str, Any]) -> str:
        return _file({**laid, table: _laid(rows)})

    for table in sorted(set(tables) & data.keys()):
        rows = data[table]
        for key, fields in rows.items():
            if _left_out(key.split("|")[0], ports):
                continue
            whose = ports.get(key.split("|")[0], table)
            without = {name: row for name, row in rows.items() if name != key}
            yield Mutant(f"{whose}: - {table}|{key}", printed(table, without))
            for field, value in fields.items():
                if _left_out(field, ports):
                    continue
                mine = f"{ports.get(field, whose)}: {table}|{key}"
                row = {name: said for name, said in fields.items() if name != field}
                yield Mutant(f"{mine} - {field}", printed(table, {**rows, key: row}))
                for word in _values(data, str(value)):
                    changed = printed(table, {**rows, key: {**fields, field: word}})
                    yield Mutant(f"{mine} {field} {value} -> {word}", changed)


def _laid(rows: dict[str, Any]) -> str:
    """Return a table as it stands in a file."""
    return json.dumps({"": rows}, indent=4)[len('{\n    "": ') : -len("\n}")]


def _file(tables: Mapping[str, str]) -> str:
    """Return a file of tables that are laid out: only one of them differs from file to file."""
    return "{\n" + ",\n".join(f'    "{name}": {rows}' for name, rows in tables.items()) + "\n}\n"


def _left_out(name: str, ports: Mapping[str, str]) -> bool:
    return name.startswith("Ethernet") and name not in ports


def _values(data: dict[str, dict[str, Any]], value: str) -> list[str]:
    """Return other values of a field: a reference turns to another row of its table."""
    if value.lstrip("-").isdecimal():
        return [str(int(value) + 1), *([str(int(value) - 1)] if int(value) else [])]
    if re.fullmatch(r"\d+m", value):
        return [f"{int(value[:-1]) + 1}m", *([f"{int(value[:-1]) - 1}m"] if value != "0m" else [])]
    others = [key for rows in data.values() if value in rows for key in rows if key != value]
    return others[:1] or [OTHER.get(value, f"{value}x")]
