"""The limits of a site come from its intent; a bad one is an error at its place."""

import pytest
import yaml
from tests.keys.sites import SITES

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.model.settings.watching import WatchLimits


def _site(**limits: object) -> str:
    return yaml.safe_dump({**SITES["rails"], "watch": limits} if limits else SITES["rails"])


def test_a_site_without_limits_has_the_usual_ones() -> None:
    site = compile_site(load_texts({"site.yaml": _site()})).site
    assert site is not None
    assert site.limits is None


def test_a_limit_of_the_intent_replaces_one_limit() -> None:
    site = compile_site(load_texts({"site.yaml": _site(headroom_share=60)})).site
    assert site is not None
    assert site.limits == WatchLimits(headroom_share=60.0)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("paused_share", 0),
        ("headroom_share", 101),
        ("pauses", "many"),
        ("imbalance", 1),
        ("bit_errors", float("nan")),
        ("flap", 3),
    ],
)
def test_a_bad_limit_is_an_error_at_its_key(key: str, value: object) -> None:
    found = load_texts({"site.yaml": _site(**{key: value})})
    errors = [each for each in compile_site(found).findings if each.path[:1] == ("watch",)]
    assert [each.path for each in errors] == [("watch", key)]
    assert found.source.locate(("watch", key)) is not None
