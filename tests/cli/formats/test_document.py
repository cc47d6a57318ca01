"""The JSON that every verb prints."""

from fabricgen.cli.formats.document import document


def test_a_document_begins_with_its_version_and_has_a_value_a_line() -> None:
    assert document({"switches": ["a"]}) == (
        '{\n "format_version": 1,\n "switches": [\n  "a"\n ]\n}\n'
    )
