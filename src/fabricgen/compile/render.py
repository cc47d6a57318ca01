"""Render views with templates to text, without clock, network or environment.

An index template is a table of contents: `{{ section("eos/vlans", view.vlans) }}` per line. Lines
of a section that many switches share are in a part: `{% part bfd = view.bfd %}` up to `{% endpart
%}`. Sections and parts work the same way: each sees only its own view. A view that is None or empty
prints nothing. The text is cached where the view's class sets `shared = True`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Hashable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    FunctionLoader,
    StrictUndefined,
    Template,
    nodes,
)
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.loaders import split_template_path

from fabricgen.core.json_text import to_json
from fabricgen.nos.registry import nos, platforms

if TYPE_CHECKING:
    from jinja2.parser import Parser

    from fabricgen.core.own_templates import OwnTemplates
    from fabricgen.nos.hosts.view import HostFile
    from fabricgen.nos.nos import RenderedBy


def template_folder() -> Path:
    """Return where the templates are: inside the installed package, or in the repository."""
    inside = Path(__file__).parents[1] / "templates"
    return inside if inside.is_dir() else Path(__file__).parents[3] / "templates"


def environment(kind: type[Environment] = Environment, templates: OwnTemplates = ()) -> Environment:
    """Make the template environment; `kind` lets `explain` trace the source of each value.

    templates: custom templates that replace ours. They are not trusted, so their `kind` is a
    sandbox.
    """
    own = {each.name: (each.text, each.place, None) for each in templates}
    folder = template_folder()
    jinja = kind(
        loader=ChoiceLoader(
            [FunctionLoader(own.get), FileSystemLoader(folder), FunctionLoader(_brought)]
        ),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        extensions=[Parts],
        auto_reload=False,
        # a compiled template does not say which environment made it: the plain one alone keeps any
        bytecode_cache=_compiled_beside(folder) if kind is Environment and not own else None,
    )
    jinja.filters["tojson"] = to_json
    if kind is Environment and not own:
        jinja.code_generator_class = _Direct
    return jinja


def _brought(name: str) -> tuple[str, str, None] | None:
    """Return a template of a platform that another package brings."""
    platform, _, rest = name.partition("/")
    folder = nos(platform).templates if platform in platforms() else None
    path = folder.joinpath(*split_template_path(rest)) if folder else None
    return (path.read_text(), str(path), None) if path and path.is_file() else None


def _compiled_beside(folder: Path) -> FileSystemBytecodeCache | None:
    """Store compiled templates in the cache folder of Python modules, if it is writable.

    Jinja identifies them by the text of the template; the output of this module counts as well.
    """
    place = folder / "__pycache__"
    try:
        place.mkdir(exist_ok=True)
    except OSError:
        return None
    if not os.access(place, os.W_OK):
        return None
    ours = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]
    return FileSystemBytecodeCache(str(place), f"jinja-{ours}-%s.cache")


class _Direct(CodeGenerator):
    """Reads an attribute of a view as Python does: a view is a record and has no items."""

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 (Jinja's)
        """Write `view.name`, where Jinja calls a function that tries more."""
        self.visit(node.node, frame)
        self.write(f".{node.attr}")


class Parts(Extension):
    """The tag `part`. It becomes: take the kept text, or render the lines and keep that."""

    tags = {"part"}  # noqa: RUF012 (as Jinja has it)

    def parse(self, parser: Parser) -> nodes.Node:
        """Compile one part; its text is kept by its place in the templates and by its view."""
        line = next(parser.stream).lineno
        name = parser.parse_assign_target(name_only=True)
        parser.stream.expect("assign")
        view = parser.parse_expression()
        lines = parser.parse_statements(("name:endpart",), drop_needle=True)
        self._alone(parser, name.name, lines, line)
        place = nodes.Const(f"{parser.name}:{line}")
        own, text = nodes.Name(name.name, "load"), parser.free_identifier()
        kept = nodes.Filter(own, "kept", [place], [], None, None)
        keep = nodes.Filter(text, "keep", [place, own], [], None, None)
        missing = nodes.Compare(text, [nodes.Operand("eq", nodes.Const(None))])
        rendered = [nodes.AssignBlock(text, None, lines), nodes.Assign(text, keep)]
        return nodes.Scope(
            [
                nodes.Assign(name, view),
                nodes.Assign(text, kept),
                nodes.If(missing, rendered, [], []),
                nodes.Output([text]),
            ]
        ).set_lineno(line)

    def _alone(self, parser: Parser, own: str, lines: list[nodes.Node], line: int) -> None:
        """Refuse a cached text that depends on more than the part's own view."""
        names = list(nodes.Template(lines).find_all(nodes.Name))
        assigned = {item.name for item in names if item.ctx != "load"}
        foreign = {item.name for item in names} - assigned - {own}
        if foreign:
            parser.fail(f"a part sees its own view, {own}, not {', '.join(sorted(foreign))}", line)


class Renderer:
    """Renders files; the text of a shared view is kept, by its place and the view's identity."""

    def __init__(self, jinja: Environment | None = None) -> None:
        """Use the standard environment unless another is given."""
        self._environment = jinja or environment()
        self._environment.filters.update(kept=self.kept, keep=self.keep)
        self._kept: dict[tuple[str, object], str] = {}
        self._template: Callable[[str], Template] = lru_cache(maxsize=None)(
            self._environment.get_template
        )
        self.rendered = 0
        self.plain = type(self._environment) is Environment
        """Whether every template is ours: one of a site may compute anything from a value."""
        self.forms: dict[Hashable, Any] = {}

    def file(self, wanted: RenderedBy | HostFile) -> str:
        """Return the text of one file; one whose view is shared is rendered once as well."""
        return self.section(wanted.index.removesuffix(".j2"), wanted.view)

    def section(self, name: str, view: Any) -> str:
        """Render one section template with its view, unless its text is known."""
        text = self.kept(view, name)
        return self.keep(self._render(name, view), name, view) if text is None else text

    def kept(self, view: Any, place: str) -> str | None:
        """Return the text of a section or part if it need not be rendered: kept, or nothing."""
        if view is None or (isinstance(view, (tuple, list, dict)) and not view):
            return ""
        return self._kept.get((place, view)) if getattr(type(view), "shared", False) else None

    def keep(self, text: str, place: str, view: Any) -> str:
        """Keep the text of a section or part for the switches that share its view."""
        self.rendered += 1
        if getattr(type(view), "shared", False):
            self._kept[place, view] = text
        return text

    def _render(self, name: str, view: Any) -> str:
        """Render with two names: Jinja's own globals would be copied for each section."""
        source = self._template(f"{name}.j2")
        names = {"view": view, "section": self.section}
        try:
            made = source.root_render_func(source.new_context(names, shared=True))
            return self._environment.concat(made)
        except Exception:  # noqa: BLE001 (as Jinja does: it adds the line of the template)
            self._environment.handle_exception()
