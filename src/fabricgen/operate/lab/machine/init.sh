#!/bin/sh
# Process 1 of a lab in user mode. The root is this machine's, read-only; what the lab writes is in
# memory and gone with it. Words NAME=VALUE of the kernel's command line are the environment.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8
export PYTHONDONTWRITEBYTECODE=1 TMPDIR=/run
mount -t proc proc /proc
mount -t sysfs sys /sys
cd "$LAB_FILES" # it may be below /run, which is about to be covered
mount -t tmpfs -o mode=755 run /run
mkdir /run/files
mount -c --bind . /run/files # -c: "." itself, not its path
cd /
mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm /run/lock /run/netns
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts /dev/pts
mount -t tmpfs -o mode=1777 shm /dev/shm
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
hostname lab
# The kernel counts the neighbors of all namespaces together, and only here can the limit be set
# (net/core/neighbor.c; Documentation/networking/ip-sysctl: gc_thresh3). 1024 are too few for 32
# switches whose hosts all talk to each other.
for family in ipv4 ipv6; do
    echo 1048576 > /proc/sys/net/$family/neigh/default/gc_thresh3
    echo 524288 > /proc/sys/net/$family/neigh/default/gc_thresh2
done
setsid "$LAB_PYTHON" -m fabricgen.operate.lab.engine.main /dev/ttyS0 /run/files "$LAB_TOOLS" &
wait $!
echo "engine ended: $?"
echo o > /proc/sysrq-trigger # needs no poweroff program; process 1 must stay until it is over
sleep 30
