"""The syntax of a module in; every way to break it by one small step out, in a fixed order.

What cannot change behavior is left alone, by rule: docstrings, annotations, decorators, imports,
`__repr__`, blocks for type checkers, assertions, and the words of messages.
"""

import ast
import copy
import itertools
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

Node = TypeVar("Node", bound=ast.AST)
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
COMMUTATIVE = {"min", "max", "gcd"}
"""Calls that say the same of their arguments in any order."""
CALLS = {"all": "any", "any": "all", "min": "max", "max": "min"}
SKIPPED_FIELDS = {"annotation", "returns", "decorator_list", "bases"}
# What only people read, or what only costs time: no test should hold to it.
SKIPPED_KEYWORDS = {
    *("hint", "description", "help", "title", "examples", "noun", "metavar", "epilog"),
    *("strict", "encoding", "errors", "timeout", "exist_ok", "parents", "maxsize", "stacklevel"),
}
SKIPPED_CALLS = {"sleep", "TypeVar", "getLogger", "cast", "debug", "warning"}
PROGRAMMERS_ERRORS = {"AssertionError", "NotImplementedError"}


class Mutation(NamedTuple):
    """One step: `new` stands in `owner.field`, or at `place` of it."""

    kind: str
    line: int
    owner: ast.AST
    field: str
    place: int | None
    new: ast.AST


def mutations(tree: ast.Module) -> list[Mutation]:
    """Return every mutation of a module."""
    return list(_below(tree, 1))


def source_of(tree: ast.Module, mutation: Mutation | None) -> str:
    """Print the module with one mutation, which is taken back."""
    if mutation is None:
        return ast.unparse(tree) + "\n"
    old = _put(mutation, mutation.new)
    try:
        return ast.unparse(tree) + "\n"
    finally:
        _put(mutation, old)


def _put(mutation: Mutation, new: ast.AST) -> ast.AST:
    """Put a node into its place; return what stood there."""
    held = getattr(mutation.owner, mutation.field)
    if mutation.place is None:
        setattr(mutation.owner, mutation.field, new)
        return held  # type: ignore[no-any-return]
    old = held[mutation.place]
    held[mutation.place] = new
    return old  # type: ignore[no-any-return]


def _below(owner: ast.AST, line: int) -> Iterator[Mutation]:
    for field, value in ast.iter_fields(owner):
        if field in SKIPPED_FIELDS or (field == "keywords" and isinstance(owner, ast.ClassDef)):
            continue
        if isinstance(owner, ast.Raise):
            continue  # that it is raised matters; its words are for people
        nodes = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, node in nodes:
            if isinstance(node, ast.AST) and not _skipped(node):
                here = getattr(node, "lineno", line)
                for kind, new in _steps(node, field):
                    yield Mutation(kind, here, owner, field, index, new)
                yield from _below(node, here)


def _skipped(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.Expr(value=ast.Constant()):
            skipped = True  # the last is a docstring, or `...`
        case ast.If(test=test):
            skipped = "TYPE_CHECKING" in ast.unparse(test) or "__main__" in ast.unparse(test)
        case ast.FunctionDef(name=name):
            skipped = name == "__repr__"
        case ast.ClassDef(bases=bases):
            skipped = any("Protocol" in ast.unparse(base) for base in bases)
        case ast.Assign(targets=[ast.Name(id=name)]):
            skipped = name in {"__all__", "__slots__"}
        case ast.keyword(arg=name):
            skipped = name in SKIPPED_KEYWORDS
        case ast.JoinedStr():
            skipped = _is_message(node)
        case ast.Call(func=func):
            skipped = ast.unparse(func).rpartition(".")[2] in SKIPPED_CALLS
        case _:
            skipped = False
    return skipped


def _is_message(text: ast.JoinedStr) -> bool:
    """Tell words from a made-up key or name: words have spaces between them."""
    pieces = (piece.value for piece in text.values if isinstance(piece, ast.Constant))
    return any(" " in str(piece) for piece in pieces)


def _steps(node: ast.AST, field: str) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.stmt):
        yield from _statement(node)
    elif isinstance(node, ast.comprehension):
        if node.ifs:
            yield "filter dropped", _like(node, ifs=[])
    elif isinstance(node, ast.Constant):
        if field not in {"format_spec", "kind"}:
            yield from _constant(node)
    elif isinstance(node, ast.Call):
        yield from _call(node)
    elif isinstance(node, ast.expr):
        yield from _expression(node)


