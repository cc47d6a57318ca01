"""Reads and validates the options in the folder inventory/."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from fabricgen.core.confined import read_file
from fabricgen.core.diagnostics import Code, Diagnostic, Position, did_you_mean
from fabricgen.intent.source import Marks, SourceMap, read_text
from fabricgen.intent.wording import finding, known_keys
from fabricgen.operate.deploy.connection import drivers, no_driver
from fabricgen.operate.deploy.inventory.options import Inventory, Options
from fabricgen.operate.deploy.targets import Target
from fabricgen.operate.deploy.team.policy import strangers

_FILES = {
    "defaults": "connection options for all switches",
    "groups": "connection options by platform or fabric",
    "hosts": "connection options by switch",
    "nornir": "parallel connections",
    "team": "who may change switches, and when",
    "notify": "receivers of push notifications",
}
_PATHS = ("key_file", "known_hosts", "ca_file", "folder")


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The inventory and its findings. policy: SHA-256 of team.yaml, if it contains rules."""

    folder: Path
    inventory: Inventory
    findings: tuple[Diagnostic, ...]
    source: SourceMap
    policy: str | None = None

    @property
    def passwords(self) -> frozenset[str]:
        """Return all references to login passwords."""
        inventory = self.inventory
        every = (inventory.defaults, *inventory.groups.values(), *inventory.hosts.values())
        return frozenset(each.password for each in every if each.password is not None)


def read_inventory(folder: Path, targets: Mapping[str, Target]) -> Read:
    """Read inventory/. A missing folder or file is not an error."""
    source, findings, data, policy = SourceMap(), list[Diagnostic](), {}, None
    for name in _FILES:
        path = folder / f"{name}.yaml"
        try:
            content = read_file(path)
            text = content.decode()
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            findings.append(Diagnostic(Code.UNREADABLE, f"{path}: {reason}"))
            continue
        if name == "team":
            policy = hashlib.sha256(content).hexdigest()
        data[name], wrong = read_text(str(path), text, source)
        findings.extend(wrong)
    source.root = {name: each for name, each in data.items() if each is not None}
    tops: dict[str | int, Position] = {
        name: Position(str(folder / f"{name}.yaml"), 1, 1) for name in source.root
    }
    source.mark(source.root, Marks(Position(str(folder), 1, 1), dict(tops), dict(tops)))
    inventory = Inventory()
    if not findings:
        try:
            inventory = Inventory.model_validate(source.root)
        except ValidationError as error:
            details = error.errors(include_url=False, include_input=False)
            findings.extend(_worded(finding(one, source.value(one["loc"]))) for one in details)
    findings.extend(_strangers(inventory, targets))
    return Read(
        folder=folder,
        inventory=inventory,
        findings=tuple(findings),
        source=source,
        policy=policy if inventory.team else None,
    )


def _worded(finding: Diagnostic) -> Diagnostic:
    """Replace the hint for an unknown key: the intent's hint does not know inventory keys."""
    if finding.code is not Code.UNKNOWN_KEY:
        return finding
    known = known_keys(finding.path[:-1], Inventory)
    return replace(finding, hint=did_you_mean(str(finding.path[-1]), known))


def _strangers(inventory: Inventory, targets: Mapping[str, Target]) -> Iterable[Diagnostic]:
    """Yield unknown groups, hosts and drivers, and `insecure` for several switches."""
    groups = {name for it in targets.values() for name in (it.platform, it.fabric)}
    for kind, written, known in (
        ("groups", inventory.groups, groups),
        ("hosts", inventory.hosts, set(targets)),
    ):
        for name in written:
            if name not in known:
                what = "platform or fabric" if kind == "groups" else "switch"
                sentence = f"unknown {what} {name!r}: not in this site"
                hint = did_you_mean(name, known)
                yield Diagnostic(
                    Code.UNKNOWN_REFERENCE, sentence, path=(kind, name), hint=hint, at_key=True
                )
    if inventory.team is not None:
        yield from strangers(inventory.team, {it.fabric for it in targets.values()})
    wide: dict[tuple[str, ...], Options] = {("defaults",): inventory.defaults}
    wide |= {("groups", name): options for name, options in inventory.groups.items()}
    every = wide | {("hosts", name): options for name, options in inventory.hosts.items()}
    for path, options in every.items():
        if options.driver is not None and options.driver not in drivers():
            sentence, hint = no_driver(options.driver), did_you_mean(options.driver, drivers())
            yield Diagnostic(Code.UNKNOWN_REFERENCE, sentence, path=(*path, "driver"), hint=hint)
    for path, options in wide.items():
        if options.insecure:
            yield Diagnostic(
                Code.BAD_VALUE,
                "`insecure` is allowed per host only, in hosts.yaml",
                path=(*path, "insecure"),
                hint="`fabricgen trust` collects host keys and certificates for review",
            )


def options_of(read: Read, target: Target, last: Options | None = None) -> dict[str, object]:
    """Merge the options of a switch. The narrowest scope wins: defaults, platform, fabric, switch.

    Args:
        read: The inventory. Its folder is the base of relative paths.
        target: The switch.
        last: Options that override all files, for example those of a lab.
    """
    inventory, merged = read.inventory, dict[str, object]()
    for options in (
        inventory.defaults,
        inventory.groups.get(target.platform),
        inventory.groups.get(target.fabric),
        inventory.hosts.get(target.name),
        last,
    ):
        if options is not None:
            merged |= options.model_dump(exclude_none=True)
    for key in _PATHS:
        if key in merged:
            # An absolute path replaces the folder.
            merged[key] = str(read.folder / Path(str(merged[key])).expanduser())
    return merged
