"""The example of docs/operate/batches.md: it is what the command prints."""

import subprocess
import sys

from tests.cli.calling import ROOT


def test_the_example_is_what_is_printed() -> None:
    page = (ROOT / "docs" / "operate" / "batches.md").read_text()
    command, _, shown = page.split("```\n$ python ", 1)[1].split("```", 1)[0].partition("\n")
    done = subprocess.run(
        [sys.executable, *command.split()], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == shown
