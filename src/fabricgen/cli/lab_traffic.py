"""`fabricgen lab traffic`: real packets between all hosts, judged by the model."""

from __future__ import annotations

import click

from fabricgen.cli.lab_saying import compiled_lab, lab_option, one_line


@click.command("traffic")
@lab_option
@one_line
def command(lab: str | None) -> int:
    """Send packets between all pairs of hosts; exit code 1 when one arrives that must not."""
    from fabricgen.lab.client import LabClient
    from fabricgen.lab.place import chosen
    from fabricgen.lab.traffic import expected_pairs, judge_matrix

    place = chosen(lab)
    client = LabClient(place.socket)
    site, plan = compiled_lab(place)
    pairs = expected_pairs(site, plan)
    client.call("probe", ask={"kind": "echo", "wait": 1})
    ask = {
        "kind": "matrix",
        "pairs": [(pair.source, pair.target) for pair in pairs],
        "rounds": 4,
        "wait": 1,
        "size": 100,
        "dscp": 0,
    }
    heard = client.call("probe", ask=ask)
    wrong = list(judge_matrix(plan, pairs, heard))
    reach = sum(pair.routers is not None for pair in pairs)
    click.echo(f"{len(pairs)} pairs: {reach} have to reach each other, {len(heard)} do")
    for sentence in wrong:
        click.echo(sentence)
    return 1 if wrong else 0
