"""The verb `watch` on a recorded series: formats, files, limits and exit codes."""

import json
import shutil
from pathlib import Path

import pytest
import yaml
from tests.cli.calling import call
from tests.keys.sites import SITES
from tests.unit.watch.site import leaf, plans, to_server
from tests.unit.watch.written import Series

from fabricgen.operate.state.watch.series import record

LEAF = leaf()
SERVER = to_server(LEAF)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site whose switches run SONiC, as the plans of the series."""
    folder = tmp_path_factory.mktemp("site")
    words = json.loads(json.dumps(SITES["rails"]))
    for tier in ("leaf", "spine"):
        words["backend"][tier]["platform"] = "sonic"
    (folder / "site.yaml").write_text(yaml.safe_dump(words))
    return folder


def recorded(folder: Path, series: Series, number: int = 2) -> str:
    for place in range(1, number + 1):
        record(folder, place, series.look(10.0 * place))
    return str(folder)


def slow() -> Series:
    series = Series(plans())
    series.rates[LEAF.switch] = {("pause-received", SERVER, "3"): 1900.0}
    return series


def test_a_report_is_printed_and_a_limit_decides_the_exit_code(site: Path, tmp_path: Path) -> None:
    found = call("watch", str(site), "--from", recorded(tmp_path, slow()), "--once")
    assert found.code == 2, found.err
    assert "SlowReceiver" in found.out
    assert found.out.count("Rates per second") == 1


def test_every_look_is_printed_without_once(site: Path, tmp_path: Path) -> None:
    found = call("watch", str(site), "--from", recorded(tmp_path, slow(), 3))
    assert found.out.count("Rates per second") == 3


def test_a_calm_site_is_0_and_a_silent_switch_is_3(site: Path, tmp_path: Path) -> None:
    calm = recorded(tmp_path / "calm", Series(plans()))
    assert call("watch", str(site), "--from", calm, "--once").code == 0
    silent = recorded(tmp_path / "silent", Series(plans(), silent={LEAF.switch: "off"}))
    assert call("watch", str(site), "--from", silent, "--once").code == 3


def test_a_limit_of_the_intent_decides(site: Path, tmp_path: Path) -> None:
    loose = shutil.copytree(site, tmp_path / "loose")
    (loose / "watch.yaml").write_text("watch: {pauses: 2000}\n")
    assert call("watch", str(loose), "--from", recorded(tmp_path / "r", slow()), "--once").code == 0


def test_json_lines_have_one_document_for_each_look(site: Path, tmp_path: Path) -> None:
    found = call("watch", str(site), "--from", recorded(tmp_path, slow()), "--format", "jsonl")
    documents = [json.loads(line) for line in found.out.splitlines()]
    assert [each["look"] for each in documents] == [1, 2]
    assert documents[1]["findings"][0]["rule"] == "SlowReceiver"
    assert documents[1]["site"] == SITES["rails"]["site"]["name"]


def test_prometheus_text_is_one_report_or_a_file_that_is_replaced(
    site: Path, tmp_path: Path
) -> None:
    series = recorded(tmp_path / "r", slow())
    found = call("watch", str(site), "--from", series, "--format", "prometheus")
    assert found.out.count("# TYPE fabricgen_watch_findings gauge") == 1
    target = tmp_path / "fabricgen.prom"
    target.write_text("old")
    options = ("--format", "prometheus", "-o", str(target))
    written = call("watch", str(site), "--from", series, *options)
    assert written.out == ""
    assert 'rule="SlowReceiver"' in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o644
    assert [each.name for each in tmp_path.iterdir() if "fabricgen" in each.name] == [target.name]


def test_limit_selects_the_switches(site: Path, tmp_path: Path) -> None:
    series = recorded(tmp_path, slow())
    found = call("watch", str(site), "--from", series, "--once", "--limit", "be-spine*")
    assert found.code == 0
    assert LEAF.switch not in found.out.split("Tightest")[0]


def test_a_series_is_recorded_again(site: Path, tmp_path: Path) -> None:
    first, second = recorded(tmp_path / "a", slow()), tmp_path / "b"
    call("watch", str(site), "--from", first, "--record", str(second))
    files = sorted(path.relative_to(second) for path in second.rglob("*.json"))
    assert len(files) == 2 * (len(plans()) + 1)
    for path in files:
        documents = [json.loads((folder / path).read_text()) for folder in (Path(first), second)]
        assert documents[0] == documents[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--interval", "0"), "is no duration"),
        (("--for", "soon"), "is no duration"),
        (("--once", "--for", "60s"), "--once cannot be combined with --for"),
        (("-o", "x"), "-o needs --format"),
    ],
)
def test_a_wrong_option_is_wrong_usage(site: Path, options: tuple[str, ...], said: str) -> None:
    found = call("watch", str(site), *options)
    assert found.code == 64
    assert said in found.err


def test_a_folder_without_looks_is_an_error(site: Path, tmp_path: Path) -> None:
    found = call("watch", str(site), "--from", str(tmp_path), "--once")
    assert (found.code, "has no looks" in found.err) == (1, True)


def test_a_site_without_a_lossless_class_has_nothing_to_watch(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text(yaml.safe_dump(SITES["tenants"]))
    found = call("watch", str(tmp_path), "--from", str(tmp_path))
    assert (found.code, found.out) == (0, "no switch of the selection has a lossless class\n")
