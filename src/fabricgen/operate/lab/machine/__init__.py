"""Run a lab on this kernel, or in a Linux kernel that is an ordinary process."""
