"""Port profiles: what each platform makes of them, and what it refuses with a reason."""

import json

import pytest
from tests.nos.tenants import profiled

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code
from fabricgen.importer.keys import keys_of
from fabricgen.intent.load import load_texts
from fabricgen.model.settings.ports import PortSet
from fabricgen.prove.written import judge_of, prove

MODELS = {"eos": "7050CX3-32S", "sonic": "SN3700", "linux": "SN3700"}
EOS = """\
interface Port-Channel1
   storm-control broadcast level 1
   storm-control multicast level 5
   spanning-tree bpduguard enable
interface Ethernet5/1
   storm-control broadcast level 2.5
   storm-control multicast level 5"""


BUNDLED = """
site: {{name: lab, management: {{subnet: 10.255.0.0/24}}}}
servers:
  db:
    count: 1
    ports: {{front: {{fabric: frontend, ports: 2, bond: lacp, lacp_rate: {rate}, speed: 25G}}}}
frontend:
  leaf: {{model: 7050CX3-32S, platform: eos}}
  spine: {{model: 7050CX3-32S, platform: eos, count: 1}}
  links: {{speed: 100G}}
tenants:
  red: {{vlans: {{web: {{id: 110}}}}, attachments: [{{servers: db, access: web}}]}}
"""
ANOTHER = "\n      - {servers: vm, trunk: [db], profile: server}"
KEPT = ("interface Port-Channel", "interface Ethernet5/1", "   storm-control", "   spanning-tree")


def file_of(text: str, suffix: str) -> str:
    """Return one file of the first leaf."""
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None, made.findings
    assert made.ok, made.findings
    switch_slice = next(each for _, each in slices(made.site) if each.switch.is_leaf)
    files = files_of(switch_slice, Renderer())
    return next(file.text for file in files if file.path.endswith(suffix))


def test_a_profile_is_what_it_says_and_what_it_inherits_on_eos() -> None:
    text = file_of(profiled(MODELS["eos"], "eos", portfast=False), "eos.cfg")
    kept = [line for line in text.splitlines() if line.startswith(KEPT)]
    said = [line for line in EOS.splitlines() if line in kept]
    assert said == EOS.splitlines()
    assert kept[-3:] == EOS.splitlines()[-3:]  # and no BPDU guard
    chosen = file_of(profiled(MODELS["eos"], "eos", portfast=True), "eos.cfg")
    assert chosen.count("   spanning-tree portfast\n") == 3
    assert "portfast" not in text


def test_a_limit_is_kilobits_of_each_port_on_sonic() -> None:
    text = file_of(profiled(MODELS["sonic"], "sonic", portfast=False), "config_db.json")
    table = json.loads(text)["PORT_STORM_CONTROL"]
    rates = sorted((key.partition("|")[2], int(each["kbps"])) for key, each in table.items())
    assert rates == sorted(
        4 * [("broadcast", 250_000), ("unknown-multicast", 1_250_000)]  # two bundles of two ports
        + [("broadcast", 625_000), ("unknown-multicast", 1_250_000)]
    )


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("sonic", "does not support portfast: no release has spanning tree"),
        ("linux", "does not support portfast: the bridge runs no spanning tree"),
        ("linux", "does not support storm-control: the kernel's bridge"),
    ],
)
def test_what_a_platform_lacks_is_refused(platform: str, words: str) -> None:
    text = profiled(MODELS[platform], platform, portfast=True)
    made = compile_site(load_texts({"site.yaml": text}))
    assert any(words in each.message for each in made.findings), made.findings
    assert not made.ok


def test_sonic_has_no_number_for_more_than_100g() -> None:
    text = profiled("SN4700", "sonic", portfast=False).replace("25G", "400G").replace("5}}", "50}}")
    text = text.replace("frontend:\n", "frontend:\n  links: {speed: 400G}\n").replace(
        "broadcast: 1,", "broadcast: 26,"
    )
    made = compile_site(load_texts({"site.yaml": text}))
    found = [each for each in made.findings if "PORT_STORM_CONTROL" in each.message]
    assert {each.path for each in found} == {
        ("port_profiles", "server", "storm_control", "broadcast"),
        ("port_profiles", "server", "storm_control", "multicast"),
    }


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (("inherits: server", "inherits: bridge"), Code.PROFILE_LOOP, "inherits from itself"),
        (
            ("inherits: server", "inherits: serve"),
            Code.UNKNOWN_REFERENCE,
            "no port profile 'serve'",
        ),
        (("profile: bridge", "profile: bride"), Code.UNKNOWN_REFERENCE, "no port profile 'bride'"),
        ((", profile: bridge", ""), Code.BAD_VALUE, "no port uses the profile 'bridge'"),
        (
            (
                "profile: bridge}",
                "profile: bridge}\n      - {servers: vm, trunk: [db], profile: server}",
            ),
            Code.PORT_USED_TWICE,
            "has the profile 'bridge' in another attachment",
        ),
    ],
)
def test_what_is_wrong_with_a_profile_is_said(
    change: tuple[str, str], code: Code, words: str
) -> None:
    text = profiled(MODELS["eos"], "eos", portfast=False).replace(*change)
    made = compile_site(load_texts({"site.yaml": text}))
    assert any(each.code is code and words in each.message for each in made.findings), made.findings


@pytest.mark.parametrize(
    ("platform", "rate", "line", "times"),
    [
        ("eos", "fast", "   lacp timer fast", 2),
        ("eos", "slow", "lacp timer", 0),
        ("sonic", "fast", '"fast_rate": "true"', 1),
        ("sonic", "slow", '"fast_rate": "false"', 1),
        ("linux", "fast", "    bond-lacp-rate 1", 1),
        ("linux", "slow", "    bond-lacp-rate 0", 1),
    ],
)
def test_a_leaf_asks_for_lacpdus_at_the_rate_of_the_intent(
    platform: str, rate: str, line: str, times: int
) -> None:
    text = (
        BUNDLED.format(rate=rate).replace("eos", platform).replace("7050CX3-32S", MODELS[platform])
    )
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None, made.findings
    switch_slice = next(each for _, each in slices(made.site) if each.lags)
    files = {each.path.split("/", 2)[2]: each.text for each in files_of(switch_slice, Renderer())}
    assert "".join(files.values()).count(line) == times
    assert not prove(switch_slice, files).findings
    judge = judge_of(platform)
    assert judge is not None
    facts, _ = judge.facts(files)
    own = {own["lacp-rate"] for own in facts.values() if "lacp-rate" in own}
    usual = {"eos": "slow", "linux": "fast"}.get(platform)
    assert own == (set() if rate == usual else {rate})
    found = keys_of(PortSet, [each for each in facts.values() if "lacp-rate" in each])
    assert found == ({} if rate == usual else {"lacp_rate": rate})


def test_a_rate_is_of_a_bundle_with_lacp() -> None:
    text = BUNDLED.format(rate="fast").replace("bond: lacp", "bond: active-backup")
    loaded = load_texts({"site.yaml": text})
    assert [each.message.partition(": ")[2] for each in loaded.findings] == [
        "`lacp_rate` needs `bond: lacp`"
    ]
