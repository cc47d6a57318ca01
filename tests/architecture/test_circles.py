"""No module imports itself by way of others, neither inside a function nor for a type."""

from tests.architecture.import_graph import Import, all_imports, find_circles


def imported(importer: str, name: str) -> Import:
    return Import(importer=importer, imported=name, line=1, typing=False, guards=frozenset())


def test_a_circle_is_found() -> None:
    chain = [imported("a", "b"), imported("b", "c"), imported("c", "d")]
    assert find_circles(chain) == []
    assert find_circles([*chain, imported("c", "a")]) == [("a", "b", "c")]
    assert find_circles([*chain, imported("d", "c"), imported("b", "a")]) == [
        ("a", "b"),
        ("c", "d"),
    ]


def test_no_modules_import_one_another() -> None:
    assert find_circles(all_imports()) == []
