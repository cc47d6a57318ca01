"""What is not structure is found again in rendered files: of each example, on each platform."""

import pytest
import yaml
from tests.longer import LARGE
from tests.unit.adopt.examples import EXAMPLES, compiled, example, network, rendered, tree_of
from tests.unit.adopt.forgetting import forgotten, lifted
from tests.unit.jobs.sites import SITE, changed

from fabricgen.importer.sections import sections
from fabricgen.importer.tree import without
from fabricgen.nos.registry import platforms


@pytest.mark.parametrize("platform", [None, *platforms()])
@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - LARGE))
def test_an_example_comes_back_and_is_no_longer(name: str, platform: str | None) -> None:
    tree = tree_of(name)
    if not compiled(tree, platform).ok:
        pytest.skip("the platform cannot carry it")
    again = sections(example(name, platform), lifted(forgotten(tree), platform))
    assert rendered(again) == rendered(tree, platform)
    assert values(without(again, "site", "accept_unsupported")) <= values(tree)


def test_queues_of_rails_are_no_classes_of_tenants() -> None:
    """Rails have VRFs of jobs. Without pauses and marks, their queues resemble a frontend's."""
    tree = yaml.safe_load(changed({"pfc: false": "pfc: false, ecn: {enabled: false}"}, SITE))
    again = sections(network(*rendered(tree)), lifted(forgotten(tree), None))
    assert "classes" not in again["backend"]
    assert compiled(again).ok


def values(words: object) -> int:
    """Return how many values a tree has."""
    if isinstance(words, dict):
        return sum(map(values, words.values())) or 1
    return sum(map(values, words)) if isinstance(words, list) else 1
