"""Asks for candidates in this process, as the script of a shell does."""

import os
from unittest.mock import patch

from fabricgen.cli.completion import QuietBash, QuietFish, QuietZsh
from fabricgen.cli.main import main

SHELLS = {shell.name: shell for shell in (QuietBash, QuietZsh, QuietFish)}


def complete(*words: str, shell: str = "bash", whole: bool = False) -> list[str]:
    """Return the candidates for the last word. whole: the lines that the script reads."""
    line = {
        "bash": ("\n".join(("fabricgen", *words)), str(len(words))),
        "zsh": (" ".join(("fabricgen", *words)), str(len(words))),
        "fish": (" ".join(("fabricgen", *words)), words[-1]),
    }[shell]
    with patch.dict(os.environ, {"COMP_WORDS": line[0], "COMP_CWORD": line[1]}):
        lines = SHELLS[shell](main, {}, "fabricgen", "_FABRICGEN_COMPLETE").complete().splitlines()
    if whole:
        return lines
    if shell == "zsh":
        return lines[1::3]
    return [line.partition(",")[2].partition("\t")[0] for line in lines]
