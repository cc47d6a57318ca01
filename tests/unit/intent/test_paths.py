"""From keys and places: that a path is taken where the schema has it, and refused where not."""

import pytest

from fabricgen.intent.paths import at, known


@pytest.mark.parametrize(
    "path",
    [
        ("site",),
        ("backend", "roce", "storage", "ecn", "minimum"),  # through a key that may be left out
        ("frontend", "leaf_groups", "any-name", "servers", "lag"),
        ("tenants", "red", "vrfs", "red", "external", "isp", "accept", 0),
        ("site", "management", "users", 3, "ssh_key"),
    ],
)
def test_a_place_of_the_schema_is_a_path(path: tuple[str | int, ...]) -> None:
    assert at(*path) == path
    assert known(path)


@pytest.mark.parametrize(
    "path",
    [
        ("overlay",),
        ("backend", "roce", "pfc", "enabled"),  # below a leaf
        ("frontend", "leaf_groups", 1),  # a mapping has names
        ("site", "management", "users", "admin"),  # a list has places
        ("tenants", "red", "vrfs", "red", "vlan"),
    ],
)
def test_no_other_path_is_cited(path: tuple[str | int, ...]) -> None:
    assert not known(path)
    with pytest.raises(LookupError):
        at(*path)


def test_a_refusal_names_the_nearest_key() -> None:
    with pytest.raises(LookupError, match=r"no 'bffd' in backend\.underlay; did you mean 'bfd'"):
        at("backend", "underlay", "bffd")
