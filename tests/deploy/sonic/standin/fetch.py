"""Nothing in; a Redis server beside the lab's programs out, unpacked where none is installed."""

import sys

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.tools import Tools, unpack


def main() -> int:
    """Unpack it once, and say what was unpacked."""
    tools = Tools.here()
    if tools.find("usr/bin/redis-server") is None:
        try:
            sys.stdout.write("\n".join(unpack(tools, ["redis-server"])) + "\n")
        except LabFailure as failure:
            sys.stderr.write(f"{failure}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
