"""Runs as root inside the lab's machine and makes all changes to namespaces there."""
