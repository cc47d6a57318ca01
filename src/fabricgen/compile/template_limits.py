"""Limit the text, values, steps and memory of a site's custom templates."""

from __future__ import annotations

import re
import resource
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from functools import update_wrapper
from pathlib import Path
from typing import Any, cast

from jinja2 import nodes
from jinja2.runtime import LoopContext, Macro, str_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

MAX_FILE = 8 * 2**20
"""Characters of one file. The largest shipped one, a switch with 512 ports, has under a million."""
MAX_PRINTED = 2**30
"""Characters of all files that one process renders."""
MAX_VALUE = 2**20
"""Characters of one text, entries of one list."""
MAX_NUMBER = 4096
"""Bits of one number."""
MAX_WIDTH = 10_000
"""A width, a count or a precision that a method, a filter or a format takes."""
MAX_TURNS = 2_000_000
"""Turns of loops in one file."""
_MACRO = 10
"""A call of a macro counts as so many turns: it takes about as long."""
MAX_MEMORY = 256 * 2**20
"""Bytes of address space that the process may take while it renders one file (RLIMIT_AS)."""

_WIDE_METHODS = frozenset({"ljust", "rjust", "center", "zfill", "expandtabs", "to_bytes"})
_WIDE_FILTERS = frozenset({"batch", "center", "indent", "round", "slice", "truncate", "wordwrap"})
_PERCENT = re.compile(r"%(?:\([^)]*\))?[-#0 +]*(\*|\d*)(?:\.(\*|\d*))?")
_FIELD = re.compile(r"\{[^{}]*:[^{}]*\{|\{[^{}]*:[^{}]*?(\d+)(?:[.,](\d+))?[^{}]*\}")
_TURNS, _JOINED = "*turns", "*joined"  # no template can spell such filters


class TemplateLimit(Exception):  # noqa: N818 - it carries the sentence a person reads
    """A template takes more than it may."""


def exceeded(error: Exception) -> str:
    """Return which limit an exception is about; empty when about none."""
    if isinstance(error, MemoryError):
        return f"needs more than {MAX_MEMORY >> 20} MiB of memory"
    if isinstance(error, RecursionError):
        return "has macros or sections that call each other without end"
    return str(error) if isinstance(error, TemplateLimit) else ""


