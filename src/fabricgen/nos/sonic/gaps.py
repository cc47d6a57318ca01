"""A slice in; what this switch model cannot have on SONiC, and what is spelled otherwise, out."""

from fabricgen.catalog.memory import layout_of
from fabricgen.catalog.skus import Sku, choose, nearest, told
from fabricgen.diagnostics import Code, Diagnostic, IntentPath, Severity
from fabricgen.fabric.services import Services
from fabricgen.fabric.switch import SwitchSlice
from fabricgen.nos.sonic.balancing import balancing_gaps
from fabricgen.nos.sonic.buffers import headroom_rows
from fabricgen.nos.sonic.facts import sku_of, why_not
from fabricgen.nos.sonic.names import MANAGEMENT_VRF
from fabricgen.nos.sonic.releases import DEFAULT
from fabricgen.nos.sonic.updater import GUARDS, knows_asic

NAMESERVERS = 3  # max-elements of sonic-dns.yang
TIME_SERVERS = 10  # max-elements of sonic-ntp.yang
NEAREST = 3  # hwskus that are named where none fits


def gaps(piece: SwitchSlice) -> list[Diagnostic]:
    """Return every gap of a switch."""
    model = piece.switch.model
    path: IntentPath = (*piece.switch.because.main, "model")
    sentence = why_not(model)
    if sentence is not None:
        return [Diagnostic(Code.UNSUPPORTED, f"SONiC on {model}: {sentence}", path=path)]
    return [
        *_ports(piece, path),
        *_release(piece, sku_of(piece), path),
        *_memory(piece, sku_of(piece), path),
        *_updates(piece, sku_of(piece), path),
        *_outside(piece),
        *balancing_gaps(piece),
        *_services(piece.services),
    ]


def _ports(piece: SwitchSlice, path: IntentPath) -> list[Diagnostic]:
    """Say that no hwsku has these ports, and which are nearest: its SAI would not make them."""
    model = piece.switch.model
    skus, layout = model.skus["sonic"], layout_of(piece.switch.ports)
    if choose(skus, layout, ()) is not None:
        return []
    near = "; ".join(
        f"{sku.name} has {told(tuple(sku.layout.items()))}"
        + (", which can be split" if sku.splits else "")
        for sku in nearest(skus, layout)[:NEAREST]
    )
    message = f"SONiC on {model.name}: no hwsku has {told(layout)}; the nearest: {near}"
    return [Diagnostic(Code.UNSUPPORTED, message, path=path)]


def _release(piece: SwitchSlice, sku: Sku, path: IntentPath) -> list[Diagnostic]:
    """Say that the release is older than the hwsku, or than its packet memory."""
    release = piece.switch.release or DEFAULT
    if sku.since is None or release >= sku.since:  # master is above every number
        return []
    message = (
        f"SONiC {release} on {piece.switch.model}: hwsku {sku.name} has its ports and packet "
        f"memory from {sku.since} on"
    )
    hint = f"release: {sku.since!r} or later"
    return [Diagnostic(Code.UNSUPPORTED, message, path=path, hint=hint)]


def _memory(piece: SwitchSlice, sku: Sku, path: IntentPath) -> list[Diagnostic]:
    """Say where lossless traffic would have no headroom: it would be dropped like any other.

    buffermgrd makes no lossless priority group while BUFFER_POOL is missing, and none where no row
    fits; it only writes to the log (sonic-swss cfgmgr/buffermgr.cpp doSpeedUpdateTask). Pause is
    then never sent, so this is an error and not a warning. Without lossless classes it is none.
    """
    if sku.dynamic or piece.qos is None or not piece.qos.lossless:
        return []
    here = f"SONiC on {piece.switch.model}: hwsku {sku.name}"
    if sku.lacks is not None:
        message = (
            f"{here} has no MMU configuration for lossless traffic ({sku.lacks}), so no lossless "
            "priority group can be made and RoCE would be dropped"
        )
        return [_lacking(message, piece, path)]
    return [
        _lacking(
            f"{here} has no headroom for {speed} and {length} m of cable, so RoCE would be "
            "dropped there",
            piece,
            path,
        )
        for (speed, length), row in sorted(headroom_rows(piece, sku).items())
        if row is None
    ]


def _updates(piece: SwitchSlice, sku: Sku, path: IntentPath) -> list[Diagnostic]:
    """Say where the config updater will refuse day-2 changes: a server more has a watchdog more."""
    release = piece.switch.release or DEFAULT
    if piece.qos is None or not piece.qos.lossless or knows_asic(sku.name, release):
        return []
    message = (
        f"SONiC {release} on {piece.switch.model}: its config updater does not know the ASIC of "
        f"hwsku {sku.name}, so it refuses changes of {', '.join(GUARDS[release])}: a server "
        "more, other thresholds or another headroom take a `config reload` of the drained switch"
    )
    hint = "a newer release or another model, or plan changes with an outage of the switch"
    return [Diagnostic(Code.UNSUPPORTED, message, path=path, hint=hint, severity=Severity.WARNING)]


def _outside(piece: SwitchSlice) -> list[Diagnostic]:
    """Refuse a way out of a switch that pauses: all its ports in use have PFC."""
    if not piece.external or piece.qos is None or not piece.qos.lossless:
        return []
    message = (
        f"SONiC: the port to {piece.external[0].name} would have PFC as every port in use has, and "
        "pauses from outside the site would stop a class of it"
    )
    hint = "put external peers on leafs of another platform"
    return [Diagnostic(Code.UNSUPPORTED, message, path=piece.external[0].because.main, hint=hint)]


def _lacking(message: str, piece: SwitchSlice, path: IntentPath) -> Diagnostic:
    """Say what lacks, and which hwskus of the model have it for which ports."""
    model = piece.switch.model
    have = [
        f"{sku.name} ({told(tuple(sku.layout.items()))})"
        for sku in model.skus["sonic"]
        if sku.lacks is None and sku.rows
    ]
    hint = f"hwskus that have one: {', '.join(have)}" if have else "no hwsku of this model has one"
    return Diagnostic(Code.UNSUPPORTED, message, path=path, hint=hint)


def _services(services: Services) -> list[Diagnostic]:
    """Say what SONiC spells otherwise or takes fewer of."""
    here = services.path
    gaps = [
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
    if services.sflow is not None:
        message = "SONiC ships its sFlow container switched off, and CONFIG_DB says that elsewhere"
        hint = "`config feature state sflow enabled`, once on each switch"
        where = (*here, "sflow")
        gaps.append(
            Diagnostic(Code.UNSUPPORTED, message, path=where, hint=hint, severity=Severity.WARNING)
        )
    if len(services.login) > 1:
        # Any other order than these two is that of local accounts alone (sonic-host-services
        # data/templates/common-auth-sonic.j2, the last `else`).
        message = "SONiC asks TACACS+ or RADIUS servers, never one after the other"
        hint = "give one of them, or other platforms in this site"
        gaps.append(Diagnostic(Code.UNSUPPORTED, message, path=(*here, "aaa"), hint=hint))
    if services.vrf != MANAGEMENT_VRF:
        sentence = f"SONiC calls the management VRF {MANAGEMENT_VRF}, never {services.vrf}"
        hint = f"write {MANAGEMENT_VRF}, or live with two names"
        gaps.append(
            Diagnostic(
                Code.UNSUPPORTED,
                sentence,
                path=(*here, "vrf"),
                hint=hint,
                severity=Severity.WARNING,
            )
        )
    return gaps
