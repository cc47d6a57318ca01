"""Apply a set of files to the switch in the order of a boot and report problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.nos.linux.driver.onswitch import bundles, early, files, interfaces, kernel, services
from fabricgen.nos.linux.driver.onswitch.files import FILES, FRR, FRR_CONF, hide
from fabricgen.nos.shared.onswitch import bound, disk, state
from fabricgen.nos.shared.onswitch.frr import ending
from fabricgen.nos.shared.onswitch.switch import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.nos.shared.onswitch.store import Tree


def apply(after: Tree, touched: list[str], facts: Mapping[str, Any]) -> Outcome:
    """Activate a candidate; the first step with a problem is the last."""
    held = early.held(after, touched)
    touched = sorted({*touched, *held})
    files.lay(after._replace(files={**after.files, **held}), touched)
    remarks: list[str] = []
    steps = (
        _kernel,
        _sessions,
        lambda paths: _interfaces(paths, facts),
        services.hostname,
        services.unit,
        _routing,
        lambda _: _open(after, held, facts),
        services.readers,
    )
    for step in steps:
        problems, left_out = step(touched)
        remarks += left_out
        if problems:
            return Outcome(problems, remarks)
    return Outcome(_residue(touched, facts), remarks)


def _residue(touched: list[str], facts: Mapping[str, Any]) -> list[str]:
    """Return the parts of the files that are not active although every step succeeded."""
    return _routing_residue() + _interface_residue(touched, facts)


def _interface_residue(touched: list[str], facts: Mapping[str, Any]) -> list[str]:
    if interfaces.CONF not in touched:
        return []
    wrong = sorted(interfaces.failures() - set(facts["failures"]))
    return wrong + [
        f"device {name} exists, but no stanza of /{interfaces.CONF} names it"
        for name in sorted(strays() - set(facts["strays"]))
    ]


def _routing_residue() -> list[str]:
    where = FILES.place(FRR_CONF)
    left = FRR.difference(where) if where.exists() else []
    return [f"FRR did not accept: {hide(FRR_CONF, line)}" for line in left]


def strays() -> set[str]:
    """Return the virtual devices that no stanza names."""
    file = FILES.read(interfaces.CONF)
    return interfaces.strays("" if file is None else file.text)


def _kernel(touched: list[str]) -> tuple[list[str], list[str]]:
    sources = [FILES.read(path) for path in touched if path.startswith(kernel.FOLDER)]
    return kernel.put(kernel.settings(file.text for file in sources if file is not None))


def _sessions(touched: list[str]) -> tuple[list[str], list[str]]:
    """Remove the sessions that move to another port; `_routing` adds them again."""
    file = FILES.read(interfaces.CONF) if interfaces.CONF in touched else None
    if file is None:
        return [], []
    wrong = bound.release(FRR, interfaces.homes(file.text))
    return [wrong] if wrong else [], []


def _interfaces(touched: list[str], facts: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    problems, remarks = services.before_interfaces(touched)
    if interfaces.CONF not in touched or problems:
        return problems, remarks
    file = FILES.read(interfaces.CONF)
    with bundles.moved(*bundles.moving("" if file is None else file.text)):
        wrong = interfaces.reload()
    if wrong:
        return [wrong], remarks
    # ifreload takes down the interfaces in its record of the last run, which may be lost.
    for name in strays() - set(facts["strays"]):
        interfaces.delete(name)
    return [], remarks


def _open(
    after: Tree, held: Mapping[str, disk.File], facts: Mapping[str, Any]
) -> tuple[list[str], list[str]]:
    """Open the server ports that were held shut, once the fabric is up."""
    if not held:
        return [], []
    late = early.settled()
    files.lay(after, held)
    problems, remarks = _interfaces([*held], facts)
    if not problems:
        problems, more = _routing([*held])
        remarks += more
    return problems, late + remarks


def _routing(touched: list[str], *, back: bool = False) -> tuple[list[str], list[str]]:
    """Reload FRR, also if only its running configuration changed and not its file."""
    problems = services.daemons(touched)
    if problems or (FRR_CONF not in touched and not _routing_residue()):
        return problems, []
    return _reload(back=back)


def _reload(*, back: bool) -> tuple[list[str], list[str]]:
    """Activate frr.conf; return problems and remarks.

    With another ASN, the old BGP ends and the new one is configured at once, because its sessions
    are down until then and a reload takes seconds. bgpd of FRR 8.4.4 sometimes crashes during that,
    and without bgpd a reload reports nothing. In that case, and always in an undo, a failure
    restarts all daemons. Then a reload follows, because bgpd may miss the RD of a VNI that zebra
    reports during the start (seen).
    """
    file = FILES.read(FRR_CONF)
    if file is None:
        return [], []
    ended = ending(FRR.running(), file.text)
    problems = _begun(ended, file.text) or _reloaded()
    if not (ended or back):
        return problems, []
    problems = problems or _routing_residue()
    if not problems:
        return [], []
    if again := services.restart() or _reloaded() or _routing_residue():
        return list(dict.fromkeys([*problems, *again])), []
    return [], [f"FRR was restarted: {problems[0]}"]


def _begun(ended: list[str], text: str) -> list[str]:
    """End the BGP of a removed ASN, if any, and run all commands of FRR's file."""
    if not ended:
        return []
    with disk.temporary_file(
        state.passing() / "begun", "\n".join([*ended, text]).encode()
    ) as where:
        wrong = FRR.tell(where)
    return [wrong] if wrong else []


def _reloaded() -> list[str]:
    wrong = FRR.reload(FILES.place(FRR_CONF))
    return [wrong] if wrong else []


def unsaved() -> str | None:
    """Return FRR's running configuration if it differs from its file."""
    where = FILES.place(FRR_CONF)
    return None if where.exists() and not FRR.difference(where) else FRR.running()


def restore(kept: Tree, facts: Mapping[str, Any]) -> list[str]:
    """Restore a checkpoint; return the parts that fail.

    Every step is tried, whatever the result of the previous one, to restore as much as possible.
    """
    touched = facts["touched"]
    files.lay(kept, touched)
    problems = kernel.put(facts["kernel"])[0] + _sessions(touched)[0]
    problems += _interfaces(touched, facts)[0] + services.hostname(touched)[0]
    problems += services.unit(touched)[0]
    if facts["running"] is None:
        problems += _routing(touched, back=True)[0] + services.readers(touched)[0]
        return problems or _interface_residue(touched, facts)
    problems += services.daemons(touched) + _run_unsaved(kept, facts["running"])
    return problems + services.readers(touched)[0] + _interface_residue(touched, facts)


def _run_unsaved(kept: Tree, running: str) -> list[str]:
    """Activate FRR's unsaved configuration again and restore its old file afterwards.

    Meanwhile the configuration is in that file: frr-reload.py would rewrite frr.conf after any
    other file.
    """
    FILES.write(FRR_CONF, disk.File(running.encode()))
    left, _ = _reload(back=True)
    files.lay(kept, [FRR_CONF])
    return left
