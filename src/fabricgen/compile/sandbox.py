"""Render the custom templates of a site in a sandbox and report their errors.

An intent comes from a pull request, so its templates run in a sandbox. They read views, loop and
print, and have no other access. A missing name is an error, as in the built-in templates.
"""

from collections.abc import Iterator
from traceback import extract_tb
from typing import Any

from jinja2 import Environment, TemplateNotFound, TemplateSyntaxError

from fabricgen.compile.render import Renderer, environment, template_folder
from fabricgen.compile.template_limits import Bounded, exceeded
from fabricgen.core.diagnostics import (
    Code,
    Diagnostic,
    Failure,
    Position,
    Severity,
    did_you_mean,
)
from fabricgen.core.extensions import spoken
from fabricgen.core.own_templates import SUFFIX, OwnTemplates

_ELSEWHERE = "containerlab/"
"""Templates of `lab export`, which write no configuration and cannot be replaced."""


def renderer(templates: OwnTemplates) -> Renderer:
    """Return the renderer of a site with these templates."""
    return Overlaid(environment(Bounded, templates), templates) if templates else Renderer()


class Overlaid(Renderer):
    """A renderer that names the line where a template of the site's own fails."""

    def __init__(self, jinja: Environment, templates: OwnTemplates) -> None:
        """Use an environment that has the templates."""
        super().__init__(jinja)
        self._places = frozenset(own.place for own in templates)

    def _render(self, name: str, view: Any) -> str:
        try:
            return super()._render(name, view)
        except Failure:
            raise
        except Exception as error:
            place = self._place(error)
            if place is None:
                raise
            raise Failure(_taken(place, error)) from error

    def _place(self, error: Exception) -> Position | None:
        """Find the innermost line of a custom template on the path to an error."""
        frames = reversed(extract_tb(error.__traceback__))
        lines = ((frame.filename, frame.lineno or 1) for frame in frames)
        place = next((line for line in lines if line[0] in self._places), None)
        return Position(*place, 1) if place else None


def faults(templates: OwnTemplates) -> Iterator[Diagnostic]:
    """Yield the faults of a site's templates that are known before rendering."""
    if not templates:
        return
    sandbox = environment(Bounded, templates)
    for own in templates:
        try:
            sandbox.parse(own.text, own.name, own.place)
        except TemplateSyntaxError as error:
            yield _fault(Position(own.place, error.lineno, 1), spoken(error))
        stem = own.name.removesuffix(SUFFIX)
        asked = any(stem in other.text for other in templates if other is not own)
        if not asked and not _stands(own.name):
            yield Diagnostic(
                Code.TEMPLATE_FAILED,
                f"there is no template {own.name} that it could replace",
                hint=did_you_mean(own.name, _names()),
                severity=Severity.WARNING,
                position=Position(own.place, 1, 1),
            )


def _stands(name: str) -> bool:
    """Return whether files are made with a template of that name, of any platform."""
    ours = environment()
    assert ours.loader is not None
    try:
        ours.loader.get_source(ours, name)
    except TemplateNotFound:
        return False
    return not name.startswith(_ELSEWHERE)


def _names() -> list[str]:
    folder = template_folder()
    names = (path.relative_to(folder).as_posix() for path in folder.rglob(f"*{SUFFIX}"))
    return [name for name in names if not name.startswith(_ELSEWHERE)]


def _taken(place: Position, error: Exception) -> Diagnostic:
    """Return the fault of a template, or the limit that it exceeded."""
    if limit := exceeded(error):
        return Diagnostic(
            Code.TEMPLATE_LIMIT,
            f"the template {limit}",
            hint="print less in this line, or split the file",
            position=place,
        )
    return _fault(place, spoken(error))


def _fault(place: Position, sentence: str) -> Diagnostic:
    return Diagnostic(Code.TEMPLATE_FAILED, sentence, position=place)
