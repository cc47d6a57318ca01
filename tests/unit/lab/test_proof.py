"""One measurement judged: what is wrong makes it fail, and machines are given all of it."""

import json

import pytest

from fabricgen.operate.lab.traffic.proof import Proof, Verdict, judged, not_asked


@pytest.mark.parametrize(
    ("proof", "row"),
    [
        (
            judged("ECMP", "2 of 2 uplinks", (), flows=64),
            {"verdict": "holds", "sentence": "2 of 2 uplinks", "faults": []}
            | {"figures": {"flows": 64}},
        ),
        (
            judged("ECMP", "1 of 2 uplinks", iter(["leaf1:swp1 carries none"])),
            {"verdict": "fails", "sentence": "1 of 2 uplinks", "figures": {}}
            | {"faults": ["leaf1:swp1 carries none"]},
        ),
        (
            not_asked("ECMP", "there is one way only"),
            {"verdict": "not asked", "sentence": "there is one way only"}
            | {"faults": [], "figures": {}},
        ),
    ],
)
def test_a_proof_is_data_for_machines(proof: Proof, row: dict[str, object]) -> None:
    assert json.loads(json.dumps(proof.as_data())) == {"name": "ECMP", **row}
    assert proof.verdict is Verdict(str(row["verdict"]))
