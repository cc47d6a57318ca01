"""What PyAVD, Arista's renderer of structured configurations, makes of sample facts, as EOS text.

It needs a Python that has pyavd (6.4.0 was used): the one that FABRICGEN_PYAVD names, or this one.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

PYTHON = os.environ.get("FABRICGEN_PYAVD") or (
    sys.executable if importlib.util.find_spec("pyavd") else ""
)
SAMPLE = Path(__file__).with_name("avd.yaml")
_RENDER = """
import json, sys
from pyavd import get_device_config, validate_structured_config
result = validate_structured_config(json.load(sys.stdin))
wrong = result.validation_result.violations
sys.exit("; ".join(f"{v.path}: {v.message}" for v in wrong)) if wrong else None
print(get_device_config(result.validated_data))
"""


@cache
def reference(*, joined: bool = False) -> str:
    """Return the text of the sample. joined: VRFs tell their subnets by a map, as of a pair."""
    told, by = "connected: {enabled: true}", "connected: {enabled: true, route_map: VRF-CONNECTED}"
    sample = SAMPLE.read_text()
    assert sample.count(told) == 2
    done = subprocess.run(
        [PYTHON, "-c", _RENDER],
        input=json.dumps(yaml.safe_load(sample.replace(told, by) if joined else sample)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


Line = tuple[str, ...]
"""A line with those it stands under, without numbers, addresses, names of ports and remarks."""


def shapes(text: str) -> Iterator[Line]:
    """Yield every line of a configuration as its shape, in order."""
    above: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("!") or not line or line == "end":
            continue
        indent = len(raw) - len(raw.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, _shape(line)))
        yield tuple(word for _, word in above)


def sections(text: str) -> list[list[Line]]:
    """Return the lines right below each line of the file, section by section; first the margin."""
    margin: list[Line] = []
    found = [margin]
    open_: list[list[Line]] = [margin]
    for line in shapes(text):
        del open_[len(line) :]
        open_[-1].append(line)
        below: list[Line] = []
        found.append(below)
        open_.append(below)
    return found


def _shape(line: str) -> str:
    line = re.sub(r"\b(IN|OUT)-\w+_\w+", r"\1-*", line)  # lists and maps of outside peers
    line = re.sub(r"\b(TAKE|TARGETS)-\w+", r"\1-*", line)  # of VRFs that take routes of others
    line = re.sub(r"(description|domain-id|ssh-key|location|name|hostname) .*", r"\1 *", line)
    line = re.sub(r"(qos profile|service-profile) \S+", r"\1 *", line)  # after their fabric
    line = re.sub(r"\b(ZONE6?)-\w+", r"\1-*", line)
    line = re.sub(r"[0-9a-f]*:[0-9a-f:]*:[0-9a-f:]*", "#", line)
    line = re.sub(r"(lacp system-id) [0-9a-f.]+", r"\1 #", line)
    return re.sub(r"#(?:[-./:, ]#)*", "#", re.sub(r"\d+(?:[gt]\b)?", "#", line))
