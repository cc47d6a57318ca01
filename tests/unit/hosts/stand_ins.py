"""Stand-ins for the tools of NICs: small shell scripts that keep state and answer as documented.

None of them is the tool. They know the words that the scripts of a server use, refuse what the
documents say is refused, and print what the documents show. A tool named in $REFUSES fails.
"""

import os
import subprocess
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

_HEAD = """#!/bin/sh
name=${0##*/}
echo "$name $*" >>"$STATE/log"
case " $REFUSES " in *" $name "*) exit 1 ;; esac
"""

# python/mlnx_qos of Mellanox/mlnx-tools: one message for PFC and cable length, a default table when
# trust becomes dscp, 24 characters of DSCPs a line; trust and dscp2prio exclude each other.
_MLNX_QOS = """
pfc= len= trusted= mapped= tcs= kinds= percents=
while [ $# -gt 0 ]; do
    case $1 in
    -i) dir=$STATE/mlnx/$2; mkdir -p "$dir"; touch "$dir/ets"; [ -e "$dir/trust" ] || {
        echo pcp >"$dir/trust"; echo 0,0,0,0,0,0,0,0 >"$dir/pfc"; echo 7 >"$dir/len"; } ;;
    --trust) trusted=1
        if [ "$2" = dscp ] && [ "$(cat "$dir/trust")" = pcp ]; then
            awk 'BEGIN {for (c = 0; c < 64; c++) print c, int(c / 8)}' >"$dir/map"
        fi
        echo "$2" >"$dir/trust" ;;
    --dscp2prio) mapped="$mapped ${2#set,}" ;;
    --pfc) pfc=$2 ;;
    --cable_len) len=$2 ;;
    --prio_tc) tcs=$2 ;;
    --tsa) kinds=$2 ;;
    --tcbw) percents=$2 ;;
    --dcbx) ;;
    *) exit 1 ;;
    esac
    shift 2
done
[ -n "$trusted" ] && [ -n "$mapped" ] && exit 1
[ -n "$pfc$len" ] && { echo "${pfc:-0,0,0,0,0,0,0,0}" >"$dir/pfc"; echo "${len:-0}" >"$dir/len"; }
if [ -n "$mapped" ]; then
    awk -v new="$mapped" 'BEGIN {n = split(new, list, " ")
        for (i = 1; i <= n; i++) {split(list[i], pair, ","); to[pair[1]] = pair[2]}}
        {print $1, ($1 in to) ? to[$1] : $2}' "$dir/map" >"$dir/map.new"
    mv "$dir/map.new" "$dir/map"
fi
[ -n "$tcs" ] && echo "$tcs $kinds $percents" >"$dir/ets"
echo "DCBX mode: OS controlled"
echo "Priority trust state: $(cat "$dir/trust")"
[ "$(cat "$dir/trust")" = dscp ] && awk '{codes[$2] = sprintf("%02d,", $1) codes[$2]}
    END {print "dscp2prio mapping:"
        for (p = 0; p < 8; p++) for (; codes[p] != ""; codes[p] = substr(codes[p], 25))
            printf "\\tprio:%d dscp:%s\\n", p, substr(codes[p], 1, 24)}' "$dir/map"
echo "default priority:"
echo "Receive buffer size (bytes): 20016,156096,0,0,0,0,0,0,total_size=1027728"
echo "Cable len: $(cat "$dir/len")"
echo "PFC configuration:"
printf '\\tpriority    0   1   2   3   4   5   6   7\\n'
printf '\\tenabled     %s   \\n' "$(sed 's/,/   /g' "$dir/pfc")"
printf '\\tbuffer      0   0   0   1   0   0   0   0   \\n'
read -r tcs kinds percents <"$dir/ets"
awk -v tcs="${tcs:-1,0,2,3,4,5,6,7}" -v kinds="$kinds" -v percents="$percents" 'BEGIN {
    split(tcs, to, ","); split(kinds, kind, ","); split(percents, percent, ",")
    for (c = 0; c < 8; c++) {
        text = kind[c + 1] == "" ? "vendor" : kind[c + 1]
        if (text == "ets") text = text ", bw: " percent[c + 1] "%"
        printf "tc: %d ratelimit: unlimited, tsa: %s\\n", c, text
        for (p = 0; p < 8; p++) if (to[p + 1] == c) printf "\\t priority:  %d\\n", p
    }}'
"""

