"""STAND-IN, not SONiC: the programs a switch has, as far as the driver calls them.

Called by their own names through links. CONFIG_DB is a real Redis; the updater has the semantics of
sonic-utilities generic_config_updater: change by change, nothing undone when one fails, no lock, no
empty tables. What was called is written down, and a file of faults says what goes wrong.
"""

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from tests.deploy.sonic.standin.patching import PatchError, applied, words
from tests.deploy.sonic.standin.redis import Redis, read, store
from tests.deploy.sonic.standin.vtysh import applied as told

HOME = Path(os.environ["STANDIN"])
ETC = Path("/etc/sonic")
FRR, RUNNING = ETC / "frr/frr.conf", HOME / "running.conf"
RELOADER = "/usr/lib/frr/frr-reload.py"
# gu_common.py validate_field_operation
ILLEGAL = ("/PFC_WD/GLOBAL/POLL_INTERVAL", "/PFC_WD/GLOBAL", "/LOOPBACK_INTERFACE/Loopback0")
SERVICES = ("bgp.service", "swss.service", "syncd.service", "teamd.service")  # of sonic.target
STOPPED = HOME / "stopped"  # services that do not run
BACKEND = ("BUFFER_PG", "BUFFER_PROFILE", "FLEX_COUNTER_TABLE")  # change_applier.py


def fault(name: str) -> Any:
    """Return what is to go wrong, None when it is not."""
    path = HOME / "faults.json"
    return json.loads(path.read_text()).get(name) if path.exists() else None


def fail(text: str, status: int = 1) -> int:
    """Complain."""
    sys.stderr.write(f"Error: {text}\n")
    return status


def database() -> Redis:
    """Connect to CONFIG_DB."""
    return Redis(str(HOME / "redis.sock"))


