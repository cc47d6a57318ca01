"""Implements `fabricgen trust SITE`, which shows host keys and certificates for review."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.plain import say
from fabricgen.cli.switch_connections import CHANGES, UNREACHED, deployment, reaching
from fabricgen.cli.switch_options import SiteSelection, asking

if TYPE_CHECKING:
    from fabricgen.operate.deploy.trust import Shown, Verdict


@click.command("trust")
@asking
@click.option("--write", is_flag=True, help="Write what is new to the inventory's folder.")
@reaching
def command(*, asked: SiteSelection, write: bool) -> int:
    """Show the host key or certificate of every switch of SITE beside what is trusted.

    Compare the fingerprints with what the switches' consoles say, then commit the files. Nothing
    is sent to a switch. A key that is another than the trusted one is never overwritten: remove
    its line by hand when you know why it changed.

    Exit codes: 0 all are trusted, 2 some are new or another, 3 some did not answer, 1 errors.
    """
    from fabricgen.operate.deploy import trust

    ready = deployment(asked, files=False)
    found = trust.judged(asked.inventory, trust.scan(ready.fleet.inventory))
    for shown, verdict in found:
        say(_line(shown, verdict))
    if write:
        trust.write(asked.inventory, found)
    verdicts = {verdict for _, verdict in found}
    if trust.Verdict.SILENT in verdicts:
        return UNREACHED
    fresh = {trust.Verdict.CHANGED} if write else {trust.Verdict.NEW, trust.Verdict.CHANGED}
    return CHANGES if verdicts & fresh else 0


def _line(shown: Shown, verdict: Verdict) -> str:
    return f"{verdict.value:<9} {shown.switch}  {shown.fingerprint or shown.said}"
