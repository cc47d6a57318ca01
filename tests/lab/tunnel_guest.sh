#!/bin/sh
# Process 1 of a guest in which two leafs speak through a carrier: $TUNNELS/east and $TUNNELS/west make
# their tunnels as rendered. Each side sends one packet that fills its tunnel, and one that is larger.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb PYTHONDONTWRITEBYTECODE=1
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs -o mode=755 run /run
"$LAB_PYTHON" -c 'import sys; from pathlib import Path
from fabricgen.operate.lab.engine.kernel import load_modules; load_modules(Path(sys.argv[1]))' "$LAB_MODULES"

side() { # its name, the port below, the address there, that of the carrier
    ip netns add "$1"
    ip -n "$1" link add transport type vrf table 1002
    ip -n "$1" link add red type vrf table 1001
    ip -n "$1" link set transport up
    ip -n "$1" link set red up
    ip link add "$2" netns "$1" mtu 9000 type veth peer name "to-$1" netns carrier mtu 9000
    ip -n "$1" link set "$2" master transport up
    ip -n "$1" address add "$3/31" dev "$2"
    ip -n carrier address add "$4/31" dev "to-$1"
    ip -n carrier link set "to-$1" up
    ip -n "$1" route add default via "$4" table 1002
    ip netns exec "$1" sh -e "$TUNNELS/$1"
    ip netns exec "$1" sh -e "$TUNNELS/$1" # as a reload does
}
ip netns add carrier
ip netns exec carrier sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
side east $(echo "$EAST" | tr , ' ')
side west $(echo "$WEST" | tr , ' ')
sleep 1
ip netns exec east "$LAB_PYTHON" "$TUNNELS/packets.py" "$INSIDE" "$SIZE" > /run/said 2>&1
echo "links $(ip -n east -o link | cut -d: -f2 | tr -d '\n')" >> /run/said
echo "== end" >> /run/said
cat /run/said > /dev/console
echo o > /proc/sysrq-trigger
sleep 30
