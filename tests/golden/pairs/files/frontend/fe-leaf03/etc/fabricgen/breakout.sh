#!/bin/sh
# Splits cages into ports, once: a cage that is split already no longer has a port of its own.
# The names of the new ports come from the udev rule of fabricgen: swp1s0, swp1s1, ...
failed=0

split() { # port, number of parts
    [ -e "/sys/class/net/${1}s0" ] || devlink port split "$1" count "$2" || failed=1
}

split swp1 4
split swp2 4
split swp3 4
split swp4 4
split swp5 4
split swp6 4
split swp7 4
split swp8 4
split swp9 4
split swp31 2
split swp32 2
udevadm settle
exit $failed
