"""Converts pydantic errors to diagnostics with a sentence and a hint."""

import re
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, did_you_mean
from fabricgen.intent.model import (
    acknowledge,
    edge,
    hardware,
    numbering,
    own_lines,
    port_pins,
    secret,
    servers,
    site,
    vocabulary,
    zones,
)
from fabricgen.intent.model.intent import FABRIC_KINDS, AnyFabric, Intent
from fabricgen.intent.paths import is_model, kinds_at
from fabricgen.model.settings import services

WORDINGS = {
    vocabulary.NAME: "must be a name: lower-case letters, digits and '-', a letter first, "
    "at most 31",
    vocabulary.VRF_NAME: "must be a VRF name: letters, digits, '-' and '_', a letter first, "
    "at most 30",
    vocabulary.VLAN_NAME: (
        "must be a VLAN name: letters, digits and '._:/+-', a letter or digit first, at most 64"
    ),
    vocabulary.JOB_NAME: (
        "must be a job name: lower-case letters, digits and '-', a letter first, at most 10"
    ),
    vocabulary.HOST_NAME: "must be a host name: lower-case letters, digits and '-', at most 63, "
    "no '-' at either end",
    vocabulary.NUMBERS: "must be numbers from 1, for example 12, 1-16 or 1-8,12",
    vocabulary.DOMAIN_NAME: "must be a DNS domain in lower case, for example example.net",
    port_pins.PORT_LABEL: "must be a cage or one of its ports, for example 7 or 7/2",
    port_pins.PORT_KEY: (
        "must be a cage, one of its ports, or several cages, for example 7, 7/2, 29-32 or 1-8,12"
    ),
    port_pins.FAR_END: "must be a switch and its port, for example be-spine2 port 9",
    port_pins.LINK_END: "must be a port, for example 7 or 7/2, or the name of a switch",
    numbering.FORMULA: (
        "must be a formula, for example 65001 + 1 per number: the first value, "
        "then the step of each coordinate"
    ),
    vocabulary.PCI: "must be a PCI address in lower case, for example 0000:18:00.0",
    vocabulary.MAC: "must be a MAC address in lower case, for example 00:1c:73:00:00:99",
    servers.SET_NAME: "must be the name of a set of ports: lower-case letters and digits, a letter "
    "first, at most 8",
    servers.NUMBER: "must be the number of a server, for example 7",
    edge.COMMUNITY: "must be two 16-bit numbers, for example 64500:100",
    secret.REFERENCE: (
        "must be the location of a secret: env:NAME, file:PATH, sops:FILE#KEY, "
        "vault:MOUNT/PATH#KEY or x-NAME:…"
    ),
    services.LOGIN: "must be a login name: lower-case letters, digits, '_' and '-', at most 32",
    services.SNMP_USER: "must be a name of 4 to 32 letters, digits, '_' and '-', a letter first",
    services.STORED: (
        "must be a file name with its suffix, for example site.crt: letters, digits, '-' and '_'"
    ),
    site.MANAGEMENT_VRF: "must be a VRF name: letters, digits and '-', a letter first, at most 12",
    zones.ZONE_NAME: "must be the name of a zone, or fabric/name for a zone of a fabric",
    zones.REFERENCE: "must be tenant/name for a VRF or VLAN of a tenant, or tenant/vrf/name",
    hardware.BREAKOUT: "must be count x speed, for example 2x400G",
    hardware.SERIAL: "must be a serial number: letters, digits, '.', '_', '/' and '-', at most 63",
    own_lines.KEY: "must be a key of CONFIG_DB: plain ASCII without blanks, at most 200",
    own_lines.PATH: (
        "must be the path of a file, for example /etc/motd: parts of letters, "
        "digits, '_', '.', '@', '+' and '-', and no part starts with a dot"
    ),
    own_lines.TABLE: "must be a table or field of CONFIG_DB: letters, digits, '_', '.' and '-'",
    acknowledge.CODE: "must be the code of a finding, for example FG211",
    vocabulary.OWNER: "must be @ and the name of a person or team, for example '@net-acme'",
    vocabulary.PLACE: "must be the path of a key, for example tenants/acme",
    hardware.RELEASE: (
        "must be a release of lower-case letters, digits, '.' and '-', for example 202505. "
        "A vendor's image has '+' and a word, for example 202505+iccpd"
    ),
}
"""Sentence of each pattern in the model."""

