#!/bin/busybox sh
# Process 1 out of the initramfs: loads every module, then moves to the machine's own files.
export PATH=/bin
busybox mount -t proc proc /proc
busybox mount -t sysfs sys /sys
busybox mount -t devtmpfs dev /dev
for module in $(busybox cat /modules/order); do
    busybox insmod "/modules/$module" || echo "insmod $module failed"
done
share="trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro"
busybox mount -t 9p -o "$share" root /new || busybox poweroff -f
for each in proc sys dev; do busybox mount --move "/$each" "/new/$each"; done
exec busybox switch_root /new /bin/sh "$ROCE_SECOND"
