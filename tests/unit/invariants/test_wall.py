"""A lowering that is wrong alike on all switches is refused and named: nothing shares its rules."""

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.invariants.small import RAILS

from fabricgen.api.proof import read_back
from fabricgen.cli.main import run
from fabricgen.compile.compiler import compile_site, folder_of
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.linux import overlay
from fabricgen.nos.sonic import expected, ports
from fabricgen.prove.audit.judged import judged
from fabricgen.prove.evidence import rendered
from fabricgen.prove.lawful import Rendered


@pytest.fixture
def patched(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Patch a lowering; what it has remembered is forgotten before and after."""
    overlay._vrf_devices.cache_clear()
    yield monkeypatch
    overlay._vrf_devices.cache_clear()


def site_on(platform: str) -> Site:
    site = compile_site(load_texts({"site/site.yaml": RAILS}), platform).site
    assert site is not None
    return site


def one_table(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(overlay, "table", lambda _: 1002)


def one_router_mac(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SwitchSlice, "router_mac", property(lambda _: "02:fb:00:00:00:01"))


def _never(port: Port) -> bool:
    del port
    return False


def no_rs(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ports, "reed_solomon", _never)


def no_rs_at_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ports, "reed_solomon", _never)
    patch.setattr(expected, "reed_solomon", _never)


CASES = [
    ("linux", one_table, Code.LAW_VRF, Code.LAW_VRF),
    ("linux", one_router_mac, Code.LAW_ROUTER_MAC, Code.LAW_ROUTER_MAC),
    ("sonic", no_rs, Code.WRITTEN_FACT, Code.LAW_FEC),
    ("sonic", no_rs_at_all, Code.LAW_FEC, Code.LAW_FEC),
]
each_case = pytest.mark.parametrize(
    ("platform", "broken", "refused", "named"),
    CASES,
    ids=lambda each: getattr(each, "__name__", ""),
)


def laid(folder: Path, site: Site) -> None:
    for owner, own in rendered(site):
        for path, text in own.items():
            place = folder / folder_of(owner) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")


@each_case
def test_read_back_refuses_it(
    platform: str, broken: object, refused: Code, named: Code, patched: pytest.MonkeyPatch
) -> None:
    del named
    assert not [each for result in read_back(site_on(platform)) for each in result.findings]
    overlay._vrf_devices.cache_clear()
    assert callable(broken)
    broken(patched)
    found = {each.code for result in read_back(site_on(platform)) for each in result.findings}
    assert refused in found


@each_case
def test_judge_and_the_walk_name_it(
    platform: str,
    broken: object,
    refused: Code,
    named: Code,
    patched: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    del refused
    assert callable(broken)
    broken(patched)
    site = site_on(platform)
    laid(tmp_path, site)
    assert named in {each.code for result in judged(tmp_path).examined for each in result.findings}
    read = Rendered()
    for owner, own in rendered(site):
        if isinstance(owner, Switch):
            read.take(owner, own)
    assert named in {each.code for each in read.examined().findings}


def said(*words: str) -> tuple[int, str]:
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
        code = run([*words])
    return code, heard.getvalue()


def test_the_verbs_refuse_one_table_for_all_tenants(
    patched: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    site, tree, out = tmp_path / "site", tmp_path / "tree", tmp_path / "out"
    site.mkdir()
    (site / "site.yaml").write_text(RAILS, encoding="utf-8")
    laid(tree, site_on("linux"))
    clean = said("reach", str(site), "--as", "linux", "--matrix", "--files", str(tree))
    assert "FG877" not in clean[1]
    overlay._vrf_devices.cache_clear()
    one_table(patched)
    laid(tree, site_on("linux"))
    for words in (
        ("check", str(site), "--as", "linux", "--rendered"),
        ("render", str(site), "--as", "linux", "-o", str(out)),
        ("reach", str(site), "--as", "linux", "--matrix", "--files", str(tree)),
        (
            "reach",
            str(site),
            "--as",
            "linux",
            "--from",
            "shop-web",
            "--files",
            str(tree),
        ),
        ("audit", str(tree)),
    ):
        code, text = said(*words)
        assert code == 1, words
        assert "FG877" in text, words
    assert not out.exists()
