"""Show one view after the other on a terminal, in a layout for its present size."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.live import Live
from rich.text import Text

from fabricgen.cli.formats.watch import View
from fabricgen.cli.plain import cleaned, console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen.operate.state.watch.report import Report

_PER_SECOND = 2
"""Drawings per second. Each one reads the size of the terminal."""


@contextmanager
def live_view() -> Iterator[Callable[[Report], None]]:
    """Return the function that shows a report. The last view stays on the terminal at the end."""
    out = console(soft_wrap=False)
    shown: list[Report] = []
    with Live(
        Text("waiting for the first look"),
        console=out,
        screen=True,
        refresh_per_second=_PER_SECOND,
        vertical_overflow="crop",
    ) as live:

        def show(report: Report) -> None:
            shown[:] = [report]
            live.update(cleaned(View(report)), refresh=True)

        yield show
    for report in shown:
        out.print(View(report))
