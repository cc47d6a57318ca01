"""The schema of the intent, and its reference page: every key, bound and default of the model."""

import re
from pathlib import Path

import jsonschema
import pytest

from fabricgen import __version__
from fabricgen.intent.reference import reference_page
from fabricgen.intent.schema import intent_schema
from fabricgen.nos.registry import releases

PAGE = Path(__file__).resolve().parents[3] / "docs" / "intent.md"
SITE = {"name": "lab", "management": {"subnet": "10.255.0.0/22"}}


def test_the_page_is_that_of_the_model() -> None:
    assert reference_page(releases()) == PAGE.read_text()


def test_each_table_comes_after_one_that_leads_to_it() -> None:
    page = reference_page(releases())
    heads = re.findall(r"^## (\w+)$", page, re.MULTILINE)
    assert len(heads) > 50
    for head in heads:
        assert page.index(f"](#{head.lower()})") < page.index(f"\n## {head}\n"), head


def test_the_page_names_the_platforms_that_there_are() -> None:
    page = reference_page({"nos-one": ("7.1",), "nos-two": ("one", "two")})
    assert "| `platform` | `nos-one` \\| `nos-two` | **required** |" in page
    assert "| `release` | `7.1` \\| `one` \\| `two` |" in page


def test_a_file_of_a_site_may_have_any_of_its_keys_and_no_other() -> None:
    schema = intent_schema({"eos": ()})
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:fabricgen:intent:{__version__}"
    assert schema["title"] == "fabricgen intent"
    files: tuple[dict[str, object], ...] = ({}, {"site": SITE}, {"tenants": {"red": {}}})
    for data in files:
        jsonschema.Draft202012Validator(schema).validate(data)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate({"sites": SITE})


@pytest.mark.parametrize("role", ["leaf", "spine"])
@pytest.mark.parametrize(("platform", "good"), [("eos", True), ("ios", False)])
def test_a_platform_is_one_that_there_is(role: str, platform: str, *, good: bool) -> None:
    schema = intent_schema({"eos": (), "sonic": ("202505",)})
    names = {"leaf": "SwitchRole", "spine": "UpperTier"}
    role_schema = {"$ref": f"#/$defs/{names[role]}", "$defs": schema["$defs"]}
    found = jsonschema.Draft202012Validator(role_schema)
    assert found.is_valid({"model": "SN5600", "platform": platform}) is good
    exception = {"$ref": "#/$defs/SwitchException", "$defs": schema["$defs"]}
    assert jsonschema.Draft202012Validator(exception).is_valid({"platform": platform}) is good
