"""Defines an alert rule of Prometheus."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """One alert. `minutes`: how long the expression must hold. `labels`: besides the severity."""

    name: str
    bound: str
    minutes: int
    says: str
    labels: Mapping[str, str] = {}

    @property
    def data(self) -> dict[str, Any]:
        """Return it in the form of a rule file."""
        return {
            "alert": self.name,
            "expr": self.bound,
            "for": f"{self.minutes}m",
            "labels": {"severity": "warning", **self.labels},
            "annotations": {"summary": self.says},
        }
