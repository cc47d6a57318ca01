"""JSON lines and gauges hold the report, and names from switches cannot break them."""

import json
import re

from tests.unit.watch.site import leaf, plans, reports, to_server
from tests.unit.watch.written import Series

from fabricgen.operate.exposition import labels
from fabricgen.operate.state.watch.data import as_data, exposed

LEAF = leaf()
SERVER = to_server(LEAF)
HOSTILE = 'x"} 1\nfabricgen_watch_findings{site="s\x1b[2J\\'
_LABEL = r'[a-z]+="(?:[^"\\\n]|\\[\\"n])*"'
LINE = re.compile(rf"[a-z_]+\{{{_LABEL}(?:,{_LABEL})*\}} -?\d+\.\d{{3}}")
"""A sample in the text format, with escaped label values."""


def hostile() -> Series:
    series = Series(plans())
    series.rates[LEAF.switch] = {
        ("pause-received", HOSTILE, "3"): 5.0,
        ("pause-received", SERVER, HOSTILE): 5.0,
        ("pause-received", SERVER, "3"): 500.0,
    }
    series.silent = {"be-spine1": HOSTILE}
    series.unknown = {"be-spine2": {("ecn-marked",): HOSTILE}}
    return series


def test_every_line_is_a_comment_or_a_sample() -> None:
    lines = exposed(reports(hostile()), 5.0).splitlines()
    samples = [line for line in lines if not line.startswith("# ")]
    assert len(samples) > 20
    assert [line for line in samples if not LINE.fullmatch(line)] == []
    assert any("slow" not in line and "\\\\u001b" in line for line in samples)


def test_samples_are_unique_and_the_help_precedes_them() -> None:
    lines = exposed(reports(hostile()), 5.0).splitlines()
    samples = [line.rpartition(" ")[0] for line in lines if not line.startswith("# ")]
    assert len(samples) == len(set(samples))
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) == len(set(names))


def test_a_label_keeps_its_text_escaped() -> None:
    assert labels(a='1"2', b="3\\4", c="5\n6", d="\ud800") == (
        'a="1\\"2",b="3\\\\4",c="5\\n6",d="\\\\ud800"'
    )


def test_the_document_of_a_look_has_every_finding_with_its_limit_and_source() -> None:
    document = json.loads(json.dumps(as_data(reports(hostile()), "now")))
    found = next(each for each in document["findings"] if each["rule"] == "SlowReceiver")
    assert (found["value"], found["limit"], found["unit"]) == (500.0, 100.0, "frames/s")
    assert (found["switch"], found["port"], found["number"]) == (LEAF.switch, SERVER, "3")
    assert (found["sampled_seconds"], found["source"]) == (1.0, "limit of this project")
    assert document["silent"] == {"be-spine1": HOSTILE}
    assert document["not_counted"][0]["switches"]
    assert len(document["tightest"]) == 10


def test_a_report_without_values_has_no_empty_gauge() -> None:
    text = exposed(reports(Series(plans()), 0.0), 5.0)
    assert "fabricgen_watch_rate{" not in text
    assert "# TYPE fabricgen_watch_rate gauge" not in text
    assert 'fabricgen_watch_findings{site="s",level="alarm"} 0.000' in text
