#!/bin/sh
# Process 1 over the machine's files, read-only: makes what the lab's engine expects, starts the
# measurement, ends the machine. The first serial line is the console, the second the results.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8
export PYTHONDONTWRITEBYTECODE=1 TMPDIR=/run
mount -t tmpfs -o mode=755 run /run
mkdir -p /dev/pts /dev/shm /run/lock /run/netns /run/packages /run/tools /run/all
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts /dev/pts
mount -t tmpfs -o mode=1777 shm /dev/shm
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
hostname roce
# Programs find their libraries where Debian puts them: the packages above this machine's files.
share="trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro"
mount -t 9p -o "$share" packages /run/packages
mount -t 9p -o "$share" tools /run/tools # not there when every tool is installed: an empty folder
mount -t overlay -o lowerdir=/run/packages:/run/tools:/ overlay /run/all
for each in proc sys dev; do mount --rbind "/$each" "/run/all/$each"; done
setsid "$ROCE_PYTHON" -m bench.roce.guest "$ROCE_JOB" >/dev/ttyS1 2>/dev/console
echo "measurement ended: $?"
echo o >/proc/sysrq-trigger # needs no poweroff program; process 1 must stay until it is over
sleep 30
