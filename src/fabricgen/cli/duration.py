"""Reads a duration on the command line."""

from __future__ import annotations

import re

import click

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


class Duration(click.ParamType[float]):
    """Seconds as a number with an optional unit: `60`, `60s`, `5m`, `1h`."""

    name = "duration"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the seconds."""
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"(\d{1,6})([smh]?)", str(value))
        if match is None or not int(match[1]):
            self.fail(f"{value!r} is no duration; use for example 60s or 5m", param, ctx)
        return float(int(match[1]) * _UNITS[match[2]])
