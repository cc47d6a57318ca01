# A server at each port that marks.nft names, and at swp1, which it does not. $1: marks.nft, $2: the
# program that sends and listens. Each probe of stdin is a line: port, VLAN or 0, family, TOS byte.
# Prints for each with which TOS byte the packet passed the port.
set -e
mount -t tmpfs tmpfs /run
ip netns add servers
for port in swp1 $(sed -n 's/^ *chain \(.*\) {/\1/p' "$1"); do
    ip link add "$port" type veth peer name "$port" netns servers
    for space in "" "-n servers"; do
        ip $space link set "$port" up
    done
done
nft -f "$1"
exec python3 -I "$2"
