"""Computes the ECN marking points Kmin, Kmax and Pmax of a port speed and checks them."""

from fractions import Fraction

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes
from fabricgen.model.lossless.path import Nanoseconds, bandwidth_delay
from fabricgen.model.lossless.terms import Term, Verdict

# Kmin = max(FLOOR, BDP), Kmax = RATIO x Kmin at most. No vendor publishes values from 100G to 800G.
# The floor is NVIDIA's Kmin of every speed (Cumulus Linux, qos roce). Ratio and probability come
# from the only formula that scales with speed, 100 KB and 400 KB per 25G and 20 %:
# alibaba-edu/High-Precision-Congestion-Control run.py.
FLOOR, RATIO, PROBABILITY = Bytes(150_000), 4, 20
SOURCE = "Cumulus Linux qos roce (floor); HPCC run.py (ratio, probability)"

# Fraction of the queue at pause that stays free above Kmax. Juniper/jvd data_center/aidc/
# aiml_multitenancy_backend rdma-rocev2-lossless.conf marks every packet from 90 % of a queue's fill
# level on. No other vendor states the distance.
MARGIN = Fraction(1, 10)


@record(kw_only=True)
class Limits:
    """Limits of marking.

    `pause_at`: occupancy of one lossless priority group at which pause is sent (budget.pause_at).
    `feeding`: ingress ports that feed the queue at once, in equal parts. `paused`: whether the
    class is paused; if not, pause_at is the memory, and excess traffic is lost.
    """

    mtu: Bytes
    pause_at: Bytes
    feeding: int = 1
    paused: bool = True

    @property
    def queue_at_pause(self) -> Bytes:
        """The egress queue when its ingress groups reach their pause threshold."""
        return Bytes(self.feeding * self.pause_at)

    @property
    def highest(self) -> Bytes:
        """The highest queue with all packets marked: the queue at pause minus the margin."""
        return Bytes(int(self.queue_at_pause * (1 - MARGIN)))

    @property
    def arithmetic(self) -> str:
        """The arithmetic of `highest` as text."""
        part = f"{float(100 * (1 - MARGIN)):g} %"
        return f"{part} of {self.feeding} x {self.pause_at:,} = {self.highest:,}"


@record(kw_only=True)
class Points:
    """Kmin and Kmax of one port speed in bytes, Pmax in percent.

    The terms named Kmin add up to the minimum, those named Kmax to the maximum; a reduction is
    negative. Points from the intent have no terms. `feeding`: ingress ports that fill the queue in
    the check.
    """

    speed: BitsPerSecond
    minimum: Bytes
    maximum: Bytes
    probability: int
    terms: tuple[Term, ...]
    verdicts: tuple[Verdict, ...]
    feeding: int = 1

    @property
    def holds(self) -> bool:
        """Return whether all rules hold."""
        return all(verdict.holds for verdict in self.verdicts)


def marking_points(speed: BitsPerSecond, product: Bytes, limits: Limits) -> Points:
    """Derive the points of one speed from its bandwidth-delay product, and check them."""
    minimum = max(product, FLOOR)
    free = Bytes(RATIO * minimum)
    maximum = Bytes(min(free, limits.highest))
    return Points(
        speed=speed,
        minimum=minimum,
        maximum=maximum,
        probability=PROBABILITY,
        terms=(
            Term("Kmin: 1 x BDP", product, f"{speed} x round trip / 8"),
            Term("Kmin: up to the floor", Bytes(minimum - product), SOURCE),
            Term(f"Kmax: {RATIO} x Kmin", free, SOURCE),
            Term(
                "Kmax: down to pause",
                Bytes(maximum - free),
                f"marking before pause: {limits.arithmetic} bytes",
            ),
        ),
        verdicts=judge(minimum, maximum, PROBABILITY, limits),
        feeding=limits.feeding,
    )


def judge(minimum: Bytes, maximum: Bytes, probability: int, limits: Limits) -> tuple[Verdict, ...]:
    """Check any marking points, derived or from the intent."""
    return (
        Verdict("Kmin holds one frame", minimum >= limits.mtu, f"{minimum:,} >= {limits.mtu:,}"),
        Verdict("Kmin below Kmax", minimum < maximum, f"{minimum:,} < {maximum:,}"),
        Verdict(
            "marking before pause" if limits.paused else "marking before loss",
            maximum <= limits.highest,
            f"Kmax {maximum:,} <= {limits.arithmetic}",
        ),
        Verdict("probability is a percentage", 0 < probability <= 100, f"0 < {probability} <= 100"),
    )


def judge_step_down(
    minimum: Bytes,
    speeds: tuple[BitsPerSecond, BitsPerSecond],
    pause_at: Bytes,
    trip: Nanoseconds,
) -> Verdict:
    """Check an egress port that one faster ingress fills alone; `speeds` are in and out.

    The surplus that arrives during a round trip after the first mark must fit.
    """
    ingress, egress = speeds
    surplus = bandwidth_delay(BitsPerSecond(ingress - egress), trip)
    return Verdict(
        "one faster ingress is marked before it is paused",
        minimum + surplus <= pause_at,
        f"Kmin {minimum:,} + ({ingress} - {egress}) x {trip:,} ns = {minimum + surplus:,} <= "
        f"{pause_at:,}",
    )
