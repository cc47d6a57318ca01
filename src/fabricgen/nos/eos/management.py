"""The services of a site in, the management blocks of every EOS switch of it out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.fabric.overlay import INTERNAL_VLANS
from fabricgen.fabric.services import Services, placeholder
from fabricgen.nos.eos.view import management as view
from fabricgen.nos.eos.view.entries import entries

if TYPE_CHECKING:
    from fabricgen.fabric.switch import SwitchSlice

# EOS has these two roles built in; `aaa authorization exec default local` makes the privilege
# count at login (pyavd 6.4.0 schema, local_users[].privilege and .role).
_ROLES = {"admin": (15, "network-admin"), "operator": (1, "network-operator")}
_BASIS = Because((), "the same on every EOS switch")


def foundation_of(piece: SwitchSlice) -> view.Foundation:
    """Return what comes first; spanning tree runs only where ports are bridged."""
    bridged = bool(piece.vlans or piece.lags)
    return _BRIDGING if bridged else _ROUTING


_BRIDGING = view.Foundation(
    because=_BASIS, first=INTERNAL_VLANS.start, last=INTERNAL_VLANS[-1], spanning_tree="mstp"
)
_ROUTING = view.Foundation(
    because=_BASIS, first=INTERNAL_VLANS.start, last=INTERNAL_VLANS[-1], spanning_tree="none"
)


@lru_cache(maxsize=16)
def management_of(services: Services) -> view.Management:
    """Return the management blocks of a site."""
    vrf = services.vrf
    gnmi = _gnmi(services)
    return view.Management(
        network=view.Network(_why(services, "subnet", "vrf"), vrf, services.gateway),
        accounts=_accounts(services),
        syslog=_hosts(services, "syslog", vrf, services.syslog),
        dns=_hosts(services, "dns", vrf, services.dns),
        domain=view.Text(_why(services, "domain"), services.domain) if services.domain else None,
        snmp=_snmp(services),
        banner=view.Text(_why(services, "banner"), services.banner) if services.banner else None,
        gnmi=gnmi,
        acl=gnmi if gnmi and gnmi.collectors else None,
        ntp=_hosts(services, "ntp", vrf, services.ntp),
    )


def _why(services: Services, *keys: str) -> Because:
    paths = tuple((*services.path, key) for key in keys)
    return Because(paths, "every switch uses the services of its site, in the management VRF")


def _hosts(
    services: Services, word: str, vrf: str, addresses: tuple[str, ...]
) -> view.Hosts | None:
    return view.Hosts(_why(services, word), vrf, addresses) if addresses else None


def _accounts(services: Services) -> view.Accounts | None:
    """A user without a password gets `nopassword`, which EOS lets in over SSH by key alone.

    Remote login without a password needs `aaa authentication policy local
    allow-nopassword-remote-login` (pyavd 6.4.0, aaa_authentication.policies.local), never set here.
    """
    lines = []
    for user in services.users:
        level, role = _ROLES[user.role]
        kept = user.password_hash
        secret = f"secret sha512 {placeholder(kept)}" if kept else "nopassword"
        lines.append(view.AccountLine(user.name, f"privilege {level} role {role} {secret}"))
        if user.ssh_key:
            lines.append(view.AccountLine(user.name, f"ssh-key {user.ssh_key}"))
    return view.Accounts(_why(services, "users"), tuple(lines)) if lines else None


def _snmp(services: Services) -> view.Snmp | None:
    if services.snmp_community is None:
        return None
    about = (("contact", services.snmp_contact), ("location", services.snmp_location))
    return view.Snmp(
        because=_why(services, "snmp"),
        vrf=services.vrf,
        community=placeholder(services.snmp_community),
        about=tuple(f"{word} {text}" for word, text in about if text),
    )


def _gnmi(services: Services) -> view.Gnmi | None:
    if services.gnmi_port is None:
        return None
    collectors = entries(services.gnmi_collectors)
    return view.Gnmi(
        because=_why(services, "gnmi"),
        vrf=services.vrf,
        port=services.gnmi_port,
        collectors=collectors,
    )
