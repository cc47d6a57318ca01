"""Packets reach a NIC in order, or the NIC places them as they come.

A NIC that wants order takes an overtaken packet for lost and asks for all since then again, so the
more a fabric sprays the less arrives: fix it with another `servers.nic` or `load_balancing.mode`. A
flowlet keeps its order while the gap before it is longer than the delays of the paths differ
(Kandula et al., CCR 2007; so say Juniper of DLB and Cisco of Hyperfabric, for RoCE NICs as well). A
pause may hold a path for longer than any such gap, so where a class is paused this is a warning.
"""

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.model.fabric.balancing import Mode
from fabricgen.model.fabric.qos import Qos, Watchdog
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.lossless.watchdog import POLLED_AT_ONCE


class PacketOrder(Tallied):
    """Compares how each switch spreads packets with what the NICs take."""

    name, code, noun = "packet-order", Code.OUT_OF_ORDER, "switches"

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Look at one switch."""
        self.tally.objects += 1
        told = piece.balancing
        if told is None:
            return
        for nic in sorted({plan.nic for plan in fabric.hosts.values() if not plan.reorders}):
            if told.mode is Mode.SPRAY:
                self.sprayed(fabric, nic)
            elif told.mode is Mode.FLOWLET and piece.qos is not None and piece.qos.lossless:
                self.held(fabric, nic, piece.qos)

    def sprayed(self, fabric: Fabric, nic: str) -> None:
        """Every packet may overtake another."""
        self.tally.add(
            "NICs that need order",
            f"packets are sprayed, and {nic} does not place what arrives out of order",
            (*fabric.place, "load_balancing", "mode"),
            "use a NIC that does in `servers.nic`, or mode: flowlet",
        )

    def held(self, fabric: Fabric, nic: str, qos: Qos) -> None:
        """A paused path is slower than the gap between flowlets is long."""
        until = _until(qos.watchdog)
        self.tally.add(
            "NICs that need order",
            f"a pause may hold a path {until}, longer than the idle gap of a flowlet; what takes "
            f"another path then overtakes, and {nic} asks for it again",
            (*fabric.place, "load_balancing", "mode"),
            "let marking come before pause (`fabricgen lossless`), and watch the NICs' counters of "
            "packets out of sequence",
            Severity.WARNING,
        )


def _until(guard: Watchdog | None) -> str:
    """Say how long a pause can last."""
    if guard is None:
        return "without a limit (no watchdog)"
    more = f", longer where software polls more than {POLLED_AT_ONCE} ports" if guard.grows else ""
    return f"for up to {guard.detection} ms{more}"
