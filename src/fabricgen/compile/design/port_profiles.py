"""Resolve the inheritance of port profiles."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.ports import PortProfile as Said
from fabricgen.intent.model.tenants import Attachment
from fabricgen.intent.paths import at
from fabricgen.intent.settings import resolve
from fabricgen.model.settings.ports import PortProfile
from fabricgen.model.settings.setting import Resolved


def judge_profiles(intent: Intent, findings: Findings) -> None:
    """Report profiles that inherit from none there is, or from themselves; and unused ones."""
    said = intent.unless_refused("port_profiles") or {}
    for name, words in said.items():
        parent, path = words.inherits, at("port_profiles", name, "inherits")
        if parent is not None and parent not in said:
            findings.unknown(f"no port profile {parent!r}", path, parent, said)
        elif name in _parents(said, parent):
            findings.error(
                Code.PROFILE_LOOP, f"the port profile {name!r} inherits from itself", path
            )
    used = set(_used(intent))
    for name in said:
        if used.isdisjoint(each for each in said if name in _parents(said, each)):
            path = at("port_profiles", name)
            findings.warn(Code.BAD_VALUE, f"no port uses the profile {name!r}", path)


def _parents(said: Mapping[str, Said], name: str | None) -> list[str]:
    """Return a profile and the profiles that it inherits, the nearest first; each once."""
    found: list[str] = []
    while name is not None and name in said and name not in found:
        found.append(name)
        name = said[name].inherits
    return found


def _used(intent: Intent) -> Iterator[str | None]:
    """Yield every name of a profile that something has."""
    tenants: dict[str, Any] = intent.unless_refused("tenants") or {}
    jobs: dict[str, Any] = intent.unless_refused("jobs") or {}
    holders = [*tenants.values(), *(job for pool in jobs.values() for job in pool.jobs.values())]
    for holder in holders:
        yield from (item.profile for item in holder.unless_refused("attachments") or ())
    yield from (each.ports.unless_refused("profile") for each in intent.each_set())
    for words in intent.each_fabric():
        for group in (getattr(words, "leaf_groups", None) or {}).values():
            servers = getattr(group, "servers", None)
            yield getattr(servers, "profile", None)


@dataclass(slots=True, kw_only=True)
class Profiles:
    """Profiles of one site; each is one object for all its ports."""

    said: Mapping[str, Said]
    findings: Findings
    made: dict[str, Resolved[PortProfile]] = field(default_factory=dict)

    def of(
        self, frontend: Frontend, item: Attachment, path: IntentPath
    ) -> Resolved[PortProfile] | None:
        """Return the profile of an attachment's ports, or of its servers."""
        if item.profile is not None:
            return self.named(item.profile, (*path, "profile"))
        if item.group is not None:
            group = frontend.leaf_groups.get(item.group)
            name = group.servers.profile if group is not None and group.servers else None
            here = frontend.at("leaf_groups", item.group, "servers", "profile")
            return self.named(name, here)
        sets = [each for each in frontend.served if each.kind == item.servers]
        mine = [each for each in sets if item.port in (None, each.network)]
        return self.named(mine[0].ports.profile, mine[0].at("profile")) if mine else None

    def named(self, name: str | None, path: IntentPath) -> Resolved[PortProfile] | None:
        """Return a profile by its name; `path` is the place of the name."""
        if name is None:
            return None
        if name not in self.said:
            hint = did_you_mean(name, list(self.said))
            raise self.findings.stop(
                Code.UNKNOWN_REFERENCE, f"no port profile {name!r}", path, hint
            )
        if name not in self.made:
            self.made[name] = self._whole(name)
        return self.made[name]

    def _whole(self, name: str) -> Resolved[PortProfile]:
        layers = [
            (self.said[each], at("port_profiles", each)) for each in _parents(self.said, name)
        ]
        because = Provenance((at("port_profiles", name),), "the profile of the port")
        return resolve(PortProfile, layers, partial(_why, name), name=name, because=because)


def _why(name: str, path: IntentPath) -> Provenance:
    """Return where a value of a profile is from."""
    inherited = path[1] != name
    rule = f"inherited by the port's profile {name}" if inherited else "of the port's profile"
    return Provenance((path,), rule)
