"""Templates of a site's own: in front of ours, in a sandbox, and what they say is read back."""

import subprocess
from pathlib import Path

import pytest
from tests.cli.calling import ROOT, call
from tests.diagnostics.planted import LEAF, SITE

from fabricgen.compile.compiler import compile_site, files
from fabricgen.core.diagnostics import Severity
from fabricgen.core.own_templates import MAX_TEMPLATE
from fabricgen.intent.load import load_site
from fabricgen.nos.registry import OURS

EOS = (ROOT / "templates" / "eos" / "index.j2").read_text()
ALIAS = "alias wr copy running-config startup-config"
INDEX = "eos/index.j2"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    made = tmp_path / "site"
    made.mkdir()
    (made / "site.yaml").write_text(SITE)
    return made


def place(site: Path, text: str, name: str = INDEX) -> Path:
    path = site / "templates" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def rendered(site: Path, platform: str | None = None) -> dict[str, str]:
    made = compile_site(load_site(site), platform)
    assert made.ok, made.findings
    assert made.site is not None
    return {file.path: file.text for _, group in files(made.site) for file in group}


def faults(site: Path) -> list[tuple[str, str]]:
    """Return place and words of what is wrong, by rendering."""
    told = call("render", str(site), "-o", str(site.parent / "out"))
    assert told.code == 1, told
    assert not (site.parent / "out").exists()
    lines = [line.partition(" FG602 ") for line in told.err.splitlines() if " FG602 " in line]
    return [(where.removeprefix(f"{site}/templates/"), words) for where, _, words in lines]


def test_its_lines_are_in_every_file_it_makes(site: Path) -> None:
    before = rendered(site)
    place(site, EOS + ALIAS + "\n")
    assert rendered(site) == {
        path: text + (f"{ALIAS}\n" if path.endswith("eos.cfg") else "")
        for path, text in before.items()
    }


@pytest.mark.parametrize("platform", OURS)
def test_the_sandbox_renders_what_is_rendered_without_it(site: Path, platform: str) -> None:
    before = rendered(site, platform)
    place(site, EOS)
    assert rendered(site, platform) == before


def test_explain_names_the_template_beside_the_reason(site: Path) -> None:
    texts = {path.name: path.read_text() for path in (ROOT / "templates" / "eos").glob("*.j2")}
    name = next(name for name, text in texts.items() if "hostname {{" in text)
    own = place(site, texts[name] + f"{ALIAS}\n", f"eos/{name}")
    told = call("explain", str(site), LEAF, f"hostname {LEAF}").out.splitlines()
    assert told.count(f"    from the custom template {own} of the site") == 1
    assert any("site.yaml" in line for line in told)
    told = call("explain", str(site), LEAF, ALIAS).out.splitlines()
    assert told[1] == f"    from the custom template {own} of the site"


def test_a_line_of_ours_is_not_marked(site: Path) -> None:
    place(site, EOS + ALIAS + "\n")
    assert "own template" not in call("explain", str(site), LEAF, "router bgp").out


