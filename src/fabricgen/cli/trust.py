"""Implements `fabricgen trust SITE`, which shows host keys and certificates for review."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.help import define_verb
from fabricgen.cli.plain import say
from fabricgen.cli.switch_connections import CHANGES, UNREACHED, deployment, reaching
from fabricgen.cli.switch_options import SiteSelection, asking

if TYPE_CHECKING:
    from fabricgen.operate.deploy.trust import Shown, Verdict


@define_verb(
    "trust",
    examples=("trust intent/full", "trust intent/full --limit oob --write"),
    codes={
        0: "All keys are trusted",
        2: "Some keys are new or changed",
        3: "Some switches did not answer",
    },
)
@asking
@click.option("--write", is_flag=True, help="Save new keys to the inventory folder.")
@reaching
def command(*, asked: SiteSelection, write: bool) -> int:
    """Show and save host keys and certificates.

    Compare the fingerprints with the consoles of the switches of SITE before you commit the files.
    The verb logs in to no switch. It never overwrites a changed key: remove its line manually when
    you know the reason.
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
