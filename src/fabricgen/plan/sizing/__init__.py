"""The choice of a design before there is an intent, and the same numbers of sites that have one."""
