"""What ping is told, and that its exit status is the answer."""

from collections.abc import Sequence

import pytest

from fabricgen.nos.shared.onswitch import pings
from fabricgen.nos.shared.onswitch.commands import MISSING, Done


def test_an_end_that_answers_one_of_three_packets_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    statuses = {"10.65.0.2": 0, "10.65.0.3": 1, "10.65.0.4": MISSING}
    told = []

    def run(argv: Sequence[str], timeout: float) -> Done:
        told.append((" ".join(argv), timeout))
        return Done(statuses[argv[-1]], "", "")

    monkeypatch.setattr(pings, "run", run)
    assert pings.pings(("10.65.0.1", far) for far in statuses) == [True, False, False]
    assert ("ping -n -q -c 3 -i 0.2 -W 1 -I 10.65.0.1 10.65.0.2", 10.0) in told
    assert pings.pings([("Vrf_red 10.250.1.1", "10.65.0.2")]) == [True]
    assert told[-1][0].endswith("-W 1 -I Vrf_red -I 10.250.1.1 10.65.0.2")
