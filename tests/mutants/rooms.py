"""A module of fabricgen in; its room, and the tests directly related to it, nearest first, out.

Nearest are the tests that are named after the module and those that import it; then the folder
that mirrors its room; then what looks at the whole: golden files, ledger, properties.
"""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "src/fabricgen/"
HOUSE = "house"
"""The room of the modules that stand in no room."""

# Where a room's tests stand, when it is not tests/<room> or tests/unit/<room>: longest prefix wins.
# A file, rather than a folder, is about each of these modules: it is among the nearest.
HOMES: dict[str, tuple[str, ...]] = {
    "nos/containerlab.py": ("tests/unit/reports",),
    "nos/eos/containerlab.py": ("tests/unit/reports",),
    "nos/linux/containerlab.py": ("tests/unit/reports",),
    "nos/sonic/containerlab.py": ("tests/unit/reports",),
    "nos/eos/driver": ("tests/deploy/eapi",),
    "nos/sonic/driver": ("tests/unit/nos/sonic", "tests/deploy/sonic"),
    "nos/linux/driver": ("tests/unit/nos/linux", "tests/unit/nos/shared"),
    "nos/linux/show": ("tests/unit/proof/state",),
    "nos/shared/frr": ("tests/nos/frr", "tests/nos/linux", "tests/nos/sonic", "tests/nos"),
    "nos/shared/onswitch": ("tests/unit/nos/shared", "tests/unit/nos/linux", "tests/deploy/sonic"),
    "nos/shared/driver.py": ("tests/unit/nos/shared/test_driver.py", "tests/deploy/sonic"),
    "nos/shared/ssh.py": ("tests/deploy/sonic",),
    "nos/shared": ("tests/unit/nos/shared", "tests/nos", "tests/unit/proof"),
    "nos/registry.py": ("tests/nos", "tests/outside/test_toy_platform.py"),
    "nos/lowering.py": ("tests/nos", "tests/outside/test_toy_platform.py"),
    "nos": ("tests/nos", "tests/unit/proof"),
    "core/tree": ("tests/unit/proof", "tests/nos", "tests/unit/output"),
    "compile/render.py": ("tests/unit/test_render.py", "tests/nos", "tests/cli"),
    "core/workers.py": ("tests/unit/test_workers.py", "tests/cli/test_render_again.py"),
    "core/record.py": ("tests/unit/test_record.py",),
    "compile/attached": ("tests/unit/test_attached.py", "tests/unit/lab", "tests/unit/reports"),
    "compile/sandbox.py": ("tests/outside/test_own_templates.py",),
    "compile/template_limits.py": ("tests/hostile/test_own_templates.py",),
    "core/own_templates.py": ("tests/outside/test_own_templates.py",),
    "core/extensions.py": ("tests/outside",),
    "core/units.py": ("tests/unit/test_units.py",),
    "core/diagnostics.py": ("tests/unit/test_diagnostics.py",),
    "core/json_text.py": ("tests/unit/test_json_text.py",),
    "__main__.py": ("tests/cli/test_main.py",),
    "__init__.py": ("tests/cli/test_main.py",),
    "compile/checks/registry.py": ("tests/outside/test_checks.py", "tests/unit/checks"),
    "intent/model": ("tests/unit/intent/test_reference.py", "tests/unit/intent"),
    "nos/hosts": ("tests/nos/test_risk.py", "tests/nos/test_shared_views.py"),
    "model/fabric": ("tests/unit/fabric", "tests/unit/design", "tests/unit/checks"),
    "model/catalog": ("tests/unit/catalog", "tests/unit/design", "tests/unit/lossless"),
    "compile/reports": ("tests/unit/reports", "tests/cli"),
    "operate": ("tests/deploy",),
    "operate/export": ("tests/unit/reports", "tests/cli"),
    "plan": ("tests/unit/plant", "tests/unit/reports", "tests/unit/sizing", "tests/cli"),
    "model/cabling": ("tests/unit/plant", "tests/unit/design"),
    "prove/audit": ("tests/unit/judge",),
    "prove/foreign": ("tests/unit/judge", "tests/unit/adopt"),
    "prove/failures": ("tests/unit/survive",),
    "prove/walk": ("tests/unit/reach",),
    "prove": ("tests/unit/proof",),
    "importer": ("tests/unit/adopt",),
    "cli": ("tests/cli", "tests/deploy/verbs"),
}
# Tests whose names say what they ask, where the modules that answer have other names.
_IMPORTER: dict[str, str] = {
    "test_tenants": (
        "attachments border edge external_interfaces routed_ports seats segments tenant_numbers"
    ),
    "test_sections": "balancing beside choices classes queues roce sound underlay",
    "test_structure": "access cabled draft evpn parts plugs proposed rails routed",
    "test_server_names": "kinds_of_servers",
    "test_stocked": "racks",
    "inventory/test_read": "inventory/cells inventory/joined inventory/kinds inventory/rest",
    "test_edits": "lines pins",
    "test_states": "pins",
    "test_own_places": "lines places",
    "test_round_trip": "descriptions",
    "test_traces": "findings",
    "test_verb": "findings proposed sections",
}
_CHECKS: dict[str, str] = {
    "unit/checks/test_warnings": "redundancy",
    "unit/checks/test_mtu": "tunnels",
    "unit/plant/test_copper": "plant",
    "unit/plant/test_fibers": "plant",
    "unit/design/test_services": "clocks",
    "cli/test_sites": "across",
}
ABOUT: dict[str, frozenset[str]] = {
    f"tests/{folder}{test}.py": frozenset(f"{room}/{name}.py" for name in names.split())
    for folder, room, tests in (
        ("unit/adopt/", "importer", _IMPORTER),
        ("", "compile/checks", _CHECKS),
        ("unit/design/", "model/fabric", {"test_diagnostics": "vrfs", "test_firewalls": "vrfs"}),
    )
    for test, names in tests.items()
}
NOT_ASKED = ("tests/mutants/", "tests/architecture/", "tests/lab/", "tests/ci/")
"""Tests of the text of sources, and tests that take minutes each: they boot or install."""
NOT_MUTATED = (
    "operate/lab/engine/",
    "operate/lab/machine/",
    "operate/lab/supervisor.py",
    "operate/lab/client.py",
    "operate/lab/channel.py",
)
"""What runs a booted lab: tests/lab alone sees it at work."""
GOLDEN = ("tests/ledger", "tests/golden", "tests/diagnostics")
"""Seconds, and they see every line of six sites."""
SLOW = (
    "tests/deploy/fakes/test_killed.py",
    "tests/deploy/fakes/test_push.py",
    "tests/deploy/journal/test_processes.py",
    "tests/unit/hosts/test_scripts.py",
    "tests/unit/lossless/test_incast.py",
    "tests/unit/checks/test_deadlock_brute.py",
    "tests/unit/proof/qos/test_mutations.py",
    "tests/property/test_batches.py",
)
"""Files that take 5 CPU seconds and more: the last to be asked of all."""
NEAREST = 6
"""So many files are asked alone, before the golden files are."""
# What else sees a room at work, besides its own tests and those that import it.
FAR: dict[str, tuple[str, ...]] = {
    "operate/deploy": ("tests/deploy/verbs", "tests/deploy/fakes"),
    "compile/output": ("tests/cli", "tests/deploy/verbs"),
    "cli": ("tests/diagnostics", "tests/hostile"),
    "nos": ("tests/keys",),
    "nos/hosts": ("tests/keys",),
    "compile/reports": ("tests/cli",),
    "intent": ("tests/cli", "tests/property", "tests/hostile"),
    "model/fabric": ("tests/property",),
    "compile/design": ("tests/designs", "tests/property"),
    "compile/compiler.py": ("tests/cli", "tests/property"),
}
NOT_COMPILED = ("cli", "operate", "prove", "compile/output")
"""Rooms that no golden file shows at work."""


