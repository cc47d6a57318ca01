"""The engine: runs as root inside the lab's machine, and is all that touches namespaces there."""
