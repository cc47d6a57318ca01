"""What every platform owes: an answer for each feature, parts that exist, one registry."""

from dataclasses import fields

import pytest

from fabricgen.cli.output import Platforms
from fabricgen.core.late import Late
from fabricgen.nos.features import Feature, Supported
from fabricgen.nos.registry import OURS, nos, platforms


def test_the_registry_names_every_platform() -> None:
    assert tuple(nos(name).name for name in OURS) == platforms() == Platforms().choices


def test_a_lab_boots_what_says_so() -> None:
    assert Platforms(bootable=True).choices == ("linux",)


def test_an_unknown_platform_is_named_beside_the_known_ones() -> None:
    with pytest.raises(LookupError, match=r"'ios'.*eos, sonic, linux"):
        nos("ios")


@pytest.mark.parametrize("name", OURS)
def test_every_feature_has_an_answer_in_words(name: str) -> None:
    for feature in Feature:
        answer = nos(name).capabilities[feature]
        said = answer.how if isinstance(answer, Supported) else answer.why
        assert said
        assert "\n" not in said


@pytest.mark.parametrize("name", OURS)
def test_every_late_part_can_be_imported(name: str) -> None:
    runs = nos(name)
    parts = {field.name: getattr(runs, field.name) for field in fields(runs)}
    late = {name: part for name, part in parts.items() if isinstance(part, Late)}
    assert late
    for part in late.values():
        assert part.load() is not None
