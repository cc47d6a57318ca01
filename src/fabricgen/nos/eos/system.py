"""Build the system and management blocks of an EOS configuration from the services of a site."""

from collections.abc import Iterable
from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.overlay import INTERNAL_VLANS
from fabricgen.model.fabric.services import RULE, Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.settings.services import LocalUser
from fabricgen.model.settings.setting import placeholder
from fabricgen.nos.eos.monitoring import terminattr_of
from fabricgen.nos.eos.releases import syslog_word
from fabricgen.nos.eos.view import system as view

# EOS has these two roles built in. `aaa authorization exec default local` applies the privilege at
# login (pyavd 6.4.0 schema, local_users[].privilege and .role).
_ROLES = {"admin": (15, "network-admin"), "operator": (1, "network-operator")}
_BASIS = Provenance((), "the same on every EOS switch")


def basis_of(switch_slice: SwitchSlice) -> view.Basis:
    """Return the first block of the file. Spanning tree runs only if ports are bridged."""
    return _basis("mstp" if switch_slice.vlans or switch_slice.lags else "none")


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
    """Return the management blocks of a site, in a train's spelling."""
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
        terminattr=terminattr_of(services, _why(services, "cloudvision")),
        gnmi=gnmi,
        acl=gnmi if gnmi and gnmi.collectors else None,
        admitted=_admitted(services),
        login=_login(services),
        radius=_asked(services, "radius"),
        tacacs=_asked(services, "tacacs"),
    )


def entries(texts: Iterable[str]) -> tuple[view.Entry, ...]:
    return tuple(view.Entry(10 * place, text) for place, text in enumerate(texts, 1))


def _why(services: Services, *keys: str) -> Provenance:
    return Provenance(tuple(services.at(key) for key in keys), RULE)


def _carried(services: Services, word: str) -> dict[str, view.Carried]:
    """Return every setting of a site that goes unchanged into a line, by its key."""
    return {
        key: _setting(services, because, getattr(services, key), word)
        for key, because in services.carried.chosen.items()
    }


def _setting(
    services: Services, because: Provenance, value: object, word: str = ""
) -> view.Carried:
    return view.Carried(
        because=because,
        vrf=services.vrf,
        restricted=bool(services.admitted),
        value=value,
        word=word,
    )


def _accounts(services: Services) -> view.Accounts | None:
    users = tuple(map(_user, services.users))
    return view.Accounts(_why(services, "users"), users) if users else None


def _user(user: LocalUser) -> view.User:
    """Return an account. Without a password it gets `nopassword`: SSH login by key alone.

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
    """Return the login servers, with keys as EOS shows them, so that a comparison works."""
    asked = {name: each for name, each in services.login.items() if name in _GROUPS}
    return view.Login(
        because=_why(services, "aaa") if asked else _BASIS,
        vrf=services.vrf,
        servers=tuple(
            view.LoginServer(
                protocol=protocol, address=address, key=placeholder(f"type7:{each.key}")
            )
            for protocol, each in sorted(asked.items())
            for address in each.servers
        ),
        methods=" ".join((*(_GROUPS[protocol] for protocol in asked), "local")),
    )


def _asked(services: Services, protocol: str) -> view.Carried | None:
    asked = services.login.get(protocol)
    return _setting(services, _why(services, "aaa"), asked.servers) if asked else None


def _gnmi(services: Services) -> view.Gnmi | None:
    if services.gnmi is None:
        return None
    return view.Gnmi(
        because=_why(services, "gnmi"),
        vrf=services.vrf,
        port=services.gnmi.port,
        tls=services.tls is not None,
        collectors=entries(services.collectors),
        listed=_listed(services),
    )


def _listed(services: Services) -> str | None:
    """Return the access list of the gNMI server: its collectors, else the management networks."""
    if services.collectors:
        return "GNMI-COLLECTORS"
    return "MANAGEMENT" if services.admitted else None


def _admitted(services: Services) -> view.Admitted | None:
    """Return the list of management networks; one address is a `host` in it."""
    if not services.admitted:
        return None
    texts = (
        f"host {prefix.removesuffix('/32')}" if prefix.endswith("/32") else prefix
        for prefix in services.admitted
    )
    return view.Admitted(_why(services, "admitted"), entries(texts))
