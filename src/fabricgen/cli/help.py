"""Prints the help of a verb: summary, description, examples, options by section, exit codes."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Sections = dict[str, tuple[str, ...]]

SECTIONS: Sections = {
    "Selection": (
        *("--from", "--to", "--proto", "--dscp", "--matrix", "--fail", "--on", "--last", "--name"),
        *(
            "--limit",
            "--where",
            "--fabric",
            "--switch",
            "--server",
            "--inventory",
            "--lab",
            "--journal",
        ),
    ),
    "Input": (
        *("--site", "--design", "--model", "--as", "--rendered", "--files", "--models"),
        *(
            "--with-site",
            "--against",
            "--of",
            "--url",
            "--jobs",
            "--shape",
            "--without",
            "--results",
        ),
    ),
    "State": (
        *(
            "--live",
            "--recordings",
            "--push",
            "--state",
            "--settle",
            "--deep",
            "--once",
            "--interval",
            "--hosts",
        ),
    ),
    "History": (
        *("--since", "--baseline", "--save-baseline", "--baselines", "--delete-baseline"),
        *("--retain", "--prune"),
    ),
    "Lab": ("--fresh", "--machine", "--frr", "--silent", "--failures", "--user", "--pipe"),
    "Plan": ("--plan", "--dry-run", "--steps", "--sha", "--max-age", "--for"),
    "Batches": ("--batch", "--min-available", "--all-fabrics", "--one-batch", "--drain"),
    "Restore": ("--from-switches", "--rebuild-journal"),
    "Safety": (
        *("--yes", "--force", "--key", "--allow-reload", "--confirm-timeout", "--health-timeout"),
        *("--probe", "--break-glass", "--fail-on", "--write", "--owner", "--in-lab"),
        *("--declared", "--declared-trailer", "--base", "--evidence", "--replay"),
    ),
    "Output": (
        *("--output", "--check", "--format", "--verbose", "--acknowledged", "--pictures"),
        *("--plot", "--plot-to", "--metrics", "--trace", "--picture", "--full", "--changes"),
        *("--declare", "--record"),
    ),
    "Server": ("--host", "--port", "--public-name", "--token-file", "--proxy-header"),
}
"""The options of each help section. A verb may have sections of its own."""
_BOUND = re.compile(r"(?:; )?\bx>=?[01]\b(?:; )?")
"""A lower bound that needs no mention."""
CODES = {0: "Success", 1: "Error", 64: "Wrong usage", 130: "Interrupted"}


class VerbCommand(click.Command):
    """A verb whose help has examples, options by section and exit codes."""

    def __init__(
        self,
        *arguments: Any,
        examples: tuple[str, ...],
        codes: Mapping[int, str] | None = None,
        sections: Sections | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        self.summary, _, self.description = inspect.cleandoc(self.help or "").partition("\n")
        self.summary = self.summary.removesuffix(".")
        self.examples = examples
        self.codes = dict(sorted({**CODES, **(codes or {})}.items()))
        self.sections = {**(sections or {}), **SECTIONS}

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Return both help options. The context has no say: click keeps the first answer."""
        del ctx
        return ["-h", "--help"]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the summary, the description and the examples."""
        del ctx
        for paragraph in (self.summary, self.description.strip()):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(paragraph)
        with formatter.section("Examples"):
            formatter.write("".join(f"  fabricgen {example}\n" for example in self.examples))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the options by section."""
        options = {
            item.opts[-1]: item for item in self.get_params(ctx) if item.param_type_name == "option"
        }
        for section, names in self.sections.items():
            found = [options.pop(name) for name in names if name in options]
            self._write_section(ctx, formatter, section, found)
        self._write_section(ctx, formatter, "Options", options.values())

    @staticmethod
    def _write_section(
        ctx: click.Context,
        formatter: click.HelpFormatter,
        section: str,
        options: Iterable[click.Parameter],
    ) -> None:
        records = [record for option in options if (record := option.get_help_record(ctx))]
        rows = [(name, _BOUND.sub("", text).removesuffix("  []")) for name, text in records]
        if rows:
            with formatter.section(section):
                formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the exit codes."""
        del ctx
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), text) for code, text in self.codes.items()])


def define_verb(
    name: str, *, cls: type[VerbCommand] = VerbCommand, **settings: Any
) -> Callable[[Callable[..., Any]], VerbCommand]:
    """Return the decorator that makes a function a verb.

    Args:
        name: Name of the verb.
        cls: Class of the command.
        settings: Arguments of the class, such as examples, codes and sections.
    """
    return click.command(name, cls=cls, **settings)