def _statement(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Expr() | ast.AugAssign() | ast.Continue() | ast.Break():
            yield "statement dropped", ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):
            yield "statement dropped", ast.Pass()
        case ast.Raise(exc=error):
            if error is not None and not PROGRAMMERS_ERRORS & set(ast.unparse(error).split("(")):
                yield "raise dropped", ast.Pass()
        case ast.Return(value=value):
            if value is not None and not _is_none(value):
                yield "returns None", ast.Return(value=ast.Constant(value=None))
        case ast.If(test=test, orelse=orelse):
            yield "condition negated", _like(node, test=_negated(test))
            if not orelse:
                yield "branch dropped", _like(node, test=ast.Constant(value=False))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(op=ast.Not(), operand=test)


def _constant(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    value = node.value
    if isinstance(value, bool):
        yield "boolean flipped", ast.Constant(value=not value)
    elif isinstance(value, int):
        for more in (1, -1, 2):
            yield f"number {more:+}", ast.Constant(value=value + more)
    elif isinstance(value, float):
        yield "number +1", ast.Constant(value=value + 1)
    elif isinstance(value, str) and value and not any(map(str.isspace, value)):
        yield "text changed", ast.Constant(value=value + "X")


def _call(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLS:
        other = CALLS[node.func.id]
        yield f"{node.func.id} to {other}", _like(node, func=ast.Name(id=other))
    match node.args:
        case [first, second, *rest] if (
            _plain(first)
            and _plain(second)
            and _differ(first, second)
            and ast.unparse(node.func) not in COMMUTATIVE
        ):
            yield "arguments swapped", _like(node, args=[second, first, *rest])
    named = [word for word in node.keywords if word.arg and _plain(word.value)]
    for one, two in itertools.pairwise(named):
        if _differ(one.value, two.value) and not {one.arg, two.arg} & SKIPPED_KEYWORDS:
            swapped = {one.arg: two.value, two.arg: one.value}
            words = [_like(word, value=swapped.get(word.arg, word.value)) for word in node.keywords]
            yield "keywords swapped", _like(node, keywords=words)


def _plain(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.Constant)


def _differ(one: ast.expr, two: ast.expr) -> bool:
    return ast.unparse(one) != ast.unparse(two)


def _expression(node: ast.expr) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                other = [*ops[:at], COMPARISONS[type(op)](), *ops[at + 1 :]]
                yield "comparison changed", _like(node, ops=other)
        case ast.BinOp(op=op, left=left, right=right):
            if type(op) in ARITHMETIC and not (_is_text(left) or _is_text(right)):
                yield "arithmetic changed", _like(node, op=ARITHMETIC[type(op)]())
        case ast.BoolOp(op=op):
            swapped = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "and/or changed", _like(node, op=swapped)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield "sign dropped", operand
        case ast.IfExp(test=test):
            yield "condition negated", _like(node, test=_negated(test))


def _is_text(node: ast.expr) -> bool:
    """Adding texts or lists is no arithmetic: the other operator does not exist for them."""
    return isinstance(node, ast.JoinedStr | ast.Tuple | ast.List | ast.ListComp | ast.Dict) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _like(node: Node, **changes: object) -> Node:
    new = copy.copy(node)
    for field, value in changes.items():
        setattr(new, field, value)
    return new
