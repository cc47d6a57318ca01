"""Implements `fabricgen lab traffic`, which sends packets and compares them with the model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.lab.terminal import compiled_lab, lab_option, one_line
from fabricgen.cli.output import data_option
from fabricgen.cli.plain import console, say

if TYPE_CHECKING:
    from rich.console import Console

    from fabricgen.operate.lab.traffic.proof import Proof

_COLORS = {"holds": "green", "fails": "red", "not asked": "yellow"}
_SHOWN = 8
"""Faults that are printed of one proof. --format json has all."""


@define_verb(
    "traffic",
    examples=("lab traffic", "lab traffic intent/lab --failures"),
    codes={0: "All proofs hold", 1: "Error, or a proof fails"},
)
@click.argument(
    "site",
    required=False,
    type=click.Path(path_type=Path),
    metavar="[SITE]",
    shell_complete=complete_sites,
)
@lab_option
@click.option("--failures", is_flag=True, help="Also fail and restore cables and a spine.")
@data_option
@one_line
def command(site: Path | None, lab: str | None, form: str, *, failures: bool) -> int:
    """Send test packets and check the results.

    Each proof compares the path of packets with the model. SITE selects the lab that `lab up SITE`
    started.
    """
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.place import chosen
    from fabricgen.operate.lab.traffic.proof import Verdict
    from fabricgen.operate.lab.traffic.registry import proofs

    place = chosen(lab or (site.resolve().name if site is not None else None))
    client, out = LabClient(place.socket), console()
    designed, plan = compiled_lab(place)
    tell = None if form == "json" else lambda proof: _say(out, proof)
    results = proofs(client, designed, plan, failures=failures, tell=tell)
    if form == "json":
        data = {"lab": place.name, "proofs": [proof.as_data() for proof in results]}
        say(document(data), nl=False)
    return 1 if any(proof.verdict is Verdict.FAILS for proof in results) else 0


def _say(out: Console, proof: Proof) -> None:
    from rich.markup import escape

    color = _COLORS[proof.verdict]
    out.print(f"[{color}]{proof.verdict:9}[/]  {escape(f'{proof.name}: {proof.sentence}')}")
    for fault in proof.faults[:_SHOWN]:
        out.print(f"           {fault}", markup=False)
    if len(proof.faults) > _SHOWN:
        out.print(f"           and {len(proof.faults) - _SHOWN} more")
