"""Loads a site and prints findings for every verb."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.plain import colored, say
from fabricgen.core.plain_text import clean
from fabricgen.core.progress import make_room
from fabricgen.core.record import record
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import date

    from click.shell_completion import CompletionItem

    from fabricgen.api.findings import Finding
    from fabricgen.compile.compiler import Compiled, File
    from fabricgen.core.diagnostics import Diagnostic, Examined
    from fabricgen.intent.load import Loaded
    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site

FORMATS = ("text", "json", "markdown", "sarif", "junit", "github", "gitlab")
_NEED_PLACES = ("sarif", "gitlab")
F = TypeVar("F", bound="Callable[..., Any]")


class Platforms(click.Choice[str]):
    """The names of platforms, all or only bootable ones. They are loaded on first use."""

    def __init__(self, *, bootable: bool = False) -> None:
        self.bootable, self.case_sensitive = bootable, True

    @property
    def choices(self) -> Sequence[str]:  # type: ignore[override]
        """Return the names of the registry, which is imported here."""
        from fabricgen.nos.registry import bootable, platforms

        return bootable() if self.bootable else platforms()


class Target(Platforms):
    """A platform, or one of its releases: `sonic`, `sonic:202505`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse an unknown platform or release."""
        from fabricgen.nos.registry import nos

        name, colon, release = str(value).partition(":")
        runs = nos(super().convert(name, param, ctx))
        if colon and release not in runs.targets():
            known = ", ".join((*runs.releases, *(f"+{image}" for image in runs.images)))
            self.fail(f"{name} has no release {release!r}; known: {known or 'none'}")
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete platforms and, after the colon, releases."""
        from click.shell_completion import CompletionItem

        from fabricgen.nos.registry import targets

        if ":" not in incomplete:
            return super().shell_complete(ctx, param, incomplete)
        known = (f"{name}:{release}" for name, found in targets().items() for release in found)
        return [CompletionItem(word) for word in known if word.startswith(incomplete)]


site_argument = click.argument(
    "site", type=click.Path(path_type=Path), metavar="SITE", shell_complete=complete_sites
)


def form_option(*forms: str, text: str = "Output format.") -> Callable[[F], F]:
    """Return the option for the output format. Its default is the first format."""
    form = click.Choice(forms)
    return click.option(
        "--format", "form", type=form, default=forms[0], show_default=True, help=text
    )


format_option = form_option(*FORMATS)
data_option = form_option("text", "json")
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of rendering processes. Default: one per core of this machine.",
)
force_option = click.option("--force", is_flag=True, help="Overwrite manually changed files.")
platform_option = click.option(
    "--as", "platform", type=Platforms(), metavar="OS", help="OS of files without a known format."
)
catalog_option = click.option(
    "--site",
    type=click.Path(path_type=Path),
    shell_complete=complete_sites,
    help="Add the hardware in the catalog/ folder of this site.",
)
as_option = click.option(
    "--as",
    "as_platform",
    type=Target(),
    metavar="OS[:RELEASE]",
    help="Render for this OS; report missing features as warnings.",
)


def output_option(metavar: str, text: str, *, required: bool = True) -> Callable[[F], F]:
    """Return the option for the output folder of a verb."""
    return click.option(
        "-o",
        "--output",
        "target",
        type=click.Path(path_type=Path),
        required=required,
        metavar=metavar,
        help=text,
    )


folder_option = output_option("DIR", "Output folder; replaced as a whole.")


def confirm(question: str) -> None:
    """Ask a question. The answer no ends the verb before it changes anything."""
    make_room()
    if not click.confirm(clean(question), err=True):
        say("not confirmed: nothing was changed", err=True)
        raise click.exceptions.Exit(130)


def print_findings(
    findings: Iterable[Diagnostic],
    source: SourceMap,
    form: str = "text",
    examined: Iterable[Examined] = (),
    *,
    err: bool = False,
) -> None:
    """Print findings in a format to stdout, or to stderr next to other output."""
    from fabricgen.api.findings import entries, placed

    rows = entries(findings, source)
    print_entries(placed(rows, source) if form in _NEED_PLACES else rows, form, examined, err=err)


