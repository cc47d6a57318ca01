"""A command in, its colored output as an SVG out: `terminal_picture.py OUT.svg COMMAND…`.

For the pictures of terminals in docs/: what is drawn is what the command printed, nothing else.
COLUMNS is the width of the terminal, 100 by default.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

# rich's own format fetches a font over the network; a picture in a repository must not.
_FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-size: {char_height}px;
  font-family: Menlo, Consolas, "DejaVu Sans Mono", monospace;
  line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: arial, sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g></g></svg>
"""


def main(target: str, command: list[str]) -> int:
    """Run the command and draw it; its exit code is ours."""
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={"COLUMNS": "100", **os.environ, "FORCE_COLOR": "1"},
    )
    if not done.stdout:
        sys.stderr.write(done.stderr)
        return done.returncode or 1
    shown = Text.from_ansi(done.stdout.rstrip())
    words = shlex.join(["fabricgen", *command[1:]])
    width = max(len(line) for line in (*shown.plain.splitlines(), words)) + 2
    console = Console(record=True, width=width, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115, PTH123
    console.print(shown, soft_wrap=True)
    drawn = console.export_svg(
        title=words, theme=MONOKAI, code_format=_FORMAT, unique_id="terminal"
    )
    Path(target).write_text(drawn)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
