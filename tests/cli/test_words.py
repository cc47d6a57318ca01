"""The words that programs read in JSON, events, plans and the journal: none of them goes.

A word that changes breaks who reads it, and journals and plans that are already written.
"""

from enum import StrEnum

import pytest

from fabricgen.compile.reports.claims import State
from fabricgen.core.diagnostics import Severity
from fabricgen.core.tree.risk import Risk
from fabricgen.model.fabric.balancing import Field, Mode
from fabricgen.model.fabric.qos import Kind as Traffic
from fabricgen.model.fabric.topology import Role
from fabricgen.operate.deploy.fleet import Fault
from fabricgen.operate.deploy.journal.records import Kind as Push
from fabricgen.operate.deploy.journal.records import Phase, Result
from fabricgen.operate.deploy.push.events import EventKind
from fabricgen.operate.deploy.trust import Verdict as Trust
from fabricgen.operate.lab.traffic.proof import Verdict
from fabricgen.prove.differences import Kind as Difference

WORDS: dict[type[StrEnum], tuple[str, ...]] = {
    EventKind: (
        *("begun", "batch", "ready", "committed", "beside", "unseen", "gate", "old", "lost"),
        *("ended", "over", "recovered"),
    ),
    Push: ("push", "rollback", "unlock"),
    Phase: (
        *("planned", "arming", "armed", "confirming", "confirmed", "rolling-back", "rolled-back"),
        *("failed", "unreachable", "unknown", "skipped", "canceled", "unlocked", "kept"),
    ),
    Result: (
        *("done", "failed", "refused", "rolled-back", "unknown"),
        *("interrupted", "rebuilt", "abandoned"),
    ),
    Fault: ("unreachable", "busy", "refused", "failed", "stale", "unknown", "canceled"),
    Trust: ("new", "same", "CHANGED", "no answer"),
    Severity: ("error", "warning", "note"),
    Role: ("leaf", "spine", "superspine"),
    Traffic: ("lossless", "storage", "cnp", "control", "best-effort"),
    Mode: ("ecmp", "flowlet", "spray", "cluster"),
    Field: (
        *("source-ip", "destination-ip", "protocol", "source-port", "destination-port"),
        "queue-pair",
    ),
    State: ("holds", "BROKEN", "not configured"),
    Difference: ("wrong", "not yet", "unread"),
    Verdict: ("holds", "fails", "not asked"),
}


@pytest.mark.parametrize("kind", WORDS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_a_word_stays(kind: type[StrEnum]) -> None:
    """New ones may come."""
    assert [word for word in WORDS[kind] if word not in [each.value for each in kind]] == []


def test_the_words_of_risk_stay() -> None:
    words = ["hitless", "session-reset", "lossless-disruptive", "reboot"]
    assert [risk.word for risk in Risk] == words
