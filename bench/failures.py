"""Measures the CPU seconds of `fabricgen failures` on regular and irregular sites.

usage: failures.py
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]


def main() -> None:
    """Print a line for each site."""
    from sites import backend, evpn, scattered

    from fabricgen.compile.design.site import design_site
    from fabricgen.intent.load import load_texts
    from fabricgen.prove.failures.survey import Survey

    cases = {
        "frontend, 1,000 leafs in pods, 10 VRFs": evpn(1000, pods=True),
        "backend, 24,576 GPUs, three tiers": backend(24_576, "eos"),
        "frontend, 60 leafs, 40 tenants by lot": scattered(60, 40),
        "frontend, 200 leafs, 40 tenants by lot": scattered(200, 40),
    }
    for name, texts in cases.items():
        intent = load_texts(texts).intent
        assert intent is not None
        site, _ = design_site(intent)
        for fabric in site.fabrics:
            began = time.process_time()
            rows = Survey(fabric).rows(site.failures.together)
            spent = time.process_time() - began
            failures = sum(len(row.failures) for row in rows)
            print(
                f"{name}: {len(fabric.topology.switches):,} switches, {failures:,} failures in "
                f"{len(rows)} kinds, {spent:.1f} CPU s"
            )


if __name__ == "__main__":
    main()
