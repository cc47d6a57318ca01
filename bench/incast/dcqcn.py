"""The sender's half of DCQCN: congestion notifications, timers, bytes sent → sending rate.

Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3 (the
algorithm) and section 5 (the parameters). The increase of the hyper phase is not a figure of that
paper: ten times the additive one, the ratio of the ConnectX firmware's defaults (5 and 50 Mb/s).
"""

from __future__ import annotations

from dataclasses import dataclass

MICROSECOND = 10**6  # time is counted in picoseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Dcqcn:
    """The parameters, with the values of the paper."""

    gain: float = 1 / 256
    cnp_interval: int = 50 * MICROSECOND
    alpha_timer: int = 55 * MICROSECOND
    rate_timer: int = 55 * MICROSECOND
    byte_counter: int = 10_000_000
    fast_recovery_steps: int = 5
    additive: float = 40e6
    hyper: float = 400e6
    slowest: float = 100e6


class ReactionPoint:
    """One flow's rate; it starts at line rate and knows no congestion yet."""

    def __init__(self, rules: Dcqcn, line_rate: float) -> None:
        self.rules = rules
        self.line_rate = self.rate = self.target = line_rate
        self.alpha = 1.0
        self.timer_steps = self.byte_steps = self.sent = 0
        self.notified = 0  # how often: a timer started before the last notification is void

    def notify(self) -> None:
        """Cut the rate: a congestion notification has come."""
        self.notified += 1
        self.target = self.rate
        self.rate = max(self.rules.slowest, self.rate * (1 - self.alpha / 2))
        self.alpha = (1 - self.rules.gain) * self.alpha + self.rules.gain
        self.timer_steps = self.byte_steps = self.sent = 0

    def forget(self) -> None:
        """Take the congestion for a little less: a time without notification has passed."""
        self.alpha *= 1 - self.rules.gain

    def timer(self) -> None:
        """Step up: the timer has run out."""
        self.timer_steps += 1
        self._increase()

    def count(self, size: int) -> None:
        """Step up whenever so many bytes have been sent."""
        if self.rate >= self.line_rate:
            return
        self.sent += size
        if self.sent >= self.rules.byte_counter:
            self.sent -= self.rules.byte_counter
            self.byte_steps += 1
            self._increase()

    def _increase(self) -> None:
        few, many = sorted((self.timer_steps, self.byte_steps))
        steps = self.rules.fast_recovery_steps
        if few > steps:
            self.target += (few - steps) * self.rules.hyper
        elif many >= steps:
            self.target += self.rules.additive
        self.target = min(self.target, self.line_rate)
        self.rate = (self.target + self.rate) / 2
