"""Parts of a template: rendered with their own view, kept where that is shared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import pytest
from jinja2 import TemplateNotFound, TemplateSyntaxError

from fabricgen.compile import render as module
from fabricgen.compile.render import Renderer, environment
from fabricgen.core.own_templates import OwnTemplate
from fabricgen.nos.nos import RenderedBy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Render = Callable[[str, object], str]


@dataclass(frozen=True, eq=False)
class Own:
    """A view of one switch."""

    text: str


@dataclass(frozen=True, eq=False)
class Shared:
    """A view of many switches."""

    shared: ClassVar[bool] = True
    text: str


@pytest.fixture
def render() -> Render:
    """Return how to render the source of a section with the parts of its view."""
    renderers: dict[str, Renderer] = {}

    def rendered(source: str, part: object) -> str:
        own = OwnTemplate("section.j2", source, "section.j2")
        index = OwnTemplate("index.j2", '{{ section("section", view) }}', "index.j2")
        renderer = renderers.setdefault(source, Renderer(environment(templates=(own, index))))
        wanted = RenderedBy(path="", index="index.j2", view={"part": part})
        return renderer.file(wanted)

    return rendered


PART = "head\n{% part line = view.part %}\n   {{ line.text }}\n{% endpart %}\ntail\n"


@pytest.mark.parametrize("empty", [None, (), []])
def test_a_part_without_a_view_prints_nothing(render: Render, empty: object) -> None:
    assert render(PART, empty) == "head\ntail\n"


@pytest.mark.parametrize("kind", [Own, Shared])
def test_a_part_prints_its_view(render: Render, kind: Callable[[str], object]) -> None:
    for text in ("one", "two"):
        assert render(PART, kind(text)) == f"head\n   {text}\ntail\n"


def test_the_text_of_a_shared_view_is_kept(render: Render) -> None:
    shared, own = Shared("one"), Own("one")
    assert render(PART, shared) == render(PART, own)
    for view, text in ((shared, "one"), (own, "two")):
        object.__setattr__(view, "text", "two")  # only to see whether it is read again
        assert render(PART, view) == f"head\n   {text}\ntail\n"


def test_two_parts_of_one_view_are_kept_apart(render: Render) -> None:
    twice = PART + "{% part line = view.part %}\nno {{ line.text }}\n{% endpart %}\n"
    for _ in range(2):
        assert render(twice, shared := Shared("one")) == "head\n   one\ntail\nno one\n"
        assert render(twice, shared) == "head\n   one\ntail\nno one\n"


def test_parts_stand_in_loops_and_in_each_other(render: Render) -> None:
    source = (
        "{% for item in view.part %}\n{% part outer = item %}\n{{ outer.text }}\n"
        "{% part inner = outer %}\n   {{ inner.text }}\n{% endpart %}\n{% endpart %}\n"
        "{% endfor %}\n"
    )
    one = Shared("one")
    assert render(source, [one, Own("two"), one]) == "one\n   one\ntwo\n   two\none\n   one\n"


@pytest.mark.parametrize("foreign", ["{{ view.part.text }}", "{% if item %}{% endif %}"])
def test_a_part_sees_nothing_but_its_own_view(render: Render, foreign: str) -> None:
    source = f"{{% part line = view.part %}}{{{{ line.text }}}} {foreign}{{% endpart %}}"
    with pytest.raises(TemplateSyntaxError, match="a part sees its own view, line, not"):
        render(source, Shared("one"))


def test_a_name_that_a_view_does_not_have_is_an_error() -> None:
    with pytest.raises(AttributeError, match="absent"):
        environment().from_string("{{ view.absent }}").render(view=Own("x"))


def test_templates_that_another_version_of_this_module_compiled_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = module._compiled_beside(tmp_path)
    other = tmp_path / "render.py"
    other.write_text("another meaning of `part`")
    monkeypatch.setattr(module, "__file__", str(other))
    theirs = module._compiled_beside(tmp_path)
    assert ours is not None
    assert theirs is not None
    assert ours.pattern != theirs.pattern


@pytest.mark.parametrize("name", ["eos/nothing.j2", "nothing.j2", "nobody/index.j2"])
def test_a_template_that_is_nowhere_is_not_found(name: str) -> None:
    with pytest.raises(TemplateNotFound):
        environment().get_template(name)
