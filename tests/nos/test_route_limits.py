"""Every session with a router outside has a route limit, in the files of each platform."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.keys.sites import SITES
from tests.nos.read_lists import facts_of, files_of
from tests.nos.tenants import edged, fenced, flooded

from fabricgen.compile.compiler import compile_site, slices
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import Loaded, load_site, load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.settings.sessions import MaxPrefixes

ROOT = Path(__file__).resolve().parents[2]
PLATFORMS = ("eos", "sonic", "linux")
LINES = {"eos": r"neighbor {} maximum-routes (.*)"}
KINDS: dict[str, Callable[[], Loaded]] = {
    "routers": lambda: _text(edged("7050CX3-32S", "eos")),
    "firewalls": lambda: _text(fenced("7050CX3-32S", "eos")),
    "sites": lambda: _text(json.dumps(SITES["joined"])),
    "tunnels": lambda: _text(json.dumps(SITES["tunneled"])),
    "management": lambda: load_site(ROOT / "intent" / "oob"),
}


def _text(text: str) -> Loaded:
    return load_texts({"site.yaml": text})


def borders(loaded: Loaded, platform: str) -> list[SwitchSlice]:
    """Return the switches of a site that have routers outside."""
    made = compile_site(loaded, platform)
    assert made.site is not None, made.findings
    return [switch_slice for _, switch_slice in slices(made.site) if switch_slice.external]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_session_has_its_limit_in_the_files_and_reads_it_back(
    platform: str, kind: str
) -> None:
    found = 0
    for switch_slice in borders(KINDS[kind](), platform):
        files = files_of(switch_slice)
        facts, text = facts_of(switch_slice, files), "\n".join(files.values())
        for peer in switch_slice.external:
            if not peer.speaks:
                continue
            limit = peer.border.max_prefixes
            assert limit is not None
            line = LINES.get(switch_slice.switch.platform, r"neighbor {} maximum-prefix (.*)")
            lines = re.findall(line.format(re.escape(peer.remote.host)), text)
            assert f"{limit.count}{' warning-only' if limit.action == 'warn' else ''}" in lines
            session = facts["session", peer.vrf, peer.remote.host]
            assert session["most"] == str(limit.count)
            assert session["beyond"] == limit.action
            found += 1
    assert found


def test_a_session_without_a_word_has_the_usual_limit_in_both_families() -> None:
    pieces = borders(KINDS["routers"](), "eos")
    direct = [
        peer for switch_slice in pieces for peer in switch_slice.external if peer.name == "direct"
    ]
    assert {peer.version for peer in direct} == {4, 6}
    assert {peer.border.max_prefixes for peer in direct} == {
        MaxPrefixes(count=12_000, action="end")
    }
    (said,) = (p for switch_slice in pieces for p in switch_slice.external if p.label == "red_isp2")
    assert said.border.max_prefixes == MaxPrefixes(count=500, action="warn")


def test_what_has_no_session_has_no_limit() -> None:
    pieces = borders(_text(flooded("eos")), "eos")
    assert all(
        peer.border.max_prefixes is None
        for switch_slice in pieces
        for peer in switch_slice.external
    )
    assert not [text for switch_slice in pieces for text in _limits(switch_slice)]


def _limits(switch_slice: SwitchSlice) -> list[str]:
    return re.findall(
        r"neighbor \d\S* maximum-routes .*", "\n".join(files_of(switch_slice).values())
    )


@pytest.mark.parametrize(
    ("accept", "limit", "refused"),
    [
        ("[{prefix: 172.16.0.0/12, le: 25}]", "", True),  # 16,383
        ("[{prefix: 172.16.0.0/12, ge: 24, le: 24}]", "", False),  # 4,096
        ("[{prefix: 172.16.0.0/12, le: 25}]", ", max_prefixes: {count: 9, action: warn}", False),
        ("[{prefix: 172.16.0.0/12, ge: 25, le: 25}, 0.0.0.0/0]", "", False),  # 8,193
        ('[0.0.0.0/0, {prefix: "2001:db8::/32", le: 46}]', "", True),  # 32,767
    ],
)
def test_where_more_may_come_in_than_the_usual_limit_one_must_be_given(
    accept: str, limit: str, *, refused: bool
) -> None:
    text = edged("7050CX3-32S", "eos")
    old = "            asn: 64498\n"
    assert old in text
    text = text.replace(old, f"            asn: 64498\n            accept: {accept}\n")
    text = text.replace(old, f"            asn: 64498\n{_line(limit)}")
    found = [each for each in compile_site(_text(text)).findings if each.code is Code.LIMIT_MISSING]
    assert bool(found) is refused, found
    for each in found:
        assert each.path[-2:] == ("direct", "accept")


def _line(limit: str) -> str:
    return f"            {limit.removeprefix(', ')}\n" if limit else ""