_CMA_TOS = """
while getopts d:p:t: word; do case $word in d) dev=$OPTARG ;; t) tos=$OPTARG ;; *) ;; esac; done
mkdir -p "$STATE/cma"
[ -n "$tos" ] && echo "$tos" >"$STATE/cma/$dev"
cat "$STATE/cma/$dev" 2>/dev/null || echo 0
"""

_RDMA = """
[ "$1 $2 $4" = "dev set name" ] || exit 1
mv "$FABRICGEN_ROOT/sys/class/infiniband/$3" "$FABRICGEN_ROOT/sys/class/infiniband/$5"
"""

# dcb(8) of iproute2 6.1; with $EIGHT the driver takes ETS for all eight traffic classes only.
_DCB = """
[ "$1" = -N ] && shift
what="$1 $2" dir=$STATE/dcb/$4
shift 4
mkdir -p "$dir"
case $what in
"app show") printf '%s ' "$1"; sort -t: -n "$dir/$1" 2>/dev/null | tr '\\n' ' '; echo ;;
"app flush") : >"$dir/$1" ;;
"app add" | "app replace")
    file=$dir/$1; shift; touch "$file"
    for entry; do
        if [ "$what" = "app replace" ]; then
            grep -v "^${entry%:*}:" "$file" >"$file.new"; mv "$file.new" "$file"
        fi
        grep -qx "$entry" "$file" || echo "$entry" >>"$file"
    done ;;
"ets set")
    case "$EIGHT $*" in 1*7:strict*) ;; 1*) exit 1 ;; esac
    echo "$*" >"$dir/ets" ;;
"pfc set")
    shift
    for entry; do
        case $entry in
        all:*) for p in 0 1 2 3 4 5 6 7; do echo "${entry#*:}" >"$dir/pfc.$p"; done ;;
        *) echo "${entry#*:}" >"$dir/pfc.${entry%:*}" ;;
        esac
    done ;;
"pfc show")
    printf 'prio-pfc '
    for p in 0 1 2 3 4 5 6 7; do
        printf '%s:%s ' $p "$(cat "$dir/pfc.$p" 2>/dev/null || echo off)"
    done
    echo ;;
*) exit 1 ;;
esac
"""

