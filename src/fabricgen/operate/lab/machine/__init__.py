"""Machines a lab can run in: this kernel itself, or a Linux kernel as an ordinary process."""
