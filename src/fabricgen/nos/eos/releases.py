"""Spell the lines that differ between EOS trains, each with its source.

The trains are the ones in the tests of aristanetworks/avd in 2026. One line differs. 4.33
introduced `logging local-interface` and shows the older `logging source-interface` in that form.
4.32 refuses it (aristanetworks/avd issue 6309, with 4.32.9M and 4.33.6M; pull 6541). 4.35.1 marks
the older one as deprecated (schema of pyavd 6.4.0, logging.vrfs.local_interface).
"""

import re

RELEASES = ("4.32", "4.33", "4.34", "4.35", "4.36")
DEFAULT = "4.32"  # every train accepts its lines


def train(version: str) -> str:
    """Return the train in a version of `show version`, as 4.35 in `4.35.1F`, or an empty text."""
    numbers = re.match(r"(\d+\.\d+)\.", version)
    return numbers[1] if numbers else ""


def syslog_word(release: str) -> str:
    """Return a train's word for the source interface of syslog."""
    return "source" if (release or DEFAULT) == "4.32" else "local"