# nicctl as AMD's guides show it: no-drop that is off cannot be switched off, a priority without a
# DSCP cannot be scheduled, DCQCN is off until it is given a profile.
_NICCTL = """
dir=$STATE/nicctl
mkdir -p "$dir/dcqcn"
if [ ! -e "$dir/type" ]; then
    echo PCP >"$dir/type"
    awk 'BEGIN {for (c = 0; c < 64; c++) print c, 0}' >"$dir/map"
fi
what="$1 $2"
shift 2
case $what in
"update port") echo "$*" >"$dir/port" ;;
"update dcqcn") nic=$2; [ "$3 $4" = "-i 1" ] || exit 1; shift 4
    touch "$dir/dcqcn/$nic"
    while [ $# -gt 1 ]; do
        case $1 in
        --cnp-dscp) name="DSCP value used for CNP" ;;
        --token-bucket-size) name="Token bucket size" ;;
        --ai-rate) name="Rate increase in AI phase" ;;
        --alpha-update-interval) name="Alpha update interval" ;;
        --alpha-update-g) name="Alpha update G value" ;;
        --initial-alpha-value) name="Initial alpha value" ;;
        --rate-increase-byte-count) name="Rate increase byte count" ;;
        --hai-rate) name="Rate increase in HAI phase" ;;
        --rate-reduce-monitor-period) name="Rate reduce monitor period" ;;
        --rate-increase-threshold) name="Rate increase threshold" ;;
        --rate-increase-interval) name="Rate increase interval" ;;
        *) exit 1 ;;
        esac
        sed -i "/^$name :/d" "$dir/dcqcn/$nic"
        echo "$name : $2" >>"$dir/dcqcn/$nic"
        shift 2
    done ;;
"update qos")
    case $1 in
    --classification-type) echo "$2" | tr a-z A-Z >"$dir/type" ;;
    dscp-to-priority)
        awk -v codes="$3" -v to="$5" 'BEGIN {n = split(codes, list, ",")
            for (i = 1; i <= n; i++) {m = split(list[i], ends, "-")
                for (c = ends[1] + 0; c <= ends[m] + 0; c++) moved[c]}}
            {print $1, ($1 in moved) ? to : $2}' "$dir/map" >"$dir/map.new"
        mv "$dir/map.new" "$dir/map" ;;
    pfc)
        if [ "$5" = enable ]; then touch "$dir/nodrop.$3"
        elif [ -e "$dir/nodrop.$3" ]; then rm "$dir/nodrop.$3"; else exit 1; fi ;;
    scheduling)
        for p in $(echo "$3" | tr , ' '); do
            awk -v p="$p" '$2 == p {known = 1} END {exit !known}' "$dir/map" || exit 1
        done
        echo "$*" >"$dir/scheduling" ;;
    *) exit 1 ;;
    esac ;;
"show qos")
    printf 'NIC  : 42424650-0000 (0000:f6:00.0)\\n\\nPort : 04908130-a7a0\\n\\n'
    printf '  Classification type         : %s\\n\\n  DSCP-to-priority :\\n' "$(cat "$dir/type")"
    awk '
        {if ($2 in last && $1 == last[$2] + 1) sub(/(-[0-9]+)?$/, "-" $1, text[$2])
         else text[$2] = text[$2] (text[$2] == "" ? "" : ", ") $1
         last[$2] = $1}
        END {for (p = 0; p < 8; p++) if (p in text) {
            printf "    DSCP bitmap               : 0x0 ==> priority : %s\\n", p
            printf "    DSCP                      : %s ==> priority : %s\\n", text[p], p}
        }' "$dir/map"
    map=0 list=
    for p in 0 1 2 3 4 5 6 7; do
        [ -e "$dir/nodrop.$p" ] && { map=$((map | 1 << p)); list=${list:+$list,}$p; }
    done
    printf '\\n  PFC :\\n    PFC priority bitmap       : 0x%x\\n' $map
    printf '    PFC no-drop priorities    : %s\\n' "$list" ;;
"show dcqcn")
    printf 'ROCE device                                : %s\\n  DCQCN profile id        : 1\\n' "$2"
    if [ -e "$dir/dcqcn/$2" ]; then
        printf '  Status                                   : Enabled\\n'
        sed 's/ :/             :/; s/^/  /' "$dir/dcqcn/$2"
    else
        printf '  Status                                   : Disabled\\n'
    fi ;;
*) exit 1 ;;
esac
"""

# mlxconfig of MFT: parameters in columns Default, Current and Next Boot, a star before a name whose
# columns differ (docs.nvidia.com, MFT, Examples of mlxconfig Usage); values as a card is delivered.
_MLXCONFIG = """
set_up() {
    mkdir -p "$STATE/firmware"
    file=$STATE/firmware/$1
    [ -e "$file" ] && return
    echo "ROCE_ADAPTIVE_ROUTING_EN False(0) False(0) False(0)" >"$file"
    echo "INTERNAL_CPU_OFFLOAD_ENGINE ENABLED(0) ENABLED(0) ENABLED(0)" >>"$file"
    printf '%s\\n' "NUM_OF_PF 1 1 1" "NUM_OF_PLANES_P1 0 0 0" >>"$file"
    for port in 1 2; do
        for pair in "LINK_TYPE=ETH(2)" ROCE_CC_PRIO_MASK=255 CNP_DSCP=48 CNP_802P_PRIO=6 \
            RPG_AI_RATE=5 RPG_HAI_RATE=50 "CLAMP_TGT_RATE=False(0)" MIN_TIME_BETWEEN_CNPS=4; do
            value=${pair#*=}
            echo "${pair%%=*}_P$port $value $value $value" >>"$file"
        done
    done
}
case $1 in
-y) [ -n "$REFUSES_WRITES" ] && exit 1
    set_up "$3"; shift 4
    for pair; do
        case $pair in *"["*) echo "$pair" >>"$STATE/split"; continue ;; esac
        grep -q "^${pair%%=*} " "$file" || exit 1
        awk -v name="${pair%%=*}" -v value="${pair#*=}" '
            $1 == name {$4 = value} {print}' "$file" >"$file.new"
        mv "$file.new" "$file"
    done ;;
-d) [ "$3 $4" = "-e q" ] || exit 1; set_up "$2"
    printf '\nDevice #1:\n----------\n\nDevice type:    ConnectX7\n\n'
    printf 'Configurations:          Default      Current      Next Boot\n'
    awk '{star = ($2 == $3 && $3 == $4) ? " " : "*"
        printf "%s        %-40s %-15s %-15s %-15s\\n", star, $1, $2, $3, $4}' "$file" ;;
*) exit 1 ;;
esac
"""