def modules() -> list[str]:
    """Return the path of every module that is mutated, as git spells it."""
    every = (path.relative_to(ROOT).as_posix() for path in (ROOT / PACKAGE).rglob("*.py"))
    left = tuple(PACKAGE + place for place in NOT_MUTATED)
    return sorted(path for path in every if not path.startswith(left))


def room_of(module: str) -> str:
    """Return the room of a module: a folder in a wing, or a wing without folders."""
    *parts, name = module.removeprefix(PACKAGE).split("/")
    if len(parts) == 1 and name == "__init__.py":
        return HOUSE
    wide = parts[:1] if parts[:1] in (["cli"], ["importer"], ["intent"]) else parts[:2]
    return "/".join(wide) or HOUSE


def stages(module: str) -> list[list[str]]:
    """Return the test files for a module: the nearest, the golden ones, and all the others."""
    place = module.removeprefix(PACKAGE)
    room = room_of(module)
    home = _home(place)
    own = [file for file in home if file.endswith(".py")]
    near = sorted(
        (
            file
            for file in _test_files()
            if file in own or _named_after(file, place) or _imports(file, module)
        ),
        key=lambda file: (
            not _named_after(file, place),
            file not in _under(home),
            len(_needs(file)),
            file,
        ),
    )
    near.sort(key=lambda file: file in SLOW)
    golden = [] if room.startswith(NOT_COMPILED) or "/driver/" in place else _under(GOLDEN)
    rest = [*near[NEAREST:], *_under(home), *_under(FAR.get(room, ()))]
    rest.sort(key=lambda file: file in SLOW)
    return [group for group in _each_once([near[:NEAREST], golden, rest]) if group]


