"""The generated pages of docs/reference are equal to the code; `make reference` rewrites them."""

from pathlib import Path

import pytest
from tests.cli.calling import ROOT
from tests.docs.reference.pages import BEGIN, END, generated_pages, surplus_pages, with_part

PAGES = generated_pages()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_generated_page_is_equal_to_the_code(page: Path) -> None:
    assert page.read_text() == PAGES[page], "run `make reference`"


def test_no_page_is_left_of_a_key_or_platform_that_was_removed() -> None:
    assert surplus_pages(PAGES) == []


def test_a_generated_part_replaces_the_one_between_the_marks() -> None:
    page = f"before\n\n{BEGIN}\n\nold\n\n{END}\n\nafter\n"
    assert with_part(page, "new") == page.replace("old", "new")
    assert with_part(page, "old") == page
