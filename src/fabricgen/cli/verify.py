"""`fabricgen verify SITE`: every running switch beside the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.formats.document import document
from fabricgen.cli.plain import console, say
from fabricgen.cli.reach import CHANGES, UNREACHED, Asked, asking, deployment, reaching

if TYPE_CHECKING:
    from fabricgen.deploy.setup import Deployment
    from fabricgen.deploy.verify import Verified


@click.command("verify")
@asking
@click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True
)
@click.option("--settle", default=0, metavar="SECONDS", help="Wait that long for what moves.")
@reaching
def command(*, asked: Asked, form: str, settle: int) -> int:
    """Compare what every switch of SITE runs with the model: addresses, sessions, routes, queues.

    Exit codes: 0 all as designed, 2 something differs, 3 some could not be read, 1 errors.
    """
    from fabricgen.deploy.verify import verified

    ready = deployment(asked, files=False)
    found = verified(ready, settle)
    if form == "json":
        say(document(_as_json(found)), nl=False)
    else:
        _print(ready, found)
    if found.unread or found.unasked:
        return UNREACHED
    return CHANGES if found.differences else 0


def _print(ready: Deployment, found: Verified) -> None:
    from fabricgen.cli.lab.terminal import table_of

    out = console()
    if found.looks:
        out.print(table_of(found.looks, {}))
    for sentence in found.differences:
        out.print(sentence, markup=False)
    for name, said in found.unread.items():
        out.print(f"not read: {name}: {said}", markup=False)
    for platform, names in found.unasked.items():
        out.print(
            f"not compared: {len(names)} switches run {platform}, whose running state no reader "
            "here reads; `fabricgen drift` compares their configuration",
            markup=False,
        )
    wrong = {name for name, look in found.looks.items() if look.differences}
    out.print(
        f"{len(found.looks) - len(wrong)} of {len(ready.targets)} switches run as designed",
        markup=False,
    )


def _as_json(found: Verified) -> dict[str, object]:
    rows = [each.as_data() for look in found.looks.values() for each in look.differences]
    return {
        "compared": sorted(found.looks),
        "differences": rows,
        "unread": found.unread,
        "unasked": found.unasked,
    }
