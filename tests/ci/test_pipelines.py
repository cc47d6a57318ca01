"""The pipelines of docs/ci: valid by the published schemas, and each line does what it is for."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from tests.ci.repository import CI, SITE, TREE, Repository, loaded, made
from tests.deploy.verbs.staff import make_key
from tests.longer import longer

GITHUB, GITLAB = "github-actions.yml", "gitlab-ci.yml"
BASH = {GITHUB: ["bash", "-e", "-c"], GITLAB: ["bash", "-eo", "pipefail", "-c"]}
"""What a step without `shell` runs in: GitHub's `bash -e`, GitLab's `set -eo pipefail`."""
NETWORK = re.compile(r"\b(pip install|curl|gh pr comment)\b")
"""Lines that need a package registry or a forge; no test runs them."""


def steps(name: str) -> dict[str, str]:
    """Return every script of a pipeline by job and place."""
    found: dict[str, str] = {}
    for job, body in jobs(name).items():
        if name == GITHUB:
            lines = [step["run"] for step in body["steps"] if "run" in step]
        else:
            lines = [*body.get("before_script", []), *body.get("script", [])]
        found |= {f"{job} {number}": line for number, line in enumerate(lines)}
    return found


def jobs(name: str) -> dict[str, Any]:
    whole: dict[str, Any] = loaded(name)
    if name == GITHUB:
        found: dict[str, Any] = whole["jobs"]
        return found
    return {key: body for key, body in whole.items() if "script" in body or "before_script" in body}


LOCAL = {
    (GITHUB, "check 1"): "check",
    (GITHUB, "check 2"): "render",
    (GITHUB, "diff 1"): "diff",
    (GITHUB, "plan 1"): "plan",
    (GITHUB, "push 1"): "signatures",
    (GITHUB, "push 2"): "push",
    (GITHUB, "drift 1"): "drift",
    (GITLAB, "plan 0"): "key of plan",
    (GITLAB, "plan 1"): "plan",
    (GITLAB, "push 0"): "key of push",
    (GITLAB, "push 1"): "signatures",
    (GITLAB, "push 2"): "push",
    (GITLAB, "drift 0"): "drift",
    (GITLAB, "check 0"): "check",
    (GITLAB, "render 0"): "render",
    (GITLAB, "diff 0"): "fetch",
    (GITLAB, "diff 1"): "diff",
}
EVERY = [(name, place) for name in (GITHUB, GITLAB) for place in steps(name)]


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("pattern")).root


@pytest.fixture
def repository(pattern: Path, tmp_path: Path) -> Repository:
    return Repository(shutil.copytree(pattern, tmp_path / "clone"))


def ran(repository: Repository, name: str, what: str, **variables: str) -> tuple[int, str]:
    """Run the step of a pipeline; return its exit code and what it said."""
    (place,) = (
        where for (pipeline, where), word in LOCAL.items() if (pipeline, word) == (name, what)
    )
    done = repository.run(
        BASH[name],
        steps(name)[place],
        SITE=SITE,
        TREE=TREE,
        TARGET="main",
        GITHUB_STEP_SUMMARY=str(repository.root / "summary.md"),
        GITHUB_OUTPUT=str(repository.root / "output"),
        **variables,
    )
    return done.code, done.said


@pytest.mark.parametrize(
    ("name", "schema"), [(GITHUB, "vendor.github-workflows"), (GITLAB, "vendor.gitlab-ci")]
)
def test_a_pipeline_is_valid_by_the_published_schema(name: str, schema: str) -> None:
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(CI / name)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("name", "place"), EVERY)
def test_every_line_is_run_here_or_needs_the_network(name: str, place: str) -> None:
    assert bool(NETWORK.search(steps(name)[place])) != ((name, place) in LOCAL)


@pytest.mark.parametrize("name", [GITHUB, GITLAB])
def test_a_pipeline_knows_where_everything_is(name: str) -> None:
    variables = loaded(name)["env" if name == GITHUB else "variables"]
    assert variables == {"SITE": SITE, "TREE": TREE}


@pytest.mark.parametrize("name", [GITHUB, GITLAB])
def test_a_branch_that_is_in_order_passes(name: str, repository: Repository) -> None:
    repository.change("10.110.0.0/24", "10.119.0.0/24")
    repository.render()
    repository.commit()
    assert ran(repository, name, "check")[0] == 0
    code, said = ran(repository, name, "render")
    assert (code, "is up to date" in said) == (0, True)


@pytest.mark.parametrize("name", [GITHUB, GITLAB])
def test_a_mistake_fails_the_check_and_is_in_its_report(name: str, repository: Repository) -> None:
    repository.change("group: ", "grop: ")
    assert ran(repository, name, "check")[0] == 1
    if name == GITHUB:
        (run,) = json.loads(repository.read("check.sarif"))["runs"]
        first = run["results"][0]["locations"][0]["physicalLocation"]
        assert first["artifactLocation"]["uri"] == f"{SITE}/tenants/red.yaml"
    else:
        assert ET.fromstring(repository.read("check.xml")).findall(".//failure")  # noqa: S314


@pytest.mark.parametrize("name", [GITHUB, GITLAB])
def test_a_tree_that_was_not_rendered_again_fails(name: str, repository: Repository) -> None:
    repository.change("10.110.0.0/24", "10.119.0.0/24")
    code, said = ran(repository, name, "render")
    assert code == 2
    assert "differs from the rendered intent" in said


@pytest.mark.parametrize("name", [GITHUB, GITLAB])
def test_the_diff_starts_from_the_target_branch(name: str, repository: Repository) -> None:
    repository.change("10.110.0.0/24", "10.119.0.0/24")
    repository.commit()
    if name == GITLAB:
        repository.git("update-ref", "-d", "refs/remotes/origin/main")
        assert ran(repository, name, "fetch")[0] == 0
    code, said = ran(repository, name, "diff")
    assert (code, said) == (0, "")
    comment = repository.read("diff.md")
    assert comment.startswith("<!-- fabricgen:diff -->\n**VLAN 110 of tenant red: gateway ")
    assert "10.119.0.1" in comment
    if name == GITHUB:
        assert repository.read("summary.md") == comment


@pytest.mark.parametrize("name", [GITHUB, GITLAB])
def test_a_change_of_nothing_is_a_diff_of_nothing(name: str, repository: Repository) -> None:
    assert ran(repository, name, "diff")[0] == 0
    assert "no differences" in repository.read("diff.md")


@pytest.mark.parametrize("name", [GITHUB, GITLAB])
def test_a_diff_that_could_not_be_made_fails(name: str, repository: Repository) -> None:
    repository.change("group: ", "grop: ")
    code, said = ran(repository, name, "diff")
    assert code == 1
    assert "grop" in said


def test_a_push_waits_for_approval_and_for_the_push_before_it() -> None:
    push = jobs(GITHUB)["push"]
    assert (push["environment"], push["needs"]) == ("production", "plan")
    assert push["concurrency"] == {"group": "fabric-production", "cancel-in-progress": "false"}
    push = jobs(GITLAB)["push"]
    assert (push["environment"], push["needs"]) == ("production", ["plan"])
    assert push["resource_group"] == "fabric-production"
    assert [rule["when"] for rule in push["rules"]] == ["manual"]


def test_no_expression_is_pasted_into_a_script() -> None:
    """What others write (a branch's name) reaches a script as a variable, never as its text."""
    assert not [place for place, line in steps(GITHUB).items() if "${{" in line]


@pytest.mark.parametrize("name", [GITHUB, GITLAB])
def test_nothing_is_installed_by_a_name(name: str) -> None:
    """Whoever takes a free name in a registry would run beside the credentials."""
    installs = re.findall(r"pip3? install (.*)", (CI / name).read_text())
    assert set(installs) == {"--require-hashes -r tools/fabricgen/requirements.txt"}


@pytest.mark.parametrize("name", [GITHUB, GITLAB])
def test_what_may_comment_runs_nothing_of_the_repository(name: str) -> None:
    comment = jobs(name)["comment"]
    assert not re.search(r"pip|fabricgen (?!-)|checkout", json.dumps(comment))
    assert name == GITHUB or comment["variables"] == {"GIT_STRATEGY": "none"}
    diff = json.dumps(jobs(name)["diff"])
    assert not re.search(r"TOKEN|github\.token|secrets|: \"write", diff)


def test_actions_are_pinned_by_commit() -> None:
    used = re.findall(r"uses: (\S+)@(\S+)( # v[\d.]+)?", (CI / GITHUB).read_text())
    loose = {action for action, ref, _ in used if not re.fullmatch("[0-9a-f]{40}", ref)}
    assert loose == {"github/codeql-action/upload-sarif"}
    assert all(release for action, _, release in used if action not in loose)


@pytest.mark.parametrize("name", [GITHUB, pytest.param(GITLAB, marks=longer)])
def test_what_was_planned_is_pushed_and_then_nothing_drifts(
    name: str, repository: Repository
) -> None:
    repository.boot()
    repository.change("10.110.0.0/24", "10.119.0.0/24")
    assert ran(repository, name, "drift")[0] == 2
    assert ran(repository, name, "plan")[0] == 0
    if name == GITHUB:
        assert repository.read("output") == "code=2\n"
        assert "10.119.0.0/24" in repository.read("summary.md")
    code, said = ran(repository, name, "push")
    assert (code, "done: 6 confirmed" in said) == (0, True), said
    assert ran(repository, name, "drift")[0] == 0
    running = (repository.switches / "fe-leaf05" / "running").read_text()
    assert "10.119.0.0/24" in running


@pytest.mark.parametrize("name", [pytest.param(GITHUB, marks=longer), GITLAB])
def test_a_team_signs_between_plan_and_push(
    name: str, repository: Repository, tmp_path: Path
) -> None:
    """The pipeline plans and pushes with its own key, a person approves on a branch of its own."""
    own, person = make_key(tmp_path / "pipeline"), make_key(tmp_path / "ann")
    own.chmod(0o644 if name == GITLAB else 0o600)  # as the forge leaves it
    repository.boot()
    repository.team({"pipeline": own, "ann": person})
    repository.change("10.110.0.0/24", "10.119.0.0/24")
    key = {"FABRICGEN_KEY": str(own)}
    if name == GITLAB:
        assert ran(repository, name, "key of plan", **key) == (0, "")
        assert ran(repository, name, "key of push", **key) == (0, "")
    assert ran(repository, name, "plan", **key)[0] == 0
    assert ran(repository, name, "signatures")[0] == 0
    code, said = ran(repository, name, "push", **key)
    assert (code, "0 of 1 approvals are valid" in said) == (4, True)
    repository.approve(person)
    assert ran(repository, name, "signatures")[0] == 0
    assert ran(repository, name, "drift")[0] == 2
    code, said = ran(repository, name, "push", **key)
    assert (code, "done: 6 confirmed" in said) == (0, True), said
    assert ran(repository, name, "drift")[0] == 0


def test_without_a_key_nothing_is_done_with_it(repository: Repository) -> None:
    """A site without a team has neither."""
    assert ran(repository, GITLAB, "key of plan") == (0, "")
    assert ran(repository, GITLAB, "key of push") == (0, "")


@pytest.mark.parametrize("name", [GITHUB, pytest.param(GITLAB, marks=longer)])
def test_a_plan_of_no_change_passes_and_pushes_nothing(name: str, repository: Repository) -> None:
    repository.boot()
    assert ran(repository, name, "plan")[0] == 0
    if name == GITHUB:
        assert repository.read("output") == "code=0\n"
    assert ran(repository, name, "push")[0] == 0


@pytest.mark.parametrize("name", [GITHUB, GITLAB])
def test_a_plan_that_did_not_reach_a_switch_fails(name: str, repository: Repository) -> None:
    repository.boot()
    (repository.switches / "fe-leaf02" / "running").unlink()
    assert ran(repository, name, "plan")[0] != 0


@pytest.mark.parametrize("name", [pytest.param(GITHUB, marks=longer), GITLAB])
def test_a_plan_that_is_stale_is_not_pushed(name: str, repository: Repository) -> None:
    repository.boot()
    repository.change("10.110.0.0/24", "10.119.0.0/24")
    assert ran(repository, name, "plan")[0] == 0
    running = repository.switches / "fe-leaf01" / "running"
    running.write_text(running.read_text() + "! by hand\n")
    assert ran(repository, name, "push")[0] == 4


def test_hooks_are_what_pre_commit_asks_for() -> None:
    hooks = yaml.safe_load((CI.parents[1] / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in hooks] == ["fabricgen-check", "fabricgen-render-check"]
    for hook in hooks:
        assert {"id", "name", "entry", "language"} <= set(hook)
        assert hook["language"] == "python"
        assert hook["pass_filenames"] is False


@pytest.mark.parametrize(
    ("hook", "args", "old", "new", "code"),
    [
        (0, [SITE], "group: ", "group: ", 0),
        (0, [SITE], "group: ", "grop: ", 1),
        (1, [SITE, "-o", TREE], "group: ", "group: ", 0),
        (1, [SITE, "-o", TREE], "10.110.0.0/24", "10.119.0.0/24", 2),
    ],
)
def test_a_hook_stops_a_commit_that_is_not_in_order(
    hook: int, args: list[str], old: str, new: str, code: int, repository: Repository
) -> None:
    """Run it as pre-commit does: the entry and the repository's args, in its root, no names."""
    hooks = yaml.safe_load((CI.parents[1] / ".pre-commit-hooks.yaml").read_text())
    repository.change(old, new)
    line = shlex.join([*shlex.split(hooks[hook]["entry"]), *args])
    assert repository.run(["bash", "-c"], line, PRE_COMMIT="1").code == code
