"""Fill the facts of a switch into the text of its custom config.

An intent comes from a pull request. So the text is sandboxed Jinja without loops, calls and
imports: `{{ switch.loopback }}` and `{% if %}`. An unknown fact is an error.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from fabricgen.core.diagnostics import did_you_mean
from fabricgen.model.fabric.own_lines import OwnText
from fabricgen.model.fabric.switch import SwitchSlice

MOST_LINES, LONGEST = 500, 500
_PLAIN, _TABBED = re.compile(r"[ -~]*"), re.compile(r"[ -~\t]*")
_TAKEN = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.Getattr, nodes.Name, nodes.If),
    *(nodes.Compare, nodes.Operand, nodes.Const, nodes.Not, nodes.And, nodes.Or),
)
_JINJA = ImmutableSandboxedEnvironment(
    undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
)
FACTS = {
    "site": ("name",),
    "tenant": ("name",),
    "switch": (
        *("name", "fabric", "role", "model", "platform", "group", "plane", "pod", "unit", "index"),
        *("asn", "loopback", "vtep", "management"),
    ),
}
"""Names that a text may use. A switch without a tunnel endpoint has no `vtep`."""


class Refused(Exception):  # noqa: N818 - said of the text, not of the program
    """Text that is refused. `at` is its line from 1, or its entry; the message is the reason."""

    def __init__(self, at: int | str, sentence: str) -> None:
        super().__init__(sentence)
        self.at, self.sentence = f"line {at}" if isinstance(at, int) else at, sentence


def filled(own: OwnText, switch_slice: SwitchSlice) -> str:
    """Return the text for one switch; raise Refused for a character that is not allowed."""
    template = compiled(own)
    facts = facts_of(switch_slice) | ({"tenant": {"name": own.tenant}} if own.tenant else {})
    try:
        text = template.render(facts)
    except TemplateError as error:
        raise Refused(1, f"{switch_slice.switch.name}: {error.message}") from error
    for number, line in enumerate(text.split("\n"), 1):
        if not (_TABBED if own.file else _PLAIN).fullmatch(line):
            raise Refused(number, "a character that is not an ASCII letter, digit, sign or blank")
        if len(line) > LONGEST or number > MOST_LINES:
            raise Refused(number, f"at most {MOST_LINES} lines of {LONGEST} characters are allowed")
    return text


def compiled(own: OwnText) -> Template:
    """Return a text as a template; raise Refused for more than facts and conditions."""
    return _compiled(own.text, tenant=bool(own.tenant))


@lru_cache(maxsize=256)
def _compiled(text: str, *, tenant: bool) -> Template:
    """Return a text as a template, checked once for all switches that have it.

    The text is checked before it is compiled: the compiler evaluates constants, such as `9**9**9`.
    """
    if len(text) > MOST_LINES * LONGEST:
        raise Refused(1, f"at most {MOST_LINES} lines of {LONGEST} characters are allowed")
    try:
        _judge(_JINJA.parse(text), tenant=tenant)
        return _JINJA.from_string(text)
    except TemplateSyntaxError as error:
        raise Refused(error.lineno, str(error.message)) from error
    except (RecursionError, ValueError) as error:
        raise Refused(1, "conditions are nested too deeply, or a number is too long") from error


def _judge(tree: nodes.Template, *, tenant: bool) -> None:
    """Refuse everything except facts and conditions, and unknown facts."""
    for node in tree.find_all(nodes.Node):
        if not isinstance(node, _TAKEN):
            word = type(node).__name__.lower()
            hint = "custom config supports only facts such as {{ switch.name }} and {% if %}"
            raise Refused(node.lineno, f"{word} is not allowed: {hint}")
    named = {id(node.node) for node in tree.find_all(nodes.Getattr)}
    for node in tree.find_all(nodes.Getattr):
        what = node.node.name if isinstance(node.node, nodes.Name) else ""
        known = [name for name in FACTS if name != "tenant" or tenant]
        if what not in known:
            raise Refused(
                node.lineno, f"no fact {what or 'of this kind'!r}: use {', '.join(known)}"
            )
        if node.attr not in FACTS[what]:
            near = did_you_mean(node.attr, FACTS[what])
            raise Refused(node.lineno, f"no fact {what}.{node.attr}; {near}")
    for name in tree.find_all(nodes.Name):
        if id(name) not in named:
            raise Refused(name.lineno, f"{name.name!r} alone is not a fact, unlike switch.name")


def facts_of(switch_slice: SwitchSlice) -> dict[str, dict[str, Any]]:
    """Return the facts of a switch."""
    switch = switch_slice.switch
    coordinates = {key: getattr(switch, key) for key in ("plane", "pod", "unit", "index", "group")}
    known = {
        **coordinates,
        "name": switch.name,
        "fabric": switch.fabric,
        "role": switch.role.value,
        "model": str(switch.model),
        "platform": switch.platform,
        "asn": switch_slice.asn,
        "loopback": switch_slice.loopback.host,
        "management": switch_slice.management.host,
    }
    if switch_slice.vtep is not None:
        known["vtep"] = switch_slice.vtep.host
    return {"switch": known, "site": {"name": switch_slice.services.site}}
