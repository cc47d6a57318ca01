#!/bin/sh
# Port settings of an ASIC with DCB: DSCP to priority, PFC, lossless buffers. Repeatable.
# A port whose driver refuses is said aloud, and the exit status is 1.
# tc.batch comes first: only a port with a tc scheduler takes buffer sizes (mlxsw spectrum_dcb.c).
failed=0

refused() {
    echo "fabricgen: $1 has no $2: its driver refused it" >&2
    failed=1
}

port() { # interface, bytes of each lossless buffer (0: none)
    dcb app replace dev "$1" default-prio 0 || refused "$1" "default priority"
    dcb app replace dev "$1" dscp-prio 0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 8:0 9:0 10:0 11:0 12:0 13:0 14:0 15:0 16:0 17:0 18:0 19:0 20:0 21:0 22:0 23:0 24:0 25:0 26:0 27:0 28:0 29:0 30:0 31:0 32:0 33:0 34:0 35:0 36:0 37:0 38:0 39:0 40:0 41:0 42:0 43:0 44:0 45:0 46:0 47:0 48:7 49:0 50:0 51:0 52:0 53:0 54:0 55:0 56:7 57:0 58:0 59:0 60:0 61:0 62:0 63:0 || refused "$1" "DSCP table"
    dcb pfc set dev "$1" prio-pfc all:off || refused "$1" "PFC"
}

port swp1s0 0
port swp1s1 0
port swp1s2 0
port swp1s3 0
port swp2s0 0
port swp2s1 0
port swp9s0 0
port swp9s1 0
port swp31s0 0
port swp31s1 0

exit $failed