class Bounded(ImmutableSandboxedEnvironment):
    """A sandbox in which a template cannot take the memory or the time of the machine."""

    intercepted_binops = frozenset({"*", "+", "%", "**"})

    def __init__(self, *args: Any, **words: Any) -> None:
        """Limit every filter that Jinja brings."""
        super().__init__(*args, **words)
        self.globals.clear()
        self.filters.update({name: _limited(name, each) for name, each in self.filters.items()})
        self.filters.update({_TURNS: self._counted, _JOINED: _joined})
        self._depth, self._turns, self._printed = 0, 0, 0

    def _generate(self, source: nodes.Template, *args: Any, **words: Any) -> str:
        return super()._generate(_Limiting().visit(source), *args, **words)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuse a result that would be too large before it is made."""
        _check_operation(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def call(__self, __context: Any, __obj: Any, *args: Any, **words: Any) -> Any:  # noqa: N805, PYI063 - as Jinja has it: a word may be named self
        """Call a macro, a method or the next level of a loop within the limits."""
        if isinstance(__obj, LoopContext):
            args = (__self._counted(args[0]), *args[1:])
        if isinstance(__obj, Macro):
            __self._turn(_MACRO)
        _check_method(__obj, args, words)
        return _small(super().call(__context, __obj, *args, **words))

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """Refuse large widths in `str.format`."""
        found = super().wrap_str_format(value)
        if found is not None:
            _check_fields(value.__self__)
        return found

    def concat(self, pieces: Iterable[str]) -> str:
        """Join the printed pieces of a template, a macro or a block."""
        if self._depth:
            return self._gathered(pieces)
        self._depth, self._turns = 1, 0
        try:
            with _memory():
                text = self._gathered(pieces)
        finally:
            self._depth = 0
        self._printed += len(text)
        if self._printed > MAX_PRINTED:
            raise TemplateLimit(f"all files have more than {MAX_PRINTED:,} characters")
        return text

    def _gathered(self, pieces: Iterable[str]) -> str:
        """Join pieces; an excess is raised where the template prints it."""
        kept, length = [], 0
        for piece in pieces:
            kept.append(piece)
            length += len(piece)
            if length > MAX_FILE:
                excess = TemplateLimit(f"prints more than {MAX_FILE:,} characters")
                if hasattr(pieces, "throw"):
                    pieces.throw(excess)
                raise excess
        return "".join(kept)

    def _counted(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self._turn()
            yield item

    def _turn(self, count: int = 1) -> None:
        self._turns += count
        if self._turns > MAX_TURNS:
            raise TemplateLimit(f"takes more than {MAX_TURNS:,} turns of loops and macros")


class _Limiting(NodeTransformer):
    """Count the turns of every loop, and measure what `~` joins."""

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802 (Jinja's)
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, _TURNS, [], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Filter:  # noqa: N802 (Jinja's)
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, _JOINED, [], [], None, None, lineno=node.lineno)


@contextmanager
def _memory() -> Iterator[None]:
    """Limit the memory of the process, where the system counts it (Linux)."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = pages * resource.getpagesize() + MAX_MEMORY
    others = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(wanted, *others, wanted), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _limited(name: str, wanted: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter that refuses large values before and after it runs."""

    def filtered(*args: Any, **words: Any) -> Any:
        if name in _WIDE_FILTERS:
            _check_widths((*args, *words.values()))
        values = args[1:] if hasattr(wanted, "jinja_pass_arg") else args
        if name == "indent":
            _check_method(str(values[0]).replace, ("\n", _wordy(values, words)), {})
        elif name == "join" and not isinstance(values[0], (str, Iterator)):
            _check_length(_join_length(_wordy(values, words), values[0]))
        elif name == "sum":
            _check_numbers((*values[1:], *words.values()))
        elif name == "format":
            _check_percent(str(values[0]), (*values[1:], *words.values()))
        elif name == "replace":
            _check_method(str(values[0]).replace, values[1:], words)
        return _small(wanted(*args, **words))

    return update_wrapper(filtered, wanted)


def _wordy(values: tuple[Any, ...], words: dict[str, Any]) -> str:
    """Return the text that a filter puts between others; empty if there is none."""
    texts = [each for each in (*values[1:], *words.values()) if isinstance(each, str)]
    return texts[0] if texts else ""


def _join_length(between: str, parts: Sized) -> int:
    texts = [part for part in cast("Iterable[Any]", parts) if isinstance(part, str)]
    return len(between) * len(parts) + sum(map(len, texts))


def _joined(parts: list[Any]) -> str:
    """Join two values like `~`, unless the text becomes too long."""
    texts = [str(part) for part in parts]
    _check_length(sum(map(len, texts)))
    return str_join(texts)


def _check_operation(operator: str, left: Any, right: Any) -> None:
    if isinstance(left, str) and operator == "%":
        _check_percent(left, right if isinstance(right, tuple) else (right,))
    elif isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length() * right if operator == "**" else 0
        bits = left.bit_length() + right.bit_length() if operator == "*" else bits
        if bits > MAX_NUMBER:
            raise TemplateLimit(f"makes a number of more than {MAX_NUMBER:,} bits")
    elif operator == "*":
        texts = [each for each in (left, right) if isinstance(each, (str, bytes, list, tuple))]
        times = [each for each in (left, right) if isinstance(each, int)]
        if texts and times:
            _check_length(len(texts[0]) * times[0])
    elif operator == "+" and isinstance(left, Sized) and isinstance(right, Sized):
        _check_length(len(left) + len(right))


def _check_method(method: Any, args: tuple[Any, ...], words: dict[str, Any]) -> None:
    """Refuse a call of a method of a text or number that makes a large one."""
    own = getattr(method, "__self__", None)
    name = getattr(method, "__name__", "")
    if not isinstance(own, (str, bytes, int)):
        return
    if name in _WIDE_METHODS:
        _check_widths((*args, *words.values()))
    elif name == "replace" and isinstance(own, str) and len(args) > 1:
        old, new = str(args[0]), str(args[1])
        _check_length(len(own) + (own.count(old) * len(new)))
    elif name == "join" and isinstance(own, str) and args and not isinstance(args[0], Iterator):
        _check_length(_join_length(own, args[0]))


def _check_percent(text: str, args: tuple[Any, ...]) -> None:
    """Refuse large widths, and long texts that are printed often."""
    fields = _PERCENT.findall(text)
    if any("*" in field for field in fields):
        raise TemplateLimit("takes the width of a format from a value")
    _check_widths([int(number) for field in fields for number in field if number])
    longest = max((len(each) for each in args if isinstance(each, str)), default=0)
    _check_length(len(text) + len(fields) * longest)


def _check_fields(text: str) -> None:
    """Refuse large widths in the fields of `str.format`, and widths that are values."""
    for field in _FIELD.finditer(text):
        if field[1] is None:
            raise TemplateLimit("takes the width of a format from a value")
        _check_widths([int(number) for number in field.groups() if number])


def _check_numbers(values: Iterable[Any]) -> None:
    """Refuse lists that are summed: each sum is a copy of all before it."""
    if any(isinstance(each, Sized) and not isinstance(each, str) for each in values):
        raise TemplateLimit("sums lists")


def _check_widths(values: Iterable[Any]) -> None:
    if any(isinstance(each, int) and abs(each) > MAX_WIDTH for each in values):
        raise TemplateLimit(f"asks for a width or count of more than {MAX_WIDTH:,}")


def _check_length(length: int) -> None:
    if length > MAX_VALUE:
        raise TemplateLimit(f"makes a value of more than {MAX_VALUE:,} characters or entries")


def _small(value: Any) -> Any:
    if isinstance(value, (str, bytes, list, tuple, dict)):
        _check_length(len(value))
    return value
