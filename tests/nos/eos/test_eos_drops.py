"""Reports of dropped packets: which platform has them, and which value is refused."""

import json
import re
from typing import Any

import pytest
from tests.nos.eos.sites import FRONT
from tests.nos.eos.test_eos_grammar import FILE, designed

from fabricgen.compile.compiler import Compiled, compile_site
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.prove.written import prove

SFLOW = {"collectors": ["10.255.3.12"], "rate": 50_000}


DROPS = FRONT.replace("rate: 50000}", "rate: 50000, drops: 100}")


def compiled(platform: str, sflow: dict[str, Any], accepted: tuple[str, ...] = ()) -> Compiled:
    keys: dict[str, Any] = {
        "site": {
            "name": "lab",
            "accept_unsupported": list(accepted),
            "management": {"subnet": "10.255.0.0/22", "ntp": ["10.255.3.1"], "sflow": sflow},
        },
        "backend": {
            "design": "rail-only",
            "servers": {"count": 2, "gpus": 2, "nic_speed": "400G"},
            "leaf": {"model": "7060X6-64PE" if platform == "eos" else "SN4700"},
            "roce": {"pfc": False},
        },
    }
    keys["backend"]["leaf"]["platform"] = platform
    return compile_site(load_texts({"site.yaml": json.dumps(keys)}))


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
def test_only_eos_reports_drops_and_says_what_is_not_known(platform: str) -> None:
    found = compiled(platform, {**SFLOW, "drops": 100}, ("sflow",)).findings
    of_drops = [item for item in found if item.path[-2:] == ("sflow", "drops")]
    (finding,) = of_drops
    assert finding.code is Code.UNSUPPORTED
    soft = platform == "eos"
    assert finding.severity is (Severity.WARNING if soft else Severity.ERROR)
    word = "no public document lists the models" if soft else "does not support drop-monitor"
    assert word in finding.message


def test_without_the_key_nothing_is_said() -> None:
    found = compiled("eos", SFLOW).findings
    assert not [item for item in found if "drop" in item.message]


@pytest.mark.parametrize("drops", [0, 501, "many"])
def test_a_bad_limit_is_refused(drops: object) -> None:
    loaded = load_texts(
        {
            "site.yaml": json.dumps(
                {
                    "site": {
                        "name": "lab",
                        "management": {"subnet": "10.0.0.0/24", "sflow": {**SFLOW, "drops": drops}},
                    }
                }
            )
        }
    )
    assert any(item.path[-1:] == ("drops",) for item in loaded.findings)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sample limit 100 pps", "sample limit 90 pps"),
        (r"         collector sflow\n", ""),
        (r"         format sflow\n", "         format drop-report\n"),
        (r"         local interface Management1\n", ""),
        (r"(Management1\n)   no shutdown\n", r"\1"),
    ],
)
def test_its_lines_are_read_back(old: str, new: str) -> None:
    switch_slice, config = designed(DROPS)[1]["fe-leaf01"]
    assert prove(switch_slice, {FILE: config}).findings == ()
    broken = re.sub(old, new, config, count=1)
    assert broken != config
    assert prove(switch_slice, {FILE: broken}).findings
