"""What the operator's side asks in, one answer out."""

from __future__ import annotations

import difflib
import json
import shutil
import socket
import sys
from typing import TYPE_CHECKING, Any

from fabricgen.nos.linux.driver.onswitch import (
    checkpoints,
    commit,
    disk,
    frr,
    hidden,
    interfaces,
    state,
    tree,
)
from fabricgen.nos.linux.driver.onswitch.refusal import CANDIDATE, COMMIT, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from pathlib import Path

_NAME = "etc/hostname"
SAVED = f"{frr.CONF}.saved"


def main(ask: Mapping[str, Any]) -> None:
    """Do one thing, and answer it as one JSON document."""
    words = dict(ask)
    try:
        answer = {"ok": OPERATIONS[words.pop("do")](**words)}
    except Refusal as refusal:
        answer = {"refused": str(refusal), "kind": refusal.kind}
    except OSError as error:
        answer = {"refused": str(error), "kind": "fault"}
    sys.stdout.write(json.dumps(answer))


def claim(plan: str, who: str, over: Collection[str] = ()) -> None:
    """Take the switch for a plan, over the claims of dead ones."""
    state.claim(checkpoints.checked(plan), who, over)
    shutil.rmtree(_candidate(), ignore_errors=True)


def _candidate() -> Path:
    return state.passing() / "candidate"


def load(plan: str | None, files: Mapping[str, str], executable: list[str]) -> None:
    """Take files as the candidate, when FRR and ifupdown2 can read them and they are ours."""
    state.touch(plan)
    made = {path: disk.File(text.encode(), runs=path in executable) for path, text in files.items()}
    for path, text in files.items():
        disk.place(path)
        if hidden.unresolved(text):
            raise Refusal(CANDIDATE, f"{path} has {hidden.unresolved(text)} instead of a value")
    _judge_name(files)
    _judge(made)
    tree.store(_candidate(), tree.Tree(made, sorted(made)), {})


def _judge_name(files: Mapping[str, str]) -> None:
    own = socket.gethostname()
    names = {files[_NAME].strip()} if _NAME in files else set()
    for line in files.get(frr.CONF, "").splitlines():
        if line.startswith("hostname "):
            names.add(line.split()[1])
    for name in sorted(names - {own, own.partition(".")[0]}):
        raise Refusal(CANDIDATE, f"the configuration is that of {name}; this switch is {own}")


def _judge(files: Mapping[str, disk.File]) -> None:
    """Let the switch's own programs read what they will be given."""
    where = state.passing() / "judged"
    for path, said in ((frr.CONF, "FRR"), (interfaces.CONF, "ifupdown2")):
        if path not in files:
            continue
        data = files[path].data
        disk.replace(where, data)
        wrong = frr.judge(where) if path == frr.CONF else interfaces.judge(where, data.decode())
        where.unlink()
        if wrong:
            raise Refusal(CANDIDATE, f"{said} refuses {path}: {wrong}")


def load_checkpoint(plan: str | None, of: str) -> None:
    """Take what ran before a plan as the candidate."""
    state.touch(plan)
    tree.store(_candidate(), checkpoints.as_candidate(of), {})


def _loaded() -> tree.Tree:
    found = tree.stored(_candidate())
    if found is None:
        raise Refusal(COMMIT, "no candidate is loaded")
    return found[0]


def config() -> dict[str, Any]:
    """Return what runs, secrets as tokens: files, and FRR as it says itself if its file does not.

    A candidate that runs is said as it was written, so that both can be compared.
    """
    now = tree.running().files
    texts = {path: hidden.hide(path, _text(file)) for path, file in now.items()}
    if frr.CONF in now and frr.difference(disk.place(frr.CONF)):
        texts[SAVED] = texts[frr.CONF]
        texts[frr.CONF] = hidden.hide(frr.CONF, frr.running())
    return {"files": texts, "executable": [path for path, file in now.items() if file.runs]}