def print_entries(
    rows: list[Finding], form: str = "text", examined: Iterable[Examined] = (), *, err: bool = False
) -> None:
    """Print findings whose places are resolved. Acknowledged findings are counted."""
    from fabricgen.api.findings import split_acknowledged
    from fabricgen.cli.formats.findings import FORMATS as PRINTERS
    from fabricgen.cli.formats.findings import text

    rows, accepted = split_acknowledged(rows, today())
    checks = [replace(check, not_run=clean(check.not_run)) for check in examined]
    if form == "text":
        paint = colored(sys.stderr if err else sys.stdout)
        printed = text(rows, checks, accepted, paint=paint)
    else:
        printed = PRINTERS[form](rows, checks, accepted)
    say(printed, nl=False, err=err, finished=True)


def today() -> date:
    """Return the current day in UTC, which decides whether acknowledgments expired."""
    return datetime.now(UTC).date()


def count_warnings(rows: Iterable[Finding]) -> int:
    """Count warnings without a valid acknowledgment."""
    from fabricgen.api.findings import split_acknowledged
    from fabricgen.core.diagnostics import Severity

    is_open, _ = split_acknowledged(rows, today())
    return sum(row.severity is Severity.WARNING for row in is_open)


def print_failure(error: Exception) -> bool:
    """Print the diagnostic of an exception. Return False for an exception without one."""
    from fabricgen.core.diagnostics import Failure
    from fabricgen.intent.source import SourceMap

    if isinstance(error, Failure):
        print_findings([error.diagnostic], SourceMap(), err=True)
    return isinstance(error, Failure)


def compiled(site: Path, as_platform: str | None) -> tuple[Loaded, Compiled]:
    """Load and compile a site without printing."""
    from fabricgen.compile.compiler import compile_site
    from fabricgen.intent.load import load_site

    loaded = load_site(site)
    return loaded, compile_site(loaded, as_platform)


@record()
class Designed:
    """A valid site with its findings."""

    site: Site
    source: SourceMap
    findings: tuple[Diagnostic, ...]


def designed(site: Path, as_platform: str | None) -> Designed:
    """Load and compile a site. Errors are printed and end the verb."""
    from fabricgen.intent.acknowledging import acknowledge

    loaded, result = compiled(site, as_platform)
    findings = acknowledge(result.findings, loaded.intent)
    if result.site is None or not result.ok:
        ended(findings, loaded.source)
    return Designed(result.site, loaded.source, findings)


def warned(site: Path, as_platform: str | None) -> Designed:
    """Load and compile a site, and print the number of warnings."""
    from fabricgen.api.findings import entries

    design = designed(site, as_platform)
    if warnings := count_warnings(entries(design.findings, design.source)):
        say(listed_by_check(warnings, site, as_platform), err=True)
    return design


def listed_by_check(warnings: int, site: Path, as_platform: str | None) -> str:
    """Return the number of warnings and the command that lists them."""
    if not warnings:
        return "no warnings"
    lifted = f" --as {as_platform}" if as_platform else ""
    return f"{counted(warnings, 'warning')} (fabricgen check {site}{lifted})"


def exported(
    design: Designed, target: Path, files: Iterable[File], left: Iterable[str], *, force: bool
) -> None:
    """Write the files of an export, and print a warning for each omission."""
    from fabricgen.compile.output.tree import write_tree

    write_tree(target, design.site.name, files, force=force)
    for sentence in left:
        say(f"warning: {sentence}", err=True)


@contextmanager
def answered(source: SourceMap) -> Iterator[None]:
    """End the verb with the finding of an error of the library."""
    from fabricgen.core.diagnostics import Failure

    try:
        yield
    except Failure as failure:
        ended([failure.diagnostic], source)


def ended(findings: Iterable[Diagnostic], source: SourceMap) -> NoReturn:
    """Print the findings that stop a verb, and end it with exit code 1."""
    print_findings(findings, source, err=True)
    raise click.exceptions.Exit(1)
