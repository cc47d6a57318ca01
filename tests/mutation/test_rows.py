"""A sample of the mutation run: a row that is removed or changed is refused, and is named.

`make reliability` runs all rows (`python -m tests.mutation.run`). docs/extend/testing.md has the
options.
"""

import random
from pathlib import Path

import pytest
from tests.longer import longer
from tests.mutation.harmless import reasons
from tests.mutation.run import PLATFORMS, SITES, Row, outcomes, rows, slipped

SAMPLE, SEED = 12, 26
MEASURED, FIRST = ("lab", "edge", "pairs"), 1
"""The sites and the seed of the measured figures."""
NAMED = 0.75
"""Share of the sample that `audit` or `reach` must name; the whole run has the real figure."""
MOST_HARMLESS = 0.05
SAME = frozenset(
    {
        "config_db.json: SWITCH_HASH * ecmp_hash",
        "config_db.json: BUFFER_PG *|* profile",
        "config_db.json: BUFFER_QUEUE *|* profile",
        "etc/network/interfaces: iface <port> > vrf-table <table>",
    }
)
"""Rows whose removal means the same: the five-tuple is a chip's own hash, and a port that is down
takes no buffers (docs/design/load-balancing.md, nos/sonic/readback/queues.py). The number of a
kernel table is free (Linux Documentation/networking/vrf.rst)."""


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_sample_of_rows_is_refused_and_named(platform: str) -> None:
    every = sorted(rows(platform, ["edge"]).items())
    done = list(outcomes(random.Random(SEED).sample(every, SAMPLE), SEED))
    accepted, unseen = slipped(done)
    assert [each.told for each in accepted if each.row.row not in SAME] == []
    assert len(unseen) <= (1 - NAMED) * len(done), [each.told for each in unseen]


@longer
@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_row_of_any_site_is_accepted(platform: str) -> None:
    done = list(outcomes(sorted(rows(platform, SITES).items()), SEED))
    accepted, _ = slipped(done)
    assert [each.told for each in accepted if each.row.row not in SAME] == []
    every = {each.row for each in done}
    listed = {each.row for each in done if reasons().reason(each.row, each.act)}
    assert len(listed) <= MOST_HARMLESS * len(every)


@longer
@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_more_rows_are_open_than_were_measured(platform: str) -> None:
    done = list(outcomes(sorted(rows(platform, MEASURED).items()), FIRST))
    silent = sorted({f"{each.row.role} {each.row.row}" for each in done if not each.named})
    assert len(silent) <= _ceilings()[platform], silent


def test_each_platform_has_a_ceiling() -> None:
    assert _ceilings().keys() == set(PLATFORMS)


def _ceilings() -> dict[str, int]:
    """Return the most rows that may be open or listed, by platform."""
    text = Path(__file__).with_name("ceilings.txt").read_text()
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return {platform: int(number) for platform, number in lines}


def test_a_reason_is_for_rows_that_its_pattern_names() -> None:
    prepend = "eos.cfg: route-map <map> <action> <seq:int> > set as-path prepend <asns:rest>"
    assert reasons().reason(Row("eos", "leaf", prepend), "changed")
    assert not reasons().reason(Row("sonic", "leaf", prepend), "changed")
    assert not reasons().reason(Row("eos", "leaf", "eos.cfg: hostname <name:own>"), "removed")
    assert all(len(each) == 4 and each[3] for each in reasons().rows)