def steps_between(before: dict[str, Any], after: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a change for each entry, as `config replace` finds them."""
    return [
        {"table": table, "row": row, "fields": after.get(table, {}).get(row)}
        for table in sorted({*before, *after})
        for row in sorted({*before.get(table, {}), *after.get(table, {})})
        if before.get(table, {}).get(row) != after.get(table, {}).get(row)
    ]


def refused(before: dict[str, Any], steps: list[dict[str, Any]]) -> tuple[dict[str, Any], str]:
    """Return what a patch leads to, and why the updater does not begin it."""
    try:
        after = applied(before, steps)
    except PatchError as error:
        return before, str(error)
    empty = [table for table, rows in after.items() if not rows]
    if empty:
        return after, f"EmptyTableError: {', '.join(empty)}"
    illegal = [step["path"] for step in steps if step["op"] == "remove" and step["path"] in ILLEGAL]
    return after, f"Operation: remove is illegal on field: {illegal[0]}" if illegal else ""


def change(changes: list[dict[str, Any]], target: dict[str, Any], verb: str) -> int:
    """Write entry by entry; after the last one look whether everything is as it should be."""
    stop, lie, slow = fault(f"{verb}-fails-after"), fault(f"{verb}-lies"), fault(f"{verb}-slow")
    db = database()
    for count, one in enumerate(changes):
        if stop is not None and count >= stop:
            return fail(f"change {count} of {one['table']}|{one['row']} failed")
        if lie and count == len(changes) - 1:
            return 0
        store(db, [(one["table"], one["row"], one["fields"])])
        time.sleep(slow or 0)
    now = read(db)
    for table in BACKEND:
        now.pop(table, None)
        target.pop(table, None)
    return 0 if now == target else fail("there are still some parts not updated")


def apply_patch(arguments: list[str]) -> int:
    """Do `config apply-patch [--dry-run] FILE`."""
    before = read(database())
    steps = json.loads(Path(arguments[-1]).read_text())
    after, reason = refused(before, steps)
    if fault("refuses"):
        reason = f"{fault('refuses')} {words(steps[0]['path'])}"
    if fault("illegal"):
        reason = f"Modification of {fault('illegal')} table is illegal- validating function"
    if reason:
        return fail(reason, 2)
    if "--dry-run" in arguments:
        return 0
    return change(steps_between(before, after), after, "apply")


def config(arguments: list[str]) -> int:
    """Do the verbs of the updater, and `config save`."""
    verb = arguments[0]
    if verb == "apply-patch":
        return apply_patch(arguments)
    if verb == "save":
        if fault("save-fails"):
            return fail("no space left on device")
        (ETC / "config_db.json").write_text(json.dumps(read(database())))
        return 0
    if verb == "replace":
        before, after = read(database()), json.loads(Path(arguments[1]).read_text())
        return change(steps_between(before, after), after, "replace")
    if verb == "reload":
        return reload(Path(arguments[-1]), force="-f" in arguments)
    return fail(f"the stand-in knows no config {verb}")


def reload(file: Path, *, force: bool) -> int:
    """Do `config reload -y [-f] FILE`: stop all, empty, load, start all (config/main.py)."""
    if STOPPED.exists() and not force:
        return fail("SwSS container is not ready. Retry later or use -f to avoid system checks")
    if fault("reload-refuses"):  # from 202505 on, before anything is stopped
        return fail(f"{file} fails YANG validation! Error: {fault('reload-refuses')}\nAborted!")
    tables = json.loads(file.read_text())
    STOPPED.write_text("\n".join(SERVICES))
    if fault("reload-cuts"):
        cut_off()
    db = database()
    db("FLUSHDB")
    if fault("reload-dies") and not force:
        return fail("the program ended")
    time.sleep(fault("reload-slow") or 0)
    store(db, [(table, row, of) for table, rows in tables.items() for row, of in rows.items()])
    start()
    if state := fault("port-comes"):
        port = {"Ethernet0": {"STATE": "U" if force else state}}
        (HOME / "answers/portstat -j").write_text(json.dumps(port))
    return 0


def start() -> None:
    """Start all services, of which one may stay down; the container bgp reads its file."""
    dead = fault("stays-down")
    STOPPED.write_text(dead) if dead else STOPPED.unlink()
    RUNNING.write_text(FRR.read_text() if FRR.exists() else "")


def cut_off() -> None:
    """End every SSH session, as eth0 does when it is restarted: sshd but for its first process."""
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (path / "cmdline").read_bytes()
            if words.startswith((b"sshd:", b"sshd-session")) and b"[listener]" not in words:
                os.kill(int(path.name), signal.SIGKILL)


def docker(arguments: list[str]) -> int:
    """Do `docker exec CONTAINER …`."""
    container, program = arguments[1:3]
    rest = arguments[3:]
    if program == "vtysh" and "-f" in rest:
        return tell(Path(rest[-1]).read_text(), try_only="-C" in rest)
    if program == "vtysh" and "configure terminal" in rest:
        return tell("".join(f"{line}\n" for line in rest[3:-2] if line != "-c"), try_only=False)
    if program == "test":
        return 0 if fault("has-reload") else 1
    if program == "python3":
        RUNNING.write_text(Path(rest[-1]).read_text())
        return 0
    if rest == ["-c", "show running-config no-header"]:
        return say(RUNNING)
    return say(HOME / "answers" / f"{container} {program} {' '.join(rest)}")


def tell(commands: str, *, try_only: bool) -> int:
    """Do `vtysh -f`, or look at the words only."""
    if "nonsense" in commands:
        return fail("line 2: % Unknown command: nonsense", 2)
    if fault("vtysh-refuses") and not try_only:
        return fail("line 1: % Configuration failed.", 2)
    if not try_only:
        RUNNING.write_text(told(RUNNING.read_text(), commands))
    return 0


def say(path: Path) -> int:
    """Print a prepared answer."""
    if not path.exists():
        return fail(f"{path.name} is not running")
    sys.stdout.write(path.read_text())
    return 0


def systemctl(arguments: list[str]) -> int:
    """Restart the container: it reads frr.conf, or deletes it (sonic-buildimage#27014)."""
    if arguments == ["list-dependencies", "--plain", "sonic.target"]:
        sys.stdout.write("sonic.target\n" + "".join(f"  {name}\n" for name in SERVICES))
    if arguments[0] == "is-active":
        stopped = STOPPED.read_text().split() if STOPPED.exists() else []
        words = ["inactive" if name in stopped else "active" for name in arguments[1:]]
        sys.stdout.write("".join(f"{word}\n" for word in words))
        return 3 if "inactive" in words else 0
    if arguments == ["restart", "bgp"]:
        if fault("restart-deletes"):
            FRR.unlink(missing_ok=True)
        RUNNING.write_text(FRR.read_text() if FRR.exists() else "")
    return 0


def cfggen(arguments: list[str]) -> int:
    """Do `sonic-cfggen -d --print-data`."""
    if arguments != ["-d", "--print-data"]:
        return fail(f"the stand-in knows no sonic-cfggen {arguments}")
    time.sleep(fault("read-slow") or 0)
    sys.stdout.write(json.dumps(read(database()), indent=4, sort_keys=True))
    return 0


def main() -> int:
    """Write down the call, do it, and write down its end."""
    call = " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])
    note(call)
    status = do(Path(sys.argv[0]).name, sys.argv[1:])
    note(f"{call} ended")
    return status


def note(line: str) -> None:
    """Add a line to what was called here."""
    with (HOME / "commands").open("a") as log:
        log.write(f"{line}\n")


def do(name: str, arguments: list[str]) -> int:
    """Do what a program of that name does."""
    known = {"config": config, "docker": docker, "systemctl": systemctl, "sonic-cfggen": cfggen}
    if name in known and arguments[:1] != ["ps"]:
        return known[name](arguments)
    return say(HOME / "answers" / " ".join([name, *arguments]))


if __name__ == "__main__":
    sys.exit(main())