_MLXFWRESET = """
file=$STATE/firmware/$2
awk '{$3 = $4} {print}' "$file" >"$file.new" && mv "$file.new" "$file"
"""

# Answers with the lines that lie in $STATE/ip: what the kernel would show.
_IP = """
while :; do case $1 in -*) shift ;; *) break ;; esac; done
case "$1 $2" in
"address show") cat "$STATE/ip/address.$4" 2>/dev/null ;;
"rule show") cat "$STATE/ip/rules" ;;
"route show") cat "$STATE/ip/route.$4" 2>/dev/null ;;
*) exit 1 ;;
esac
"""

FIRMWARE = "etc/fabricgen/firmware.sh"
TOOLS = {
    "mlnx_qos": _MLNX_QOS,
    "mlxconfig": _MLXCONFIG,
    "mlxfwreset": _MLXFWRESET,
    "cma_roce_tos": _CMA_TOS,
    "cma_roce_mode": "",
    "rdma": _RDMA,
    "dcb": _DCB,
    "ethtool": "exit 79\n",
    "nicctl": _NICCTL,
    "ip": _IP,
}


@dataclass(frozen=True)
class Host:
    """A server that is not there: a folder as its root, stand-ins as its tools."""

    root: Path
    state: Path
    tools: Path

    def run(
        self, script: str, shell: str = "sh", words: str = "", **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a rendered script on this host."""
        return subprocess.run(
            [shell, str(self.root / script), *words.split()],
            env={
                "PATH": f"{self.tools}:{os.environ['PATH']}",
                "FABRICGEN_ROOT": str(self.root),
                "STATE": str(self.state),
                **more,
            },
            capture_output=True,
            text=True,
            check=False,
        )

    def apply(self, **more: str) -> subprocess.CompletedProcess[str]:
        """Run what the unit runs; then the kernel shows the traffic class as the driver does."""
        done = self.run("etc/fabricgen/nics.sh", **more)
        for path in self.root.glob("sys/class/infiniband/*/tc/1/traffic_class"):
            text = path.read_text()
            if text.strip().isdigit():
                path.write_text(f"Global tclass={text}")
        return done

    def keep(self) -> None:
        """Bring the firmware to what the fabric needs, where there is something to bring."""
        if (self.root / FIRMWARE).exists():
            self.run(FIRMWARE, words="set")
            self.reset()

    def reset(self) -> None:
        """Reset every NIC whose firmware was looked at: what was written is in force."""
        for nic in sorted((self.state / "firmware").iterdir()):
            subprocess.run(
                [self.tools / "mlxfwreset", "-d", nic.name, "reset"],
                env={**os.environ, "STATE": str(self.state)},
                check=True,
            )

    def check(self, **more: str) -> tuple[int, list[str]]:
        """Run the check; return its exit status and its lines."""
        done = self.run("etc/fabricgen/check", **more)
        assert not done.stderr, done.stderr
        return done.returncode, done.stdout.splitlines()

    def snapshot(self) -> dict[str, str]:
        """Everything that the host and its NICs hold, but the record of calls."""
        return {
            str(path): path.read_text()
            for folder in (self.root, self.state)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != "log"
        }

    def calls(self) -> list[str]:
        """The words that the tools were given."""
        log = self.state / "log"
        return log.read_text().splitlines() if log.exists() else []

    def put(self, path: str, text: str) -> None:
        """Write a file below the root."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)


def host(folder: Path, files: dict[str, str], gid: int) -> Host:
    """Make a host with its files in place and its network configured, its NICs untouched.

    The kernel's side is written from the tables of ports; RDMA devices have the driver's names.
    """
    made = Host(folder / "root", folder / "state", folder / "tools")
    made.tools.mkdir()
    (made.state / "ip").mkdir(parents=True)
    for name, body in TOOLS.items():
        (made.tools / name).write_text(_HEAD + body)
        (made.tools / name).chmod(0o755)
    for path, text in files.items():
        made.put(path, text)
    rules = "0:\tfrom all lookup local\n"
    tables = (files.get(f"etc/fabricgen/{table}", "") for table in ("rails", "routed"))
    rows = [line.split() for table in tables for line in table.splitlines() if line[0] != "#"]
    mtu = next(
        line.split()[-1] for line in files["etc/fabricgen/check"].splitlines() if "/mtu" in line
    )
    for number, row in enumerate(rows):
        _, nic, address, own, gateway, subnet, table, block, everywhere, _, *rank = row
        nic_files(made, number, nic, own, mtu, gid)
        shared = str(int(table) // 1000 * 1000 + 1000) if rank else table
        closed = int(table) + 2000
        rules += f"{table}:\tfrom {own} lookup {table}\n"
        rules += f"{int(table) + 1000}:\tfrom 0.0.0.0 to {block} lookup {shared}\n"
        rules += f"{closed}:\tfrom all to {block} lookup {closed}\n"
        refused = "unreachable default proto static metric 4278198272 \n"
        (made.state / f"ip/route.{closed}").write_text(refused)
        routes = f"{subnet} dev {nic} proto static scope link \n"
        for prefix in {block, everywhere} - {"-"}:
            routes += f"{prefix} via {gateway} dev {nic} proto static \n"
        (made.state / f"ip/route.{table}").write_text(routes + refused)
        if rank:
            way = f"{block} via {gateway} dev {nic} proto static metric {rank[0]} \n"
            with (made.state / f"ip/route.{shared}").open("a") as file:
                file.write(way)
            made.put(f"proc/sys/net/ipv4/conf/{nic}/ignore_routes_with_linkdown", "1\n")
        line = (
            f"{number + 2}: {nic}    inet {address} scope global {nic}\\       valid_lft forever\n"
        )
        (made.state / f"ip/address.{nic}").write_text(line)
    (made.state / "ip/rules").write_text(rules + "32766:\tfrom all lookup main\n")
    return made


def address_of(number: int) -> str:
    """Return the PCI address of the NIC of that number, from 0 on."""
    return f"0000:{number + 16:02x}:00.0"


def nic_files(made: Host, number: int, nic: str, own: str, mtu: str, gid: int) -> None:
    """Write what the kernel shows of one NIC."""
    made.put(f"sys/class/net/{nic}/mtu", f"{mtu}\n")
    (made.root / f"sys/class/net/{nic}/device").symlink_to(f"../../../{address_of(number)}")
    for side in ("roce_np", "roce_rp"):
        for priority in range(8):
            made.put(f"sys/class/net/{nic}/ecn/{side}/enable/{priority}", "0\n")
    made.put(f"sys/class/net/{nic}/ecn/roce_np/cnp_dscp", "0\n")
    made.put(f"sys/class/net/{nic}/ecn/roce_np/cnp_802p_prio", "0\n")
    device = f"sys/class/infiniband/mlx5_{9 - number}"
    made.put(f"{device}/tc/1/traffic_class", "")
    made.put(f"{device}/ports/1/gid_attrs/ndevs/0", f"{nic}\n")
    made.put(f"{device}/ports/1/gid_attrs/types/{gid}", "RoCE v2\n")
    octets = ip_address(own).packed.hex()
    made.put(
        f"{device}/ports/1/gids/{gid}",
        f"0000:0000:0000:0000:0000:ffff:{octets[:4]}:{octets[4:]}\n",
    )
    for key, value in (("arp_ignore", 1), ("arp_announce", 2), ("rp_filter", 2)):
        made.put(f"proc/sys/net/ipv4/conf/{nic}/{key}", f"{value}\n")
    config = "sys/kernel/config"
    for key in ("disable_prio_vlan_tx", "ecn_marking", "ecn_enable", "cc_mode", "apply"):
        made.put(f"{config}/bnxt_re/{nic}/ports/1/cc/{key}", "0x0\n")
    for key in ("cnp_prio", "roce_prio", "roce_dscp", "cnp_dscp"):
        made.put(f"{config}/bnxt_re/{nic}/ports/1/cc/{key}", "0x0\n")
    made.put(f"{config}/rdma_cm/{nic}/ports/1/default_roce_mode", "IB/RoCE v1\n")
    made.put(f"{config}/rdma_cm/{nic}/ports/1/default_roce_tos", "0\n")