@cache
def _under(places: tuple[str, ...]) -> list[str]:
    """Return the files that are, or are under, some places; place by place."""
    return [
        file
        for place in places
        for file in _test_files()
        if file == place or file.startswith(f"{place}/")
    ]


def _each_once(groups: list[list[str]]) -> list[list[str]]:
    seen: set[str] = set()
    once = []
    for group in groups:
        once.append([file for file in dict.fromkeys(group) if file not in seen])
        seen |= set(group)
    return once


@cache
def _home(place: str) -> tuple[str, ...]:
    """Return the folders that mirror a module's room."""
    mirrored = []
    parts = place.split("/")
    for size in range(len(parts), 0, -1):
        folder = "/".join(parts[:size])
        if size < len(parts):
            mirrored += [f"tests/unit/{folder}", f"tests/{folder}"]
            _, _, inside = folder.partition("/")  # tests of model/fabric are in tests/unit/fabric
            mirrored += [f"tests/unit/{inside}", f"tests/{inside}"] if inside else []
        if folder in HOMES:
            mirrored += HOMES[folder]
            break
    return tuple(mirrored)


def _named_after(file: str, place: str) -> bool:
    """Tell whether a test says so: test_vnis_of_sites.py in unit/checks is about vnis.py."""
    if place in ABOUT.get(file, ()):
        return True
    folder, _, name = place.removesuffix(".py").rpartition("/")
    if name == "__init__":
        folder, _, name = folder.rpartition("/")
    test = file.rpartition("/")[2].removesuffix(".py")
    if test != f"test_{name}" and not test.startswith(f"test_{name}_"):
        return False
    rooms = folder.split("/")[:2]
    return any(f"/{room}/" in file for room in rooms) or file in _under(_home(place))


@cache
def _test_files() -> list[str]:
    files = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py"))
    return [file for file in files if not file.startswith(NOT_ASKED)]


def _imports(file: str, module: str) -> bool:
    name = module.removeprefix("src/").removesuffix(".py").replace("/", ".")
    return name.removesuffix(".__init__") in _needs(file)


@cache
def _needs(file: str) -> frozenset[str]:
    """Return every module of fabricgen that a test file imports, through its own support too."""
    names: set[str] = set()
    seen: set[str] = set()
    wanted = [file, *_conftests(file)]
    while wanted:
        path = wanted.pop()
        if path in seen or not (ROOT / path).is_file():
            continue
        seen.add(path)
        for name in _imported(path):
            if name.startswith("tests."):
                wanted.append(name.replace(".", "/") + ".py")
            elif name.startswith("fabricgen"):
                names.add(name)
    return frozenset(names)


def _conftests(file: str) -> list[str]:
    parts = file.split("/")[:-1]
    folders = ["/".join(parts[:size]) for size in range(2, len(parts) + 1)]
    return [f"{folder}/conftest.py" for folder in folders]


@cache
def _imported(file: str) -> frozenset[str]:
    """Return the dotted names in a file's imports; `from a import b` may name a module or not."""
    names = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)
