"""Formulas from the intent in, the plan of a fabric's numbers out; numbers that it spoils, said."""

from collections.abc import Iterator
from ipaddress import ip_address

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.naming import PATTERN_WORDS
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.paths import at
from fabricgen.model.fabric.numbering import NO_PLAN, Formula, Plan
from fabricgen.model.fabric.topology import Role

_NIC_WORDS = {
    "rails": {"plane", "unit", "rail", "server", "port", "number"},
    "routed": {"unit", "rail", "server", "port", "number"},
}
_ROLES = [role.value for role in Role]


def plan_of(words: AnyFabric, findings: Findings) -> Plan:
    """Return the formulas that are said, and say which cannot be."""
    plan = {}
    for kind, role, said in _said(words):
        path = at(*words.at("numbering", kind), *([role] if role else []))
        lacks = _lacks(words, kind, role)
        if lacks:
            findings.spoil(Code.BAD_VALUE, lacks, path, "leave it out")
            continue
        if _judge_base(words, kind, str(said), path, findings):
            plan[kind, role] = _parsed(str(said), path)
            _judge_words(words, (kind, role), plan[kind, role], findings)
    return Plan(plan) if plan else NO_PLAN


def _said(words: AnyFabric) -> Iterator[tuple[str, str, object]]:
    """Yield what is said: kind of number, role, formula."""
    numbering = words.unless_refused("numbering")
    for kind, value in vars(numbering).items() if numbering is not None else ():
        if value is None or isinstance(value, str):
            yield from [(kind, "", value)] if value else []
        else:
            yield from ((kind, role, each) for role, each in vars(value).items() if each)


def _lacks(words: AnyFabric, kind: str, role: str) -> str:
    """Tell what a fabric does not have that a formula is for."""
    if kind == "nics" and words.nic_addressing.mode == "subnet":  # type: ignore[union-attr]
        return "with `nic_addressing: {mode: subnet}` each leaf has a subnet by its place"
    if kind == "vteps" and "vteps" not in type(words.addressing).model_fields:
        return f"the {words.name} has no tunnels"
    if kind == "links" and words.underlay.links == "unnumbered":
        return "links are `unnumbered`"
    above = _ROLES[_ROLES.index(role) + 1] if kind == "links" else role
    if above and getattr(words, above, None) is None:
        return f"the {words.name} has no {above}s"
    return ""


def _parsed(text: str, path: IntentPath) -> Formula:
    """Read `10.0.0.1 + 0.0.1.0 per pod - 1 per index`."""
    base, *rest = text.split(" ")
    terms = zip(rest[0::4], rest[1::4], rest[3::4], strict=True)
    steps = tuple((word, int(f"{sign}{_number(step)}")) for sign, step, word in terms)
    return Formula(_number(base), steps, path)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else int(ip_address(text))


def _judge_words(
    words: AnyFabric, kind: tuple[str, str], formula: Formula, findings: Findings
) -> None:
    """Report coordinates that the numbered object does not have, or that stand twice."""
    name, role = kind
    known = _NIC_WORDS.get(words.kind, set())
    if name != "nics":
        coordinates = {"plane", "pod", "unit", "rail", "index"}
        known = PATTERN_WORDS[words.kind][role or "leaf"] & coordinates | {"number"}
    known = known | {"upper", "link"} if name == "links" else known
    said = [word for word, _ in formula.steps]
    for word in said:
        if word not in known:
            hint = did_you_mean(word, known) or f"words here: {', '.join(sorted(known))}"
            findings.spoil(
                Code.BAD_VALUE, f"no coordinate {word!r} in this formula", formula.said, hint
            )
        elif said.count(word) > 1:
            findings.spoil(Code.BAD_VALUE, f"{word!r} stands twice in this formula", formula.said)


def _judge_base(
    words: AnyFabric, kind: str, text: str, path: IntentPath, findings: Findings
) -> bool:
    """Report a formula that begins with no number of its kind; tell whether it does."""
    base = text.split(" ", maxsplit=1)[0]
    if kind == "asn":
        good, example = base.isdigit(), "an ASN, as 65001"
    elif kind == "links" and words.underlay.links == "numbered-v6":
        good, example = ":" in base, "an IPv6 address, as fd00::1"
    else:
        good, example = base.count(".") == 3, "an IPv4 address, as 10.0.0.1"
    try:
        _parsed(text, path)
    except ValueError:
        good = False
    if not good:
        findings.spoil(Code.BAD_VALUE, f"this formula begins with {example}", path)
    return good
