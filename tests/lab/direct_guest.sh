#!/bin/sh
# Process 1 of a guest in which a lab runs directly: the same steps as on a machine whose kernel has
# VRF and VXLAN, with what is left of it printed between marks. LAB_*: words of the command line.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8
export PYTHONDONTWRITEBYTECODE=1 TMPDIR=/run XDG_RUNTIME_DIR=/run/labs XDG_CACHE_HOME="$LAB_CACHE"
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs -o mode=755 run /run
mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm /run/lock "$XDG_RUNTIME_DIR"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts /dev/pts
mount -t tmpfs -o mode=1777 shm /dev/shm
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
ip link set lo up

lab() { "$LAB_PYTHON" -m fabricgen lab "$@" 2>&1; }
seen() { # of this machine, not of a lab: links, mounts, files in /run, processes that are no threads of the kernel
    ip -o link | cut -d: -f2 | grep -v gre0 | sort
    cut -d' ' -f2,3 /proc/mounts
    find /run -mindepth 1 ! -path '*.pyc' | sort
    for each in /proc/[0-9]*; do
        line=$({ tr '\0' ' ' < "$each/cmdline"; } 2>/dev/null) # it may be gone meanwhile
        case $line in "" | "/bin/sh $0"*) ;; *) echo "process $line" ;; esac
    done
}
step() {
    echo "== $1"
    shift
    "$@"
    echo "== $?"
}

main() {
    "$LAB_PYTHON" -c 'import sys; from pathlib import Path
from fabricgen.operate.lab.engine.kernel import load_modules; load_modules(Path(sys.argv[1]))' "$LAB_MODULES"
    mkdir -m 700 "$XDG_RUNTIME_DIR/fabricgen-0"
    step before seen
    step up lab up "$LAB_INTENT" --name direct --limit be-su01-leaf1 --limit be-spine1
    step while ip -o link
    step status lab status
    step exec lab exec be-su01-leaf1 -- hostname
    step ssh lab ssh be-su01-leaf1 hostname
    step down lab down
    step after seen
    step again lab up "$LAB_INTENT" --name direct --limit be-su01-leaf1
    for each in /proc/[0-9]*; do # a minimal Debian has no pgrep
        line=$({ tr '\0' ' ' < "$each/cmdline"; } 2>/dev/null)
        case $line in *" -m fabricgen.operate.lab.supervisor "*) kill -KILL "${each#/proc/}" ;; esac
    done
    sleep 2
    step killed seen
    echo "== end"
}
main > /run/said 2>&1 & # its own process, so that this one reaps what loses its parent
wait $!
cat /run/said > /dev/console
sync
echo o > /proc/sysrq-trigger
sleep 30
