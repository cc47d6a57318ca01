"""View and template in, text out. Pure: no clock, no network, no environment.

An index template is a table of contents: `{{ section("eos/vlans", view.vlans) }}` per line. Each
section template sees only its own view, so a section shared by many switches is rendered once.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, Template

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.hosts.view import HostFile
    from fabricgen.nos.nos import RenderedBy


def template_folder() -> Path:
    """Return where the templates are: inside the installed package, or in the repository."""
    inside = Path(__file__).parent / "templates"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "templates"


def to_json(value: object, indent: int = 4) -> str:
    """Print a view section as JSON, in the order it was built."""
    return json.dumps(value, indent=indent)


def environment(folder: Path | None = None, kind: type[Environment] = Environment) -> Environment:
    """Make the template environment; `kind` lets `explain` trace what each value came from."""
    folder = folder or template_folder()
    made = kind(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
        # a compiled template does not say which environment made it: the plain one alone keeps any
        bytecode_cache=_compiled_beside(folder) if kind is Environment else None,
    )
    made.filters["tojson"] = to_json
    return made


def _compiled_beside(folder: Path) -> FileSystemBytecodeCache | None:
    """Keep compiled templates where Python keeps compiled modules; do without if it cannot."""
    place = folder / "__pycache__"
    try:
        place.mkdir(exist_ok=True)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(place)) if os.access(place, os.W_OK) else None


class Renderer:
    """Renders files; sections whose view class says `shared = True` are kept by identity."""

    def __init__(self, made: Environment | None = None) -> None:
        """Use the standard environment unless another is given."""
        self._environment = made or environment()
        self._kept: dict[tuple[str, object], str] = {}
        self._template: Callable[[str], Template] = lru_cache(maxsize=None)(
            self._environment.get_template
        )
        self.sections = 0

    def file(self, wanted: RenderedBy | HostFile) -> str:
        """Return the text of one file."""
        return self._template(wanted.index).render(view=wanted.view, section=self.section)

    def section(self, name: str, view: Any) -> str:
        """Render one section template with its view; nothing for a view that is None or empty."""
        if view is None or (isinstance(view, (tuple, list, dict)) and not view):
            return ""
        if not getattr(type(view), "shared", False):
            return self._render(name, view)
        key = (name, view)
        text = self._kept.get(key)
        if text is None:
            text = self._kept[key] = self._render(name, view)
        return text

    def _render(self, name: str, view: Any) -> str:
        self.sections += 1
        return self._template(f"{name}.j2").render(view=view)
