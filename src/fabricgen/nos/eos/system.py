"""The services of a site in, the system and management blocks of every EOS switch of it out."""

from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter

from fabricgen.core.because import Because
from fabricgen.model.fabric.overlay import INTERNAL_VLANS
from fabricgen.model.fabric.services import RULE, Services, User, placeholder
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.eos.monitoring import sflow_of, snmp_of, terminattr_of
from fabricgen.nos.eos.releases import syslog_word
from fabricgen.nos.eos.view import system as view

# EOS has these two roles built in; `aaa authorization exec default local` makes the privilege
# count at login (pyavd 6.4.0 schema, local_users[].privilege and .role).
_ROLES = {"admin": (15, "network-admin"), "operator": (1, "network-operator")}
_BASIS = Because((), "the same on every EOS switch")


def basis_of(piece: SwitchSlice) -> view.Basis:
    """Return what comes first; spanning tree runs only where ports are bridged."""
    return _basis("mstp" if piece.vlans or piece.lags else "none")


@lru_cache(maxsize=2)
def _basis(spanning_tree: str) -> view.Basis:
    return view.Basis(
        because=_BASIS,
        first=INTERNAL_VLANS.start,
        last=INTERNAL_VLANS[-1],
        spanning_tree=spanning_tree,
    )


@lru_cache(maxsize=32)
def services_of(services: Services, basis: view.Basis, release: str) -> view.Services:
    """Return the management blocks of a site, in the words of a train."""
    gnmi = _gnmi(services)
    return view.Services(
        basis=basis,
        network=view.Network(
            because=_why(services, "subnet", "vrf"),
            vrf=services.vrf,
            gateway=services.gateway,
            tls=services.tls is not None,
            restricted=bool(services.admitted),
        ),
        accounts=_accounts(services),
        carried=_carried(services, syslog_word(release)),
        snmp=snmp_of(services, _why(services, "snmp")),
        sflow=sflow_of(services, _why(services, "sflow")),
        terminattr=terminattr_of(services, _why(services, "cloudvision")),
        gnmi=gnmi,
        acl=gnmi if gnmi and gnmi.collectors else None,
        admitted=_admitted(services),
        tls=_tls(services),
        login=_login(services),
        radius=_asked(services, "radius"),
        tacacs=_asked(services, "tacacs"),
    )


def entries(texts: Iterable[str]) -> tuple[view.Entry, ...]:
    """Number the entries of a list by tens, as EOS does."""
    return tuple(view.Entry(10 * place, text) for place, text in enumerate(texts, 1))


def _why(services: Services, *keys: str) -> Because:
    return Because(tuple((*services.path, key) for key in keys), RULE)


def _carried(services: Services, word: str) -> dict[str, view.Carried]:
    return {
        key: view.Carried(because, services.vrf, getattr(services, key), word)
        for key, because in services.carried.chosen.items()
    }


def _accounts(services: Services) -> view.Accounts | None:
    users = tuple(map(_user, services.users))
    return view.Accounts(_why(services, "users"), users) if users else None


def _user(user: User) -> view.User:
    """A user without a password gets `nopassword`, which EOS lets in over SSH by key alone.

    Remote login without a password needs `aaa authentication policy local
    allow-nopassword-remote-login` (pyavd 6.4.0, aaa_authentication.policies.local), never set here.
    """
    level, role = _ROLES[user.role]
    kept = user.password_hash
    login = f"secret sha512 {placeholder(kept)}" if kept else "nopassword"
    return view.User(name=user.name, level=level, role=role, login=login, ssh_key=user.ssh_key)


# `group radius` and `group tacacs+` are all servers of the protocol (EOS User Manual, aaa
# authentication login).
_GROUPS = {"radius": "group radius", "tacacs": "group tacacs+"}


def _login(services: Services) -> view.Login:
    """Return who is asked at login; keys as EOS shows them, so that what runs can be compared."""
    asked = services.login
    return view.Login(
        because=_why(services, "aaa") if asked else _BASIS,
        vrf=services.vrf,
        servers=tuple(
            view.LoginServer(
                protocol=each.protocol, address=address, key=placeholder(f"type7:{each.key}")
            )
            for each in sorted(asked, key=attrgetter("protocol"))
            for address in each.servers
        ),
        methods=" ".join((*(_GROUPS[each.protocol] for each in asked), "local")),
    )


def _asked(services: Services, protocol: str) -> view.Carried | None:
    servers = [each.servers for each in services.login if each.protocol == protocol]
    return view.Carried(_why(services, "aaa"), services.vrf, servers[0]) if servers else None


def _tls(services: Services) -> view.Tls | None:
    tls = services.tls
    return view.Tls(_why(services, "tls"), tls.certificate, tls.key) if tls else None


def _gnmi(services: Services) -> view.Gnmi | None:
    if services.gnmi_port is None:
        return None
    return view.Gnmi(
        because=_why(services, "gnmi"),
        vrf=services.vrf,
        port=services.gnmi_port,
        tls=services.tls is not None,
        collectors=entries(services.gnmi_collectors),
        listed=_listed(services),
    )


def _listed(services: Services) -> str | None:
    """Return the list of the gNMI server: its collectors, else who may manage the switch."""
    if services.gnmi_collectors:
        return "GNMI-COLLECTORS"
    return "MANAGEMENT" if services.admitted else None


def _admitted(services: Services) -> view.Admitted | None:
    """Return the list of who may manage the switch; one address is a `host` in it."""
    if not services.admitted:
        return None
    texts = (
        f"host {prefix.removesuffix('/32')}" if prefix.endswith("/32") else prefix
        for prefix in services.admitted
    )
    return view.Admitted(_why(services, "admitted"), entries(texts))
