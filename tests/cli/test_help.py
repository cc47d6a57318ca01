"""The help of every verb has a summary, examples and sections. Commands in messages exist."""

import ast
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from tests.cli.calling import ROOT, call

from fabricgen.cli.help import CODES, VerbCommand
from fabricgen.cli.main import VERBS, main
from fabricgen.cli.verbs import Verbs

# Verbs that need switches, a lab or a key, or that take long: their examples are only parsed.
PARSED = {"approve", "drift", "import", "lab", "maintenance", "plan", "push", "resume"}
PARSED |= {"rollback", "serve", "trust", "unlock", "verify", "watch"}


def verbs(group: Verbs = main, words: tuple[str, ...] = ()) -> Iterator[tuple[str, VerbCommand]]:
    """Yield each verb by its words, groups included."""
    for name in group.list_commands(click.Context(group)):
        verb = group.get_command(click.Context(group), name)
        assert isinstance(verb, VerbCommand)
        yield " ".join((*words, name)), verb
        if isinstance(verb, Verbs):
            yield from verbs(verb, (*words, name))


COMMANDS = dict(verbs())
LINES = {verb.name: verb.line for verb in VERBS} | {
    f"{name} {verb.name}": verb.line
    for name, group in COMMANDS.items()
    if isinstance(group, Verbs)
    for verb in group.verbs
}
EXAMPLES = [(name, example) for name, verb in COMMANDS.items() for example in verb.examples]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the example sites in git, and one of them rendered."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(ROOT / "intent", folder / "intent")
    names = ("-c", "user.name=t", "-c", "user.email=t@example.net")
    for words in (["init", "-q"], ["add", "."], [*names, "commit", "-qm", "sites"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    assert call("render", str(folder / "intent/lab"), "-o", str(folder / "rendered")).code == 0
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_verb_has_all_parts(name: str) -> None:
    verb = COMMANDS[name]
    assert verb.summary == LINES[name]
    assert verb.summary[0].isupper()
    assert not verb.summary.endswith(".")
    assert verb.description.startswith("\n")
    assert "\n\n" not in verb.description.strip()
    assert len(set(verb.examples)) == 2
    assert verb.codes.keys() >= CODES.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_verb_fits_a_terminal(name: str) -> None:
    shown = call(*name.split(), "--help").out
    assert max(map(len, shown.splitlines())) <= 80
    for heading in ("Examples:", "Options:", "Exit codes:"):
        assert f"\n{heading}\n" in shown
    assert COMMANDS[name].summary in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_section_and_a_sentence(name: str) -> None:
    verb = COMMANDS[name]
    sections = {option for options in verb.sections.values() for option in options}
    for option in verb.params:
        if isinstance(option, click.Option):
            assert option.opts[-1] in sections, f"{name}: add {option.opts} to fabricgen.cli.help"
            assert option.help
            assert option.help[0].isupper()
            assert option.help.endswith(".")


def test_the_sections_of_push_are_in_order() -> None:
    shown = call("push", "--help").out
    headings = [line for line in shown.splitlines() if re.fullmatch(r"\w[\w ]*:", line)]
    assert headings == [
        *("Examples:", "Selection:", "Plan:", "Batches:", "Safety:", "Output:", "Options:"),
        "Exit codes:",
    ]
    selection = shown.partition("Selection:")[2].partition("Plan:")[0]
    assert re.findall(r"^  (--[\w-]+)", selection, re.MULTILINE) == [
        *("--limit", "--inventory", "--lab", "--journal"),
    ]


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_an_example_is_accepted(
    name: str, example: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    words = shlex.split(example)
    verb = max((known for known in COMMANDS if f"{example} ".startswith(f"{known} ")), key=len)
    assert verb.startswith(name)
    COMMANDS[verb].make_context(verb, words[len(verb.split()) :])
    for site in (Path(word) for word in words if word.startswith("intent/")):
        assert site.is_dir()


@pytest.mark.parametrize(
    "example", [text for name, text in EXAMPLES if name.split()[0] not in PARSED]
)
def test_an_example_runs(example: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    ran = call(*shlex.split(example))
    assert ran.code in (0, 2), ran.err


def test_names_of_switches_in_examples_exist() -> None:
    model = cache(lambda site: call("model", str(ROOT / site)).out)
    for _, example in EXAMPLES:
        names = re.findall(r"\b(?:fe|be|oob)-(?:spine|leaf)\w+", example)
        sites = re.findall(r"intent/\S+", example) or ["intent/lab"]
        assert all(f'"{name}"' in model(sites[0]) for name in names), example


def sentences() -> Iterator[tuple[str, str]]:
    """Yield each YAML file and each string with a command, and its place. X is a computed part."""
    source = ROOT / "src/fabricgen"
    for path in sorted(source.rglob("*.yaml")):
        yield str(path.relative_to(source)), path.read_text()
    for path in sorted(source.rglob("*.py")):
        inner: set[int] = set()  # parts of a JoinedStr, which comes before its parts
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.JoinedStr):
                inner.update(map(id, node.values))
                parts = (getattr(part, "value", None) for part in node.values)
                text = "".join(part if isinstance(part, str) else "X" for part in parts)
            elif isinstance(node, ast.Constant) and id(node) not in inner:
                text = str(node.value)
            else:
                continue
            if "fabricgen" in text or "--" in text:
                yield f"{path.relative_to(source)}:{node.lineno}", text


def commands_in(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each command that a text names, and whether it is marked as code."""
    for marked in re.findall(r"`([^`]+)`", text):
        command = " ".join(marked.split())
        if command.startswith("fabricgen "):
            yield command.removeprefix("fabricgen "), True
        elif " --" in command and command.split()[0] in COMMANDS:
            yield command, True
    bare = re.sub(r"`[^`]*`", "", text)
    yield from ((found, False) for found in re.findall(r"\bfabricgen ((?:[^\n&;,()`])+)", bare))


def fault_of(command: str) -> str:
    """Return what a command lacks. Empty for a command that can be typed."""
    words = command.split()
    known = [name for name in COMMANDS if f"{command} ".startswith(f"{name} ")]
    if not known:
        return f"no verb {words[0]}"
    verb = COMMANDS[max(known, key=len)]
    options = {name for option in verb.params for name in (*option.opts, *option.secondary_opts)}
    found = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", command)
    return ", ".join(name for name in found if name not in {*options, "--help"})


def test_a_message_names_commands_that_exist() -> None:
    faults = []
    for place, text in sentences():
        for command, is_code in commands_in(text):
            is_prose = not is_code and command.split()[0] not in COMMANDS
            is_placeholder = command.split()[0] in ("X", "VERB", "…", "--help")
            if not is_prose and not is_placeholder and (fault := fault_of(command)):
                faults.append(f"{place}: {command}: {fault}")
    assert faults == []


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("check SITE --rendered", ""),
        ("maintenance begin X Y --min-available 50", ""),
        ("adopt X", "no verb adopt"),
        ("push SITE --patience 3", "--patience"),
    ],
)
def test_a_wrong_command_is_found(command: str, fault: str) -> None:
    assert fault_of(command) == fault


def test_both_help_options_work_after_any_context() -> None:
    main.get_params(click.Context(main, help_option_names=["--help"]))
    assert main.get_help_option_names(click.Context(main, help_option_names=["--help"])) == [
        "-h",
        "--help",
    ]
    assert call("-h").out == call("--help").out != ""
