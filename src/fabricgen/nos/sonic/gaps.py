"""A slice in; what this switch model cannot have on SONiC, and what is spelled otherwise, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, Diagnostic, IntentPath, Severity
from fabricgen.nos.sonic.balancing import balancing_gaps
from fabricgen.nos.sonic.buffers import headroom_rows
from fabricgen.nos.sonic.facts import SonicFacts, sonic_facts, why_not
from fabricgen.nos.sonic.names import MANAGEMENT_VRF

if TYPE_CHECKING:
    from fabricgen.fabric.services import Services
    from fabricgen.fabric.switch import SwitchSlice

NAMESERVERS = 3  # max-elements of sonic-dns.yang
TIME_SERVERS = 10  # max-elements of sonic-ntp.yang


def gaps(piece: SwitchSlice) -> list[Diagnostic]:
    """Return every gap of a switch."""
    model = piece.switch.model
    path: IntentPath = (*piece.switch.because.main, "model")
    sentence = why_not(model)
    if sentence is not None:
        return [Diagnostic(Code.UNSUPPORTED, f"SONiC on {model}: {sentence}", path=path)]
    return [
        *_memory(piece, sonic_facts(model), path),
        *balancing_gaps(piece),
        *_services(piece.services),
    ]


def _memory(piece: SwitchSlice, facts: SonicFacts, path: IntentPath) -> list[Diagnostic]:
    """Say where lossless traffic would have no headroom: it would be dropped like any other.

    buffermgrd makes no lossless priority group while BUFFER_POOL is missing, and none where no row
    fits; it only writes to the log (sonic-swss cfgmgr/buffermgr.cpp doSpeedUpdateTask). Pause is
    then never sent, so this is an error and not a warning. Without lossless classes it is none.
    """
    if facts.dynamic or piece.qos is None or not piece.qos.lossless:
        return []
    here = f"SONiC on {piece.switch.model}"
    if not facts.pools:
        return [
            _lacking(
                f"{here}: no buffer pools of hwsku {facts.hwsku} are known, so no lossless "
                "priority group can be made and RoCE would be dropped",
                path,
                "buffers_defaults_t0.j2",
            )
        ]
    return _without_headroom(piece, facts, path)


def _without_headroom(piece: SwitchSlice, facts: SonicFacts, path: IntentPath) -> list[Diagnostic]:
    here = f"SONiC on {piece.switch.model}"
    return [
        _lacking(
            f"{here}: no headroom of hwsku {facts.hwsku} is known for {speed} and {length} m "
            "of cable, so RoCE would be dropped there",
            path,
            "pg_profile_lookup.ini",
        )
        for (speed, length), row in sorted(headroom_rows(piece, facts).items())
        if row is None
    ]


def _lacking(message: str, path: IntentPath, file: str) -> Diagnostic:
    hint = f"copy the numbers into the catalog from {file} of that hwsku on the switch"
    return Diagnostic(Code.UNSUPPORTED, message, path=path, hint=hint)


def _services(services: Services) -> list[Diagnostic]:
    """Say what SONiC spells otherwise or takes fewer of."""
    here = services.path
    found = [
        Diagnostic(
            Code.UNSUPPORTED,
            f"SONiC takes {most} {word} servers, not {len(wanted)}",
            path=(*here, word),
        )
        for word, wanted, most in (
            ("dns", services.dns, NAMESERVERS),
            ("ntp", services.ntp, TIME_SERVERS),
        )
        if len(wanted) > most
    ]
    if services.gnmi_port is not None and services.gnmi_collectors:
        found.append(
            Diagnostic(
                Code.UNSUPPORTED,
                "SONiC's gNMI server has no list of collectors: whoever shows a certificate of "
                "its authority may connect",
                path=(*here, "gnmi", "collectors"),
                severity=Severity.WARNING,
            )
        )
    if services.vrf != MANAGEMENT_VRF:
        sentence = f"SONiC calls the management VRF {MANAGEMENT_VRF}, never {services.vrf}"
        hint = f"write {MANAGEMENT_VRF}, or live with two names"
        found.append(
            Diagnostic(
                Code.UNSUPPORTED,
                sentence,
                path=(*here, "vrf"),
                hint=hint,
                severity=Severity.WARNING,
            )
        )
    return found