_CODES = {"unsafe": Code.UNSAFE_TEXT, "description": Code.DESCRIPTION_PATTERN}
"""Values whose own message is used; all others have an unacceptable value."""

_SHAPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list, for example [a, b]",
    "dict_type": "a mapping of keys",
    "model_type": "a mapping of keys",
}
_LIMITS = {
    "greater_than_equal": ("ge", "must be at least {:,}"),
    "less_than_equal": ("le", "must be at most {:,}"),
    "greater_than": ("gt", "must be more than {:,}"),
    "less_than": ("lt", "must be less than {:,}"),
    "string_too_short": ("min_length", "must not be empty"),
    "string_too_long": ("max_length", "must have at most {:,} characters"),
    "too_short": ("min_length", "must not be empty"),
    "too_long": ("max_length", "must have at most {:,} entries"),
}
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),  # before int, which bool is
    (int, "a number"),
    (float, "a number with a fraction or exponent"),
    (str, "text"),
    (list, "a list"),
    (dict, "a mapping"),
)
_KNOWN = ", ".join(FABRIC_KINDS)
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
_SPOKEN_BOOLEANS = {"yes", "no", "on", "off", "y", "n"}


def finding(
    item: ErrorDetails, given: Any, top: type[BaseModel] = Intent, fabric: object = None
) -> Diagnostic:
    """Return the diagnostic of one error. Only the type of `given`, the value, is printed.

    `top`: the model of the whole file. `fabric`: the kind of the fabric that contains the error.
    """
    path: IntentPath = tuple(item["loc"])
    kind = item["type"]
    if kind == "extra_forbidden":
        hint = _elsewhere(path) or _of_others(path)
        return Diagnostic(
            Code.UNKNOWN_KEY, f"unknown key {path[-1]!r}{_inside(path)}", path=path,
            hint=hint or did_you_mean(str(path[-1]), _neighbors(path, top, fabric)),
            at_key=True)  # fmt: skip
    if kind == "missing":
        return Diagnostic(Code.MISSING_KEY, f"the key {path[-1]!r} is missing{_inside(path)}",
                          path=path[:-1], hint=_description(path, top), at_key=True)  # fmt: skip
    if kind == "union_tag_not_found":
        return Diagnostic(Code.MISSING_KEY, f"the key 'kind' is missing{_inside((*path, 'kind'))}",
                          path=path, hint=f"use one of {_KNOWN}", at_key=True)  # fmt: skip
    if kind == "union_tag_invalid":
        return Diagnostic(Code.BAD_VALUE, f"{spelled((*path, 'kind'))}: must be one of {_KNOWN}",
                          path=(*path, "kind"))  # fmt: skip
    at_key = path[-1:] == ("[key]",)
    path = tuple(part for part in path if part != "[key]")
    code = _CODES.get(kind, Code.BAD_VALUE)
    if kind == "string_pattern_mismatch" and item.get("ctx", {}).get("pattern") == secret.REFERENCE:
        code = Code.SECRET_IN_CLEAR
    sentence, hint = _sentence(item, None if at_key else given)
    if kind == "literal_error" and (keys := known_keys(path, top)):
        sentence, hint = (
            f"{sentence} or a mapping of keys",
            hint or (f"valid keys: {', '.join(keys)}"),
        )
    return Diagnostic(code, f"{spelled(path)}: {sentence}", path=path, hint=hint, at_key=at_key)


