"""ECN of a tenant class that may lose packets: the lines of each platform, and faults in them."""

import json
from functools import cache
from pathlib import PurePosixPath

import pytest
from tests.nos.tenants import classed

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.registry import nos
from fabricgen.prove.qos.verify import verify
from fabricgen.prove.written import prove

ECN = "share: 40, ecn: {minimum: 150000, maximum: 600000, probability: 30}}"
TEXTS = {
    name: text.replace("share: 40}", ECN)
    for name, text in {
        "eos": classed("7050CX3-32S", "eos"),
        "linux": classed("7050CX3-32S", "linux", mixed=True),
        "sonic": classed("SN3700", "sonic", trust=True),
    }.items()
}
LINES = {
    "eos": ("eos.cfg", "minimum-threshold 150000 bytes maximum-threshold 600000 bytes"),
    "linux": ("tc.batch", "min 150000 max 600000"),
    "sonic": ("config_db.json", '"green_max_threshold": "600000"'),
}


@cache
def site(platform: str) -> Site:
    """Return a site that is in order."""
    made = compile_site(load_texts({"site.yaml": TEXTS[platform]}))
    assert made.site is not None
    assert made.ok, made.findings
    return made.site


def files(platform: str) -> list[tuple[object, dict[str, str]]]:
    return [
        (piece, {each.path.split("/", 2)[2]: each.text for each in files_of(piece, Renderer())})
        for _, piece in slices(site(platform))
    ]


@pytest.mark.parametrize("platform", LINES)
def test_every_switch_marks_the_class_and_pauses_nothing(platform: str) -> None:
    name, line = LINES[platform]
    for piece, texts in files(platform):
        (text,) = (text for path, text in texts.items() if PurePosixPath(path).name == name)
        assert line in text
        assert "priority-flow-control on" not in text
        assert "nodrop" not in text
        assert '"pfc_enable"' not in text
        assert prove(piece, texts).findings == ()  # type: ignore[arg-type]


@pytest.mark.parametrize("platform", LINES)
def test_other_points_in_a_file_are_found(platform: str) -> None:
    name, line = LINES[platform]
    spell = nos(platform).port_name
    rendered = {piece.switch: texts for piece, texts in files(platform)}  # type: ignore[attr-defined]

    def judged() -> tuple[object, ...]:
        read = verify(site(platform), rendered.items(), lambda it, port: spell(it.model, port))
        return read.findings

    assert judged() == ()
    switch, texts = next(iter(rendered.items()))
    path = next(path for path in texts if PurePosixPath(path).name == name)
    other = line.replace("600000", "700000")
    rendered[switch] = {**texts, path: texts[path].replace(line, other)}
    assert judged()


def test_two_marked_classes_have_two_profiles_with_short_names() -> None:
    two = TEXTS["sonic"].replace("share: 10}", "share: 10, ecn: {minimum: 2000, maximum: 3000}}")
    made = compile_site(load_texts({"site.yaml": two}))
    assert made.site is not None
    assert made.ok, made.findings
    piece = next(piece for _, piece in slices(made.site))
    (text,) = (each.text for each in files_of(piece, Renderer()) if "config_db" in each.path)
    profiles = json.loads(text)["WRED_PROFILE"]
    assert {row["green_min_threshold"] for row in profiles.values()} == {"150000", "2000"}
    assert all(len(name) <= 32 for name in profiles)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ("minimum: 600000, maximum: 150000", "must be below"),
        ("minimum: 150000", "missing"),
        ("minimum: 100, maximum: 150000", "at least 1,500"),
        ("minimum: 150000, maximum: 600000, probability: 0", "at least 1"),
    ],
)
def test_points_that_are_none_are_refused(points: str, words: str) -> None:
    text = TEXTS["eos"].replace("minimum: 150000, maximum: 600000, probability: 30", points)
    made = compile_site(load_texts({"site.yaml": text}))
    assert not made.ok
    assert any(words in each.message for each in made.findings), made.findings
