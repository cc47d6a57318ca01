"""Renders a frontend, imports its switches, and prints CPU seconds for each number of leafs.

usage: import_sites.py [LEAFS…]
Each number is a process of its own; 24, 48 and 123 unless told.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SITE = """site: {{name: lab, management: {{subnet: 10.255.0.0/20, ntp: [10.9.0.1]}}}}
frontend:
  leaf: {{model: 7050CX3-32S, platform: eos}}
  spine: {{model: 7060X6-64PE, platform: eos, count: 4}}
  links: {{speed: 100G}}
  leaf_groups: {{web: {{leafs: 1-{leafs}, servers: {{per_leaf: 24, speed: 25G}}}}}}
"""


def one(leafs: int) -> float:
    """Return the CPU seconds that adopting takes, without rendering the switches before."""
    from fabricgen.cli.main import run

    with tempfile.TemporaryDirectory() as folder:
        site, out = Path(folder, "site"), Path(folder, "out")
        site.mkdir()
        Path(site, "site.yaml").write_text(SITE.format(leafs=leafs))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            if run(["render", str(site), "-o", str(out)]):
                raise SystemExit("the site is not rendered")
            start = time.process_time()
            run(["import", str(out / "frontend"), "-o", str(Path(folder, "adopted"))])
        return time.process_time() - start


def main(numbers: list[int]) -> None:
    """Print a row for each number, with the ratio to the first."""
    first = 0.0
    for leafs in numbers:
        row = [sys.executable, __file__, "--one", str(leafs)]
        took = float(subprocess.run(row, check=True, capture_output=True, text=True).stdout)
        first = first or took
        switches = f"{leafs + 4} switches: {took:.1f} CPU s"
        print(f"{switches}, {took / first:.1f} times the first", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(one(int(sys.argv[2])))
    else:
        main([int(each) for each in sys.argv[1:]] or [24, 48, 123])
