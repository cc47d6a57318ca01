"""From the imports of the house: that they point down only, and that the CLI starts light."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What a verb may need, and `fabricgen --help` may not.
HEAVY = {
    *("pydantic", "jinja2", "yaml", "rich", "napalm", "nornir", "netaddr", "sqlalchemy", "hvac"),
    "opentelemetry",
}


def test_imports_point_down_only() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [lint, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_command_line_starts_without_the_heavy_libraries() -> None:
    program = "import fabricgen.cli.main, json, sys; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    loaded = {module.partition(".")[0] for module in json.loads(run.stdout)}
    assert "fabricgen" in loaded
    assert not HEAVY & loaded
