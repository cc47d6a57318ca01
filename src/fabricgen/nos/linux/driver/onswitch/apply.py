"""A set of files in; the switch running them, in the order of a boot, or what went wrong, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.nos.linux.driver.onswitch import (
    disk,
    frr,
    hidden,
    interfaces,
    kernel,
    services,
    tree,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Outcome(NamedTuple):
    """problems: why the files do not run. said: what was left out, and why."""

    problems: list[str]
    said: list[str]


def apply(after: tree.Tree, touched: list[str], facts: Mapping[str, Any]) -> Outcome:
    """Make a candidate run; the first step with a problem is the last."""
    tree.lay(after, touched)
    said: list[str] = []
    for step in (_kernel, _interfaces, _unit, _routing, _readers):
        problems, remarks = step(touched, facts)
        said += remarks
        if problems:
            return Outcome(problems, said)
    return Outcome(residue(touched, facts), said)


def residue(touched: list[str], facts: Mapping[str, Any]) -> list[str]:
    """Return what of the files does not run although every step went well."""
    return _routing_residue() + _interface_residue(touched, facts)


def _interface_residue(touched: list[str], facts: Mapping[str, Any]) -> list[str]:
    if interfaces.CONF not in touched:
        return []
    wrong = sorted(interfaces.failures() - set(facts["failures"]))
    return wrong + [
        f"{name} is there, and no stanza of /{interfaces.CONF} names it"
        for name in sorted(_strays() - set(facts["strays"]))
    ]


def _routing_residue() -> list[str]:
    where = disk.place(frr.CONF)
    left = frr.difference(where) if where.exists() else []
    return [f"FRR did not take: {hidden.hide(frr.CONF, line)}" for line in left]


def _strays() -> set[str]:
    file = disk.read(interfaces.CONF)
    return interfaces.strays("" if file is None else file.data.decode())


def _texts(paths: Iterable[str]) -> list[str]:
    files = [disk.read(path) for path in paths if path.startswith(kernel.FOLDER)]
    return [file.data.decode() for file in files if file is not None]


def _kernel(touched: list[str], facts: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    del facts
    return kernel.put(kernel.settings(_texts(touched)))


def _interfaces(touched: list[str], facts: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    problems, said = services.before_interfaces(touched)
    if interfaces.CONF not in touched or problems:
        return problems, said
    wrong = interfaces.reload()
    if wrong:
        return [wrong], said
    # ifreload takes down what its own record of the last run has, and that may be lost.
    for name in _strays() - set(facts["strays"]):
        interfaces.delete(name)
    return [], said


def _unit(touched: list[str], facts: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    del facts
    return services.unit(touched)


def _routing(touched: list[str], facts: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Let FRR reload, also when only what it runs has been changed and not its file."""
    del facts
    problems = services.daemons(touched)
    if problems or (frr.CONF not in touched and not _routing_residue()):
        return problems, []
    wrong = frr.reload() if disk.place(frr.CONF).exists() else ""
    return [wrong] if wrong else [], []


def _readers(touched: list[str], facts: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    del facts
    return services.readers(touched)


def restore(kept: tree.Tree, facts: Mapping[str, Any]) -> list[str]:
    """Put back what a checkpoint has; what of it does not run comes back.

    Every step is tried, whatever the one before it said: as much as can be is to run again.
    """
    touched = facts["touched"]
    tree.lay(kept, touched)
    problems, _ = kernel.put(facts["kernel"])
    for step in (_interfaces, _unit):
        problems += step(touched, facts)[0]
    if facts["running"] is None:
        problems += _routing(touched, facts)[0]
        return problems + _readers(touched, facts)[0] or residue(touched, facts)
    problems += services.daemons(touched) + _unsaved(kept, facts["running"])
    return problems + _readers(touched, facts)[0] + _interface_residue(touched, facts)


def _unsaved(kept: tree.Tree, running: str) -> list[str]:
    """Let FRR run again what was in no file; its file goes back as it was.

    It lies there meanwhile: frr-reload.py would rewrite frr.conf after any other file.
    """
    disk.write(frr.CONF, disk.File(running.encode()))
    wrong = frr.reload()
    left = [wrong] if wrong else _routing_residue()
    tree.lay(kept, [frr.CONF])
    return left
