"""The interfaces of a switch in, its port blocks out, sorted by what a port is for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.fabric.switch import Interface, Lag, SwitchSlice, Use
from fabricgen.nos.eos.names import LOOPBACK, VTEP, speed_word
from fabricgen.nos.eos.qos import profile_name
from fabricgen.nos.eos.view import ports as view
from fabricgen.nos.shared.description import UNUSED, describe
from fabricgen.units import spans

if TYPE_CHECKING:
    from fabricgen.fabric.overlay import Carries
    from fabricgen.nos.nos import Spell


def ports_of(piece: SwitchSlice, spell: Spell) -> view.Ports:
    """Return every interface of the switch."""
    maker = _Maker(piece, spell)
    for interface in piece.interfaces:
        maker.add(interface)
    return view.Ports(
        bundles=tuple(_bundle(piece, lag) for lag in piece.lags),
        members=tuple(maker.members),
        edge=tuple(maker.edge),
        routed=tuple(maker.routed),
        external=tuple(maker.external),
        idle=tuple(maker.idle),
        loopbacks=_loopbacks(piece),
        management=view.ManagementPort(
            because=Because(
                ((*piece.services.path, "subnet"),), "each fabric has its quarter of the subnet"
            ),
            description=f"{piece.switch.name} out of band",
            vrf=piece.services.vrf,
            address=str(piece.management),
        ),
    )


class _Maker:
    """Sorts the interfaces of one switch by their use."""

    def __init__(self, piece: SwitchSlice, spell: Spell) -> None:
        self._piece, self._spell = piece, spell
        self.members: list[view.MemberPort] = []
        self.edge: list[view.EdgePort] = []
        self.routed: list[view.RoutedPort] = []
        self.external: list[view.ExternalPort] = []
        self.idle: list[view.IdlePort] = []

    def add(self, interface: Interface) -> None:
        port, switch = interface.port, self._piece.switch
        name, speed = self._spell(switch, port), speed_word(port.speed, port.lanes)
        if interface.use is Use.UNUSED:
            shown = speed if port.subs > 1 else None
            self.idle.append(
                view.IdlePort(because=interface.because, name=name, description=UNUSED, speed=shown)
            )
            return
        text, why = describe(switch, interface, self._spell), interface.because
        if interface.vrf is not None:
            self.external.append(_external(interface, interface.vrf, name, text, speed))
        elif interface.lag is not None:
            self.members.append(
                view.MemberPort(
                    because=why, name=name, description=text, speed=speed, bundle=interface.lag
                )
            )
        elif interface.use is Use.EDGE or interface.carries is not None:
            carried = carried_lines(interface.carries)
            profile = self._profile(interface) if interface.use is Use.NIC else ""
            self.edge.append(
                view.EdgePort(
                    because=why,
                    name=name,
                    description=text,
                    speed=speed,
                    carried=carried,
                    profile=profile,
                )
            )
        else:
            self.routed.append(
                view.RoutedPort(
                    because=why,
                    name=name,
                    description=text,
                    mtu=interface.mtu,
                    speed=speed,
                    address=_address(interface),
                    profile=self._profile(interface),
                )
            )

    def _profile(self, interface: Interface) -> str:
        qos = self._piece.qos
        if qos is None:
            return ""
        return profile_name(qos, self._piece.switch.fabric, interface.port.speed)


def _external(
    interface: Interface, vrf: str, name: str, text: str, speed: str
) -> view.ExternalPort:
    return view.ExternalPort(
        because=interface.because,
        name=name,
        description=text,
        mtu=interface.mtu,
        speed=speed,
        vrf=vrf,
        address=_address(interface),
    )


def _address(interface: Interface) -> str:
    """Return the address line; without an address the link runs on IPv6 link-local alone."""
    if interface.address is None:
        return "ipv6 enable"
    word = "ip" if interface.address.version == 4 else "ipv6"
    return f"{word} address {interface.address}"


@lru_cache(maxsize=4096)
def carried_lines(carries: Carries | None) -> str:
    """Return the VLAN lines of a bridged port, joined. One that carries nothing lets nothing in."""
    if carries is None:
        lines = ["switchport trunk allowed vlan none", "switchport mode trunk"]
    elif not carries.tagged and carries.untagged is not None:
        lines = [f"switchport access vlan {carries.untagged.id}", "switchport mode access"]
    else:
        native = carries.untagged
        every = [vlan.id for vlan in (*carries.tagged, native) if vlan is not None]
        lines = [f"switchport trunk native vlan {native.id}"] if native else []
        lines += [f"switchport trunk allowed vlan {spans(every)}", "switchport mode trunk"]
    return "\n   ".join([*lines, "switchport"])


def _bundle(piece: SwitchSlice, lag: Lag) -> view.Bundle:
    text = f"{piece.switch.name}:Port-Channel{lag.number} to {lag.server.name}"
    return view.Bundle(
        because=lag.because, number=lag.number, description=text, carried=carried_lines(lag.carries)
    )


def _loopbacks(piece: SwitchSlice) -> tuple[view.Loopback, ...]:
    fabric = piece.switch.fabric
    why = Because(((fabric, "addressing", "loopbacks"),), "one router ID per switch")
    made = [
        view.Loopback(
            because=why, name=LOOPBACK, description="router ID", address=str(piece.loopback)
        )
    ]
    if piece.vtep is not None:
        why = Because(((fabric, "addressing", "vteps"),), "one tunnel endpoint per leaf")
        made.append(
            view.Loopback(
                because=why, name=VTEP, description="VXLAN tunnel endpoint", address=str(piece.vtep)
            )
        )
    return tuple(made)
