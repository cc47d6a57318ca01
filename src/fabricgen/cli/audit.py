"""Implements `fabricgen audit DIR`, which audits existing configurations without an intent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.output import Platforms, format_option, print_findings
from fabricgen.cli.plain import clean, say
from fabricgen.core.diagnostics import Code, Diagnostic, Failure, has_errors
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.prove.audit.judged import Judgment

_UNSPOKEN = "which no reader here speaks"


@click.command("audit")
@click.argument("place", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--as",
    "platform",
    type=Platforms(),
    metavar="OS",
    help="What all files are of, where it cannot be told from them.",
)
@click.option("--verbose", is_flag=True, help="List the lines that are not understood.")
@format_option
def command(*, place: Path, platform: str | None, verbose: bool, form: str) -> int:
    """Find errors in the switch configurations of DIR.

    DIR has a file or a folder for each switch: a running-config of EOS, CONFIG_DB of SONiC or
    frr.conf. Exit code 1 if there are errors, as in `check`.
    """
    from fabricgen.intent.source import SourceMap
    from fabricgen.prove.audit.judged import judged

    try:
        judgment = judged(place, platform)
    except OSError as error:
        why = f"{place} cannot be read: {error.strerror}"
        raise Failure(Diagnostic(Code.CONFIG_UNREADABLE, why)) from None
    findings = [each for result in judgment.examined for each in result.findings]
    print_findings(findings, SourceMap(), form, judgment.examined)
    if form == "text":
        _understood(judgment, verbose=verbose)
    return 1 if has_errors(findings) else 0


def _understood(judgment: Judgment, *, verbose: bool) -> None:
    """Print how much of the files was understood; verbose: and what was not."""
    share = judgment.share
    if verbose:
        for file, number, line in share.strange:
            say(f"{clean(file)}:{number}: not understood: {clean(line)}")
        for name in judgment.left:
            say(f"{clean(name)}: no configuration of a switch")
        for why in judgment.unjudged:
            say(f"not checked: {clean(why)}")
        for name, other in judgment.others.items():
            say(f"{clean(name)}: {other}, {_UNSPOKEN}")
    rest = f"; {counted(len(share.strange), 'line')} not" if share.strange else ""
    if share.lines:
        say(f"understood: {share.percent:.1f} % of {counted(share.lines, 'line')}{rest}")
        if share.ignored:
            why = "; ".join(f"{counted(n, 'line')}: {each}" for each, n in share.ignored.items())
            say(f"used: {share.used:.1f} %; ignored {100 - share.used:.1f} % ({why})")
        told = "left out"
    else:
        told = "nothing was understood"
    why = "; ".join(_left(judgment))
    if why or not share.lines:
        say(f"{told}: {why or 'no line says anything'}")


def _left(judgment: Judgment) -> Iterator[str]:
    """Yield why files were not read, with how many."""
    for names, what in (
        (judgment.others, f"{' or '.join(sorted({*judgment.others.values()}))}, {_UNSPOKEN}"),
        (judgment.left, "no configuration"),
    ):
        if names:
            verb = "is" if len(names) == 1 else "are"
            yield f"{counted(len(names), 'file')} {verb} {what}"
