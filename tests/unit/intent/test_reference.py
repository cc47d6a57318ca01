"""The schema of the intent, and its reference: every key, bound and default of the model."""

import re

import jsonschema
import pytest

from fabricgen import __version__
from fabricgen.intent.reference import INDEX, reference_page, reference_pages
from fabricgen.intent.schema import intent_schema
from fabricgen.nos.registry import releases, targets

HEAD = re.compile(r"^## ([\w -]+)$", re.MULTILINE)
SITE = {"name": "lab", "management": {"subnet": "10.255.0.0/22"}}


def test_a_page_for_each_top_level_key_has_every_table_once() -> None:
    pages = reference_pages(releases())
    keys = intent_schema(targets())["properties"]
    assert list(pages) == [INDEX, *(f"{key}.md" for key in keys)]
    heads = [head for text in pages.values() for head in HEAD.findall(text)]
    assert len(heads) == len(set(heads))
    assert {*heads} - {"Top-level keys"} == {*HEAD.findall(reference_page(releases()))} - {
        "The top level"
    }


def test_a_link_leads_to_the_page_of_its_table() -> None:
    pages = reference_pages(releases())
    for name, text in pages.items():
        for table, file, anchor in re.findall(r"\[(\w+)\]\(([\w.]*)#(\w+)\)", text):
            assert f"\n## {table}\n" in pages[file or name]
            assert anchor == table.lower()


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