def candidate() -> dict[str, Any]:
    """Return the files as they would be with the candidate, secrets as tokens.

    A file that fabricgen never wrote is not removed, so it is there on both sides.
    """
    found = tree.stored(_candidate())
    if found is None:
        return {"files": {}, "executable": []}
    now = tree.running()
    kept = now.files if now.managed is None else {}
    files = {**kept, **found[0].files}
    texts = {path: hidden.hide(path, _text(file)) for path, file in files.items()}
    return {"files": texts, "executable": [path for path, file in files.items() if file.runs]}


def compare() -> str:
    """Return what a commit of the candidate would change; empty when nothing."""
    after, before = _loaded(), tree.running()
    parts = [
        _difference(path, before.files.get(path) or disk.read(path), after.files.get(path))
        for path in tree.changed(before, after)
        if path != frr.CONF
    ]
    return "".join(_routing(after) + parts)


def _routing(after: tree.Tree) -> list[str]:
    """Return what FRR would change; where that is nothing, how its file would."""
    file, there = after.files.get(frr.CONF), disk.read(frr.CONF)
    if file is not None:
        where = state.passing() / "compared"
        disk.replace(where, file.data)
        found = frr.difference(where)
        where.unlink()
        if found:
            text = hidden.hide(frr.CONF, "\n".join(found))
            return [f"--- running {frr.CONF}\n+++ candidate {frr.CONF}\n{text}\n"]
    if frr.CONF not in tree.changed(tree.running(), after):
        return []
    return [_difference(frr.CONF, there, file)]


def _difference(path: str, before: disk.File | None, after: disk.File | None) -> str:
    old, new = (
        [] if file is None else hidden.hide(path, _text(file)).splitlines()
        for file in (before, after)
    )
    names = (f"running {path}", f"candidate {path}")
    found = list(difflib.unified_diff(old, new, *names, lineterm="", n=2))
    if not found:
        found = [f"--- {names[0]}", f"+++ {names[1]}"]
    if before is not None and after is not None and before.runs != after.runs:
        found.append("+ executable" if after.runs else "- executable")
    return "\n".join(found) + "\n"


def _text(file: disk.File) -> str:
    return file.data.decode(errors="backslashreplace")


def discard(plan: str | None) -> None:
    """Forget the plan's candidate; give its claim up when nothing is pending."""
    with state.locked():
        if state.holder().get("plan") != plan:
            return
        shutil.rmtree(_candidate(), ignore_errors=True)
        if state.unfinished() is None:
            state.release()


def start(plan: str | None, message: str, revert_in: int | None) -> None:
    """Begin a commit of the candidate."""
    holder, loaded = state.touch(plan), _loaded()
    if state.unfinished() is not None:
        raise Refusal(COMMIT, "a commit waits to be confirmed; confirm it or roll it back first")
    commit.start(holder, state.holder()["who"], message, revert_in, loaded)


def facts() -> dict[str, Any]:
    """Return what tells this switch from others."""

    def said(path: str) -> str:
        try:
            return (disk.ROOT / path).read_text(errors="replace").strip("\0\n ")
        except OSError:
            return ""

    return {
        "hostname": socket.gethostname(),
        "uptime": float(said("proc/uptime").split()[0]),
        "vendor": said("sys/class/dmi/id/sys_vendor"),
        "model": said("sys/class/dmi/id/product_name"),
        "serial_number": said("sys/class/dmi/id/product_serial"),
        "debian": said("etc/debian_version"),
        "interfaces": sorted(each.name for each in (disk.ROOT / "sys/class/net").glob("*")),
    }


OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "claim": claim,
    "load": load,
    "load_checkpoint": load_checkpoint,
    "config": config,
    "candidate": candidate,
    "compare": compare,
    "discard": discard,
    "start": start,
    "watch": commit.watch,
    "confirm": commit.confirm,
    "roll_back": commit.roll_back,
    "unfinished": state.unfinished,
    "facts": facts,
}
