"""Prints the help of a verb: summary, description, examples, options by section, exit codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Sections = dict[str, tuple[str, ...]]

SECTIONS: Sections = {
    "Selection": (
        *("--from", "--to", "--proto", "--matrix", "--fail", "--on", "--last", "--name"),
        *("--limit", "--fabric", "--switch", "--inventory", "--lab", "--journal"),
    ),
    "Input": (
        *("--site", "--design", "--model", "--as", "--rendered", "--files", "--models"),
        *("--with-site", "--against", "--live", "--of", "--url", "--jobs"),
    ),
    "Lab": ("--fresh", "--machine", "--frr", "--silent", "--failures", "--user", "--pipe"),
    "Plan": ("--plan", "--dry-run", "--steps", "--sha", "--max-age", "--for"),
    "Batches": ("--batch", "--min-available", "--all-fabrics", "--one-batch", "--drain"),
    "Restore": ("--from-switches", "--rebuild-journal"),
    "Safety": (
        *("--yes", "--force", "--key", "--allow-reload", "--confirm-timeout", "--health-timeout"),
        *("--settle", "--deep", "--probe", "--break-glass", "--fail-on", "--write"),
    ),
    "Output": (
        *("--output", "--check", "--format", "--verbose", "--acknowledged", "--pictures"),
        *("--plot", "--plot-to", "--metrics", "--trace"),
    ),
}
"""The options of each help section. A verb may have sections of its own."""
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
        self.examples = examples
        self.codes = dict(sorted({**CODES, **(codes or {})}.items()))
        self.sections = {**(sections or {}), **SECTIONS}

    @property
    def summary(self) -> str:
        """The first line of the help, without its period."""
        return (self.help or "").partition("\n")[0].removesuffix(".")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the summary, the description and the examples."""
        del ctx
        _, _, description = (self.help or "").partition("\n")
        for paragraph in filter(None, (self.summary, description.strip())):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(paragraph)
        with formatter.section("Examples"):
            formatter.write("".join(f"  fabricgen {example}\n" for example in self.examples))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the options by section."""
        rows: dict[str, list[tuple[str, str]]] = {name: [] for name in (*self.sections, "Options")}
        options = (item for item in self.get_params(ctx) if isinstance(item, click.Option))
        for option in options:
            if (row := option.get_help_record(ctx)) is not None:
                rows[self.section_of(option)].append(row)
        for section, records in rows.items():
            if records:
                with formatter.section(section):
                    formatter.write_dl(records)

    def section_of(self, option: click.Parameter) -> str:
        """Return the section of an option."""
        names = {*option.opts}
        found = (name for name, options in self.sections.items() if names.intersection(options))
        return next(found, "Options")

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
        settings: Arguments of the class: examples, codes, sections.
    """
    return click.command(name, cls=cls, **settings)
