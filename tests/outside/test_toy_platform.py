"""The package of docs/extend/add-a-platform.md is built, found by its entry points, and used."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.calling import ROOT, call
from tests.outside.packages import files_of, from_page, installed

from fabricgen.nos.questions import Answer
from fabricgen.nos.registry import OURS
from fabricgen.operate.state.recordings import Recorded, Recorder

PAGE = ROOT / "docs" / "extend" / "add-a-platform.md"
PACKAGE = "toynos"
LEAF = "be-su01-leaf1"
PROGRAM = """
import json, sys
from tests.cli.calling import call
said = []
for words in json.loads(sys.argv[1]):
    if words[0] == "write":
        open(words[1], "w").write(words[2])
        continue
    done = call(*words)
    said.append([done.code, done.out, done.err])
print(json.dumps(said))
"""


def run(folder: Path, *calls: tuple[str, ...]) -> list[tuple[int, str, str]]:
    """Call the command line in a process that finds the package; say exit code, out and err."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(calls)],
        cwd=folder,
        env={"PYTHONPATH": f"{folder}:{ROOT / 'src'}:{ROOT}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [(code, out, err) for code, out, err in json.loads(done.stdout)]


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("toy")
    from_page(PAGE, made)
    git(made, "init", "-q")
    git(made, "add", "site")
    git(made, "commit", "-qm", "one")
    return made


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, tuple[int, str, str]]:
    """Run the verbs of the page, and a few more, in one process."""
    site = (folder / "site" / "site.yaml").read_text()
    grown = site.replace("count: 8", "count: 12")
    calls = {
        "check": ("check", "site", "--rendered", "--format", "json"),
        "render": ("render", "site", "-o", "out"),
        "explain": ("explain", "site", LEAF, "peer 10.200.0.0 as"),
        "capabilities": ("capabilities", "--format", "json"),
        "schema": ("schema",),
        "diff": ("diff", "HEAD:site", "site", "--format", "json"),
    }
    order = [*list(calls.values())[:5], ("write", "site/site.yaml", grown), calls["diff"]]
    return dict(zip(calls, run(folder, *order), strict=True))


def test_the_package_has_six_files_at_most() -> None:
    paths = [path for path in files_of(PAGE) if not path.startswith("site/")]
    assert len(paths) == 6


def test_the_page_is_short() -> None:
    prose = re.sub(r"^```.*?^```", "", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)
    assert len(prose.split()) < 600


def test_a_site_compiles_on_it_and_every_line_is_read_back(
    told: dict[str, tuple[int, str, str]],
) -> None:
    code, out, _ = told["check"]
    document = json.loads(out)
    assert code == 0
    assert {finding["severity"] for finding in document["findings"]} == {"warning"}
    (facts,) = [check for check in document["checks"] if check["check"] == "written-facts"]
    assert facts["examined"] > 300


def test_its_files_are_rendered(told: dict[str, tuple[int, str, str]], folder: Path) -> None:
    assert told["render"][0] == 0
    text = (folder / "out" / "backend" / LEAF / "toy.conf").read_text()
    assert text.startswith(f"hostname {LEAF}\nport lo\n  address 10.")


def test_a_line_is_explained_with_the_intent_behind_it(
    told: dict[str, tuple[int, str, str]],
) -> None:
    code, out, _ = told["explain"]
    assert code == 0
    assert re.search(r"^toy.conf:\d+  peer 10.200.0.0 as \d+$", out, re.MULTILINE)
    assert "site/site.yaml:" in out


def answers(config: str, *, wrong: str = "") -> dict[str, Answer]:
    """*Written* answers of a switch that runs its file. `wrong`: a peer with another ASN."""
    blocks = re.findall(r"^port (\S+)\n((?:  .*\n)*)", config, re.MULTILINE)
    ports = [f"{name} {'shut' if '  off' in own else 'up'}" for name, own in blocks]
    peers = re.findall(r"^  peer (\S+) as (\d+)$", config, re.MULTILINE)
    sessions = [f"{peer} {'1' if peer == wrong else asn} Established" for peer, asn in peers]
    shown = {"ports": ports, "sessions": sessions}
    return {key: Answer("\n".join(lines) + "\n") for key, lines in shown.items()}


def test_its_reader_is_found_and_a_switch_is_verified_from_written_answers(
    told: dict[str, tuple[int, str, str]], folder: Path
) -> None:
    config = (folder / "out" / "backend" / LEAF / "toy.conf").read_text()
    switch = Recorded(switch=LEAF, platform="toy", release="", model="Box-64")
    peer = next(iter(re.findall(r"peer (\S+) as", config)))
    for name, wrong in (("right", ""), ("wrong", peer)):
        Recorder(folder / name, lambda text: text).write(switch, answers(config, wrong=wrong))
    words = ("verify", "site", "--limit", LEAF, "--format", "json", "--from")
    right, differs = run(folder, (*words, "right"), (*words, "wrong"))
    results = json.loads(right[1])["switches"][0]["results"]
    passed = {each["check"] for each in results if each["outcome"] == "passed"}
    assert passed >= {"BgpPeers", "BgpSessions", "PortLink"}
    assert right[0] == 0
    counts = json.loads(differs[1])["counts"]
    assert (differs[0], counts["failed"]) == (2, 1)
    assert f"BGP neighbor {peer} " in differs[1]
    assert "show sessions: second column" in differs[1]


def test_two_revisions_differ_and_the_risk_is_judged(
    told: dict[str, tuple[int, str, str]],
) -> None:
    code, out, _ = told["diff"]
    blocks = json.loads(out)["blocks"]
    assert code == 2
    assert {block["risk"] for block in blocks} >= {"hitless", "reboot"}
    assert "the manual of Toy OS, chapter 7" in out


def test_it_is_listed_with_what_it_can_do(told: dict[str, tuple[int, str, str]]) -> None:
    answers = json.loads(told["capabilities"][1])["features"]
    assert answers["bfd"]["toy"] == {
        "supported": True,
        "said": "bfd of a peer",
        "section": "toy.conf: router … > peer … bfd",
    }
    assert answers["pfc"]["toy"]["said"] == "toy does not declare support"
    role = json.loads(told["schema"][1])["$defs"]["SwitchRole"]
    assert role["properties"]["platform"]["enum"] == [*OURS, "toy"]


FAULTS = {
    "a wrong ASN": ("nos.py", "asn=each.peer_asn", "asn=each.peer_asn + 1", "FG323"),
    "a line that no row claims": ("templates/index.j2", "hostname", "motd x\nhostname", "FG323"),
    "lower raises": (
        "nos.py",
        "lower(switch_slice, spell):",
        "lower(switch_slice, spell):\n    1 / 0",
        "FG601",
    ),
    "a template asks for nothing": ("templates/index.j2", "view.name", "view.nam", "FG601"),
    "another name": ("nos.py", 'name="toy"', 'name="tot"', "FG601"),
    "no platform at all": ("nos.py", "NOS = Nos(", "NOS = dict(", "FG601"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_of_it_is_refused_and_told(case: str, tmp_path: Path) -> None:
    file, old, new, code = FAULTS[case]
    from_page(PAGE, tmp_path)
    source = tmp_path / PACKAGE / file
    source.write_text(source.read_text().replace(old, new, 1))
    with installed(tmp_path):
        done = call("render", str(tmp_path / "site"), "-o", str(tmp_path / "out"))
    assert (done.code, f"{code} " in done.err) == (1, True), done.err
    assert not (tmp_path / "out").exists()