def spelled(path: IntentPath) -> str:
    """Return a path for people: site.management.ntp[2], items counted from 1."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            plain = part.isascii() and part.replace("-", "_").isidentifier()
            text += ("." if text else "") + (part if plain else repr(part))
    return text


def _inside(path: IntentPath) -> str:
    return f" in {spelled(path[:-1])}" if len(path) > 1 else ""


def _sentence(item: ErrorDetails, given: Any) -> tuple[str, str]:
    kind, context = item["type"], item.get("ctx", {})
    if kind == "finite_number" or (kind == "float_type" and type(given) is int):
        return "must be a finite number", ""
    if kind in _SHAPES:
        return f"must be {_SHAPES[kind]}{_instead(given)}", _shape_hint(kind, given)
    if kind in _LIMITS:
        name, text = _LIMITS[kind]
        return text.format(context[name]), ""
    if kind == "string_pattern_mismatch" and context["pattern"] in WORDINGS:
        return WORDINGS[context["pattern"]], ""
    if kind == "literal_error":
        known = re.findall(r"'([^']*)'", context["expected"])
        near = did_you_mean(given, known) if isinstance(given, str) else ""
        return f"must be {context['expected']}", near if near.startswith("did") else ""
    return item["msg"], ""


def _instead(given: Any) -> str:
    """Return the type of the value, never the value, which may be a secret."""
    if given is None:
        return ", but there is no value"
    return next((f", not {words}" for kind, words in _KINDS if isinstance(given, kind)), "")


def _shape_hint(kind: str, given: Any) -> str:
    if kind == "string_type" and isinstance(given, bool | int | float):
        return "put the value in quotes"
    if not isinstance(given, str):
        return ""
    if kind == "bool_type" and given.lower() in _SPOKEN_BOOLEANS:
        return "YAML 1.2 has only true and false"
    if kind in ("int_type", "float_type") and _NUMBER.fullmatch(given):
        return "write the number without quotes"
    return ""


_ELSEWHERE = {
    ("switches", "rack"): "the position of switches is in `contents` of a type in `racks`",
    ("switches", "unit"): "the rack unit of switches is in `units` of a type in `racks`",
}
"""Location of keys that users may look for below a single switch."""


def _elsewhere(path: IntentPath) -> str:
    """Return the location of a key for a single switch, or the reason for its absence."""
    if "switches" not in path:
        return ""
    return _ELSEWHERE.get((str(path[-3:-2][0]) if path[2:] else "", str(path[-1])), "")


def _of_others(path: IntentPath) -> str:
    """Return the fabric kinds that have a key, if another kind refuses it."""
    if path[:-1] not in (("frontend",), ("backend",)) and (path[0], len(path)) != ("fabrics", 3):
        return ""
    fields = [each.model_fields for each in get_args(AnyFabric)]
    kinds = [str(each["kind"].default) for each in fields if path[-1] in each]
    return f"fabrics of kind {' and '.join(kinds)} have this key" if kinds else ""


def _description(path: IntentPath, top: type[BaseModel]) -> str:
    """Return the description of a key in the model."""
    key = str(path[-1])
    fields = (
        each.model_fields[key] for each in models_at(path[:-1], top) if key in each.model_fields
    )
    field = next(fields, None)
    return (field.description or "") if field else ""


def _neighbors(path: IntentPath, top: type[BaseModel], fabric: object) -> list[str]:
    """Return the valid keys next to a key, in a fabric those of its kind."""
    for words in get_args(AnyFabric):
        if path[0] == "fabrics" and words.model_fields["kind"].default == fabric:
            return known_keys(path[2:-1], words)
    return known_keys(path[:-1], top)


def known_keys(path: IntentPath, top: type[BaseModel] = Intent) -> list[str]:
    """Return the keys that the mapping at `path` may have."""
    models = models_at(path, top)
    return [field.alias or name for each in models for name, field in each.model_fields.items()]


def models_at(path: IntentPath, top: type[BaseModel] = Intent) -> list[type[BaseModel]]:
    """Return the models that may validate the mapping at `path`: several for one of `fabrics`."""
    return [kind for kind in kinds_at(path, top) if is_model(kind)]