HOSTILE = {
    "a name that is not there": ("{{ view.nothing }}", "UndefinedError"),
    "the class of a view": ("{{ view.__class__ }}", "SecurityError"),
    "the globals of a function": ("{{ section.__globals__ }}", "SecurityError"),
    "every class there is": ("{{ ''.__class__.__mro__ }}", "SecurityError"),
    "a list that is changed": ("{% set a = [1] %}{{ a.append(2) }}", "SecurityError"),
    "a loop without end": ("{% for i in range(10 ** 9) %}x{% endfor %}", "UndefinedError"),
    "a file of this machine": ("{% include '../../../etc/passwd' %}", "TemplateNotFound"),
    "a wrong view for one of ours": ("{{ section('eos/vlans', 7) }}", ""),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_a_template_must_not_do_is_told_with_its_line(case: str, site: Path) -> None:
    text, kind = HOSTILE[case]
    place(site, f"!\n{text}\n{EOS}")
    ((where, words),) = faults(site)
    assert (where, words.startswith(kind)) == (f"{INDEX}:2:1", True), words


def test_bad_syntax_is_told_by_check_with_everything_else(site: Path) -> None:
    place(site, "{% if %}\n")
    place(site, "\n{{ x", "eos/other.j2")
    (site / "site.yaml").write_text(SITE.replace("7060X6-64PE", "7060X6", 1))
    told = call("check", str(site)).out
    assert f"{INDEX}:1:1 FG602 TemplateSyntaxError" in told
    assert "other.j2:2:1 FG602 TemplateSyntaxError" in told
    assert "FG103" in told or "FG105" in told


def test_a_template_in_front_of_nothing_is_warned_of(site: Path) -> None:
    place(site, "x\n", "eos/indx.j2")
    (finding,) = [f for f in compile_site(load_site(site)).findings if f.code == "FG602"]
    assert finding.severity is Severity.WARNING
    assert finding.hint == "did you mean 'eos/index.j2'?"


def test_a_template_that_another_one_asks_for_is_not_warned_of(site: Path) -> None:
    place(site, EOS + '{{ section("eos/extra", view) }}')
    place(site, f"{ALIAS}\n", "eos/extra.j2")
    assert not [f for f in compile_site(load_site(site)).findings if f.code == "FG602"]
    assert all(
        text.endswith(f"\n{ALIAS}\n")
        for path, text in rendered(site).items()
        if path.endswith("eos.cfg")
    )


def test_links_and_strange_files_are_not_read(site: Path) -> None:
    folder = place(site, "x", "eos/fine.j2").parent
    (folder / "link.j2").symlink_to("/etc/passwd")
    (folder / "large.j2").write_bytes(b" " * (MAX_TEMPLATE + 1))
    (folder / "bytes.j2").write_bytes(b"\xff")
    (folder / "folder.j2").mkdir()
    told = {
        finding.position.file.rpartition("/")[2]: finding.message
        for finding in load_site(site).findings
        if finding.position
    }
    assert told == {
        "link.j2": "cannot be read: it is a link, which fabricgen does not follow",
        "large.j2": "cannot be read: the file has more than 1 MiB",
        "bytes.j2": "cannot be read: it is not UTF-8 text",
        "folder.j2": "cannot be read: not a plain file",
    }


def test_a_folder_that_is_a_link_is_not_read(site: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "index.j2").write_text("x")
    (site / "templates").mkdir()
    (site / "templates" / "eos").symlink_to(tmp_path / "elsewhere")
    assert load_site(site).templates == ()


def test_yaml_beside_the_templates_is_no_intent(site: Path) -> None:
    place(site, "nonsense: true\n", "notes.yaml")
    assert compile_site(load_site(site)).ok


def test_a_changed_template_is_rendered_anew(site: Path) -> None:
    out = site.parent / "out"
    for text in (EOS, EOS + ALIAS + "\n", EOS):
        place(site, text)
        assert call("render", str(site), "-o", str(out)).code == 0
        assert (ALIAS in (out / "backend" / LEAF / "eos.cfg").read_text()) == (text != EOS)


def test_what_it_breaks_is_refused_as_if_we_had_broken_it(site: Path) -> None:
    (site / "site.yaml").write_text(SITE.replace("{enabled: false}", "{pfc: true}"))
    assert call("check", str(site), "--rendered").code == 0
    place(site, EOS + "qos map dscp 26 to traffic-class 0\n")
    told = call("render", str(site), "-o", str(site.parent / "out"))
    assert told.code == 1
    assert "FG319" in told.err
    assert not (site.parent / "out").exists()


def test_a_revision_has_the_templates_of_its_time(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(site, EOS)
    git = ("git", "-C", str(site), "-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "one")):
        subprocess.run([*git, *words], check=True)
    place(site, EOS + ALIAS + "\n")
    monkeypatch.chdir(site)
    told = call("diff", "HEAD:", ".")
    assert (told.code, told.out.count(f"+   {ALIAS}")) == (2, 1)


def test_a_line_that_no_grammar_knows_is_a_warning_and_a_wrong_fact_an_error(site: Path) -> None:
    place(site, EOS + ALIAS + "\n")
    told = call("check", str(site), "--rendered")
    assert (told.code, told.out.count(f"warning: {LEAF} eos.cfg:")) == (0, 1)
    place(site, EOS + "no such line\nrouter bgp 7\n   router-id 10.9.9.9\n")
    told = call("render", str(site), "-o", str(site.parent / "out"))
    assert told.code == 1
    assert "10.9.9.9" in told.err
