# Two hosts and a switch between them that has the file given; each probe of stdin is a line: from,
# protocol, source port, target port. Prints for each whether it arrived, and its answer came back.
set -e
mount -t tmpfs tmpfs /run
number=10
for host in web app; do
    ip netns add $host
    ip link add vlan$number type veth peer name eth0 netns $host
    ip address add 10.10.$number.1/24 dev vlan$number
    ip link set vlan$number up
    ip -n $host address add 10.10.$number.2/24 dev eth0
    ip -n $host link set eth0 up
    ip -n $host route add default via 10.10.$number.1
    number=20
done
echo 1 > /proc/sys/net/ipv4/ip_forward
nft -f "$1"
while read -r from protocol source target; do
    to=app address=10.10.20.2
    [ "$from" = web ] || { to=web address=10.10.10.2; }
    if [ "$protocol" = icmp ]; then
        ip netns exec "$from" python3 -I "$2" ask icmp 0 $address 0
        continue
    fi
    ip netns exec $to python3 -I "$2" answer "$protocol" "$target" $address >/run/ready &
    until [ -s /run/ready ]; do :; done
    ip netns exec "$from" python3 -I "$2" ask "$protocol" "$target" $address "$source"
    kill $! 2>/dev/null || true
    rm /run/ready
done
