#!/bin/sh
# The first process of a switch: makes its root out of layers, moves into it, and stays.
# It is in mount, host name, process and network spaces of its own already.
# usage: node.sh NAME LOWER UPPER WORK ROOT
set -e
name=$1 lower=$2 upper=$3 work=$4 root=$5
mount --make-rprivate /
mount -t overlay -o "lowerdir=$lower,upperdir=$upper,workdir=$work" overlay "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=755 run "$root/run"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"
mkdir -p "$root/run/lock" "$root/run/sshd" "$root/run/network" "$root/run/frr" "$root/run/old" \
    "$root/var/tmp/frr"
cd "$root"
pivot_root . run/old
hostname "$name"
umount -l /run/old
rmdir /run/old
chown frr:frr /run/frr /etc/frr /var/log/frr /var/tmp/frr
ip link set lo up
echo ready
while :; do # process 1 has to wait for every process that loses its parent
    sleep 3600 &
    wait $!
done
