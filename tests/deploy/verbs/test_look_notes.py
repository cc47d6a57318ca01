"""Pushes and `watch` store what they see, and go on without a journal."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.deploy.journal.looks import BEGIN, PORT, facts, identity, look

from fabricgen.cli.look_notes import note_of_push, note_of_watch
from fabricgen.cli.switch_options import SiteSelection
from fabricgen.nos.health import Health
from fabricgen.nos.show import Observed
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.records import Lane
from fabricgen.operate.state.timeline.timeline import Timeline
from fabricgen.operate.state.watch.looks import Look, Seen

ERRORS = ("pause-sent", "Ethernet1", "3")


@pytest.fixture
def asked(tmp_path: Path) -> SiteSelection:
    """Return the selection of a site without a lab."""
    return SiteSelection(site=tmp_path, inventory=tmp_path, lab=None, journal=None)


def history(journal: Journal) -> History:
    return History(journal.database, Lane(site="small"))


def reached(site: str = "small") -> Any:
    fleet = SimpleNamespace(target=lambda _: SimpleNamespace(platform="linux"))
    return cast("Any", SimpleNamespace(site=site, fleet=fleet))


def stored(asked: SiteSelection) -> None:
    """Store the first complete look."""
    with asked.open_journal() as journal:
        Timeline(journal.database).write(Lane(site="small"), {"leaf1": look()}, identity())


def test_the_snapshots_of_a_push_are_stored(asked: SiteSelection) -> None:
    stored(asked)
    note = note_of_push(asked, reached())
    seen = Health(observed=Observed(facts={PORT: {"mtu": "1500"}}))
    blind = Health()
    note({"leaf1": seen, "leaf2": blind}, 1e12)
    with asked.open_journal() as journal:
        (moment,) = history(journal).moments("leaf1", BEGIN)
        assert (moment.source, moment.event.changes[0].new) == ("push", "1500")
        assert history(journal).facts("leaf1") == facts(mtu="1500")


def test_watch_stores_its_measures_once_a_minute(
    asked: SiteSelection, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(asked)
    writes = list[float]()
    monkeypatch.setattr(
        "fabricgen.cli.look_notes.LookNotes.write",
        lambda _, looks, __: writes.append(looks["leaf1"].numbers[ERRORS]),
    )
    note = note_of_watch(asked, "small")
    for seconds in range(0, 130, 10):
        note(
            Look(
                taken=1_000.0 + seconds,
                seen={"leaf1": Seen(taken=0.0, measures={ERRORS: float(seconds)})},
            )
        )
    assert writes == [0, 60, 120]


def test_without_a_journal_a_push_goes_on_and_warns_once(
    asked: SiteSelection, capsys: pytest.CaptureFixture[str]
) -> None:
    (asked.site / ".fabricgen").write_text("a file where the folder has to be")
    note = note_of_push(asked, reached())
    for _ in range(3):
        note({"leaf1": Health(observed=Observed(facts=facts()))}, 0.0)
    assert capsys.readouterr().err.count("timeline not written (") == 1
