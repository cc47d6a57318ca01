"""Implements `fabricgen audit DIR`, which audits existing configurations without an intent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.help import define_verb
from fabricgen.cli.output import format_option, platform_option, print_findings
from fabricgen.cli.plain import say
from fabricgen.core.diagnostics import Code, Diagnostic, Failure, has_errors
from fabricgen.core.plain_text import clean
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.prove.audit.judged import Judgment


@define_verb("audit", examples=("audit rendered/frontend", "audit rendered --verbose"))
@click.argument("place", type=click.Path(path_type=Path), metavar="DIR")
@platform_option
@click.option("--verbose", is_flag=True, help="List the lines that no reader understands.")
@format_option
def command(*, place: Path, platform: str | None, verbose: bool, form: str) -> int:
    """Find errors in existing switch configurations.

    DIR has a file or a folder for each switch: an EOS running-config, a SONiC CONFIG_DB or an
    frr.conf. No intent is needed.
    """
    from fabricgen.intent.source import SourceMap
    from fabricgen.prove.audit.judged import judged

    try:
        judgment = judged(place, platform)
    except OSError as error:
        message = f"{place} cannot be read: {error.strerror}"
        raise Failure(Diagnostic(Code.CONFIG_UNREADABLE, message)) from None
    findings = [finding for result in judgment.examined for finding in result.findings]
    print_findings(findings, SourceMap(), form, judgment.examined)
    if form == "text":
        _understood(judgment, verbose=verbose)
    return 1 if has_errors(findings) else 0


def _understood(judgment: Judgment, *, verbose: bool) -> None:
    """Print the share of lines that were understood, with `verbose` also the other lines."""
    share = judgment.share
    if verbose:
        for file, number, line in share.strange:
            say(f"{clean(file)}:{number}: not understood: {clean(line)}")
        for name in judgment.left:
            say(f"{clean(name)}: not a switch configuration")
        for reason in judgment.unjudged:
            say(f"not checked: {clean(reason)}")
        for name, other in judgment.others.items():
            say(f"{clean(name)}: {other} is not supported")
    rest = f"; {counted(len(share.strange), 'line')} not" if share.strange else ""
    if share.lines:
        say(f"understood: {share.percent:.1f} % of {counted(share.lines, 'line')}{rest}")
        if share.ignored:
            parts = (f"{counted(n, 'line')}: {reason}" for reason, n in share.ignored.items())
            say(f"used: {share.used:.1f} %; ignored: {100 - share.used:.1f} % ({'; '.join(parts)})")
        outcome = "left out"
    else:
        outcome = "nothing was understood"
    reasons = "; ".join(_left(judgment))
    if reasons or not share.lines:
        say(f"{outcome}: {reasons or 'no file has a configuration line'}")


def _left(judgment: Judgment) -> Iterator[str]:
    """Yield each reason why files were not read, with the number of files."""
    others = " or ".join(sorted({*judgment.others.values()}))
    for names, reason in (
        (judgment.others, f"of {others}, which is not supported"),
        (judgment.left, "without a configuration"),
    ):
        if names:
            yield f"{counted(len(names), 'file')} {reason}"
