"""Build the options of TerminAttr and the PTP clock of an EOS switch."""

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Role
from fabricgen.nos.eos.names import MANAGEMENT
from fabricgen.nos.eos.view import system as view

_OPTIONS = (
    # Tables that are not streamed, and the token that CloudVision's onboarding leaves on the
    # switch, as pyavd 6.4.0 writes them by default (eos_designs, cv_settings).
    "-cvauth=token,/tmp/token",
    "-cvvrf={vrf}",
    "-smashexcludes=ale,flexCounter,hardware,kni,pulse,strata",
    "-ingestexclude=/Sysdb/cell/1/agent,/Sysdb/cell/2/agent",
    f"-taillogs -cvsourceintf={MANAGEMENT}",
)


def terminattr_of(services: Services, because: Provenance) -> view.TerminAttr | None:
    """Return the options of TerminAttr, in the order of pyavd."""
    to = services.cloudvision
    if to is None:
        return None
    hosts = (f"[{host}]" if ":" in host else host for host in to.servers)
    options = ("-cvaddr=" + ",".join(f"{host}:{to.port}" for host in hosts), *_OPTIONS)
    return view.TerminAttr(because, " ".join(options).format(vrf=services.vrf))


_PRIORITIES = {Role.SUPERSPINE: 200, Role.SPINE: 210, Role.LEAF: 220}
"""PTP priority below a grandmaster's 128 (also the default of ptp4l(8)); the core is first."""


def ptp_of(switch_slice: SwitchSlice) -> view.Ptp | None:
    """Return the boundary clock of a switch. Transport is IPv4, EOS's default without a line."""
    told = switch_slice.ptp
    if told is None:
        return None
    because = Provenance(
        ((*switch_slice.services.path, "ptp"),), "every switch of the fabric relays time"
    )
    return view.Ptp(
        because=because, domain=told.domain or None, priority=_PRIORITIES[switch_slice.switch.role]
    )
