"""Run as root inside the lab's machine and make all changes to namespaces there."""
