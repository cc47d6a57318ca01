"""Edits of lossless classes, queues and buffers, with an engineer's summaries."""

from tests.review.edit import Edit

_ROCE = "    roce: {}"
LOSSLESS = (
    Edit(
        name="thresholds of ECN",
        site="storage",
        steps=(("site.yaml", _ROCE, "    roce: {ecn: {minimum: 400000, maximum: 800000}}"),),
        engineer="ECN of the RoCE queue 3 marks from 400,000 to 800,000 bytes on every port in "
        "use of the storage fabric. Congestion control reacts differently for all flows.",
        words=("ECN", "queue 3", "400,000", "800,000"),
        causes=("fabrics.storage.roce.ecn",),
        effects=("changed queues of port ECN of queue 3",),
        hit="nobody",
    ),
    Edit(
        name="timers of the PFC watchdog",
        site="storage",
        steps=(("site.yaml", _ROCE, "    roce: {watchdog: {detection: 400, restoration: 400}}"),),
        engineer="The PFC watchdog waits 400 ms instead of 200 ms, both to detect a storm and to "
        "restore a queue, on every switch of the storage fabric.",
        words=("PFC watchdog", "200", "400"),
        causes=("fabrics.storage.roce.watchdog",),
        effects=("changed queues of port PFC watchdog",),
        hit="nobody",
    ),
    Edit(
        name="longer cables to the servers",
        site="full",
        steps=(
            (
                "servers.yaml",
                "rdma: {fabric: backend, speed: 400G, nic: connectx-7}",
                "rdma: {fabric: backend, speed: 400G, nic: connectx-7, cable_length: 40}",
            ),
        ),
        engineer="The rail cables of the GPU servers are 40 m instead of 5 m long. The headroom of "
        "their leaf ports grows accordingly.",
        words=("ECN", "422,400"),
        causes=("servers.gpu.ports.rdma.cable_length",),
        effects=(
            "changed queues of port ECN of queue ?",
            "changed setting etc/fabricgen/nics.sh:script",
        ),
        hit="the RoCE traffic of the rail leafs, while their buffers change",
        corrected="SONiC ships one row of 612,140 bytes that is enough for 5 m and for 40 m, so "
        "headroom stays. ECN marks later, and the NICs get the new length.",
    ),
    Edit(
        name="longer cables between switches",
        site="storage",
        steps=(("site.yaml", "links: {speed: 400G}", "links: {speed: 400G, length: 300}"),),
        engineer="The cables between the leafs and spines of storage may be 300 m long. The "
        "headroom of group 3 grows to 844,881 bytes at the ports of SONiC, and ECN marks later.",
        words=("ECN of queue 3", "headroom"),
        causes=("fabrics.storage.links.length",),
        effects=(
            "changed queues of port headroom of group 3",
            "changed queues of port headroom cable",
            "changed memory headroom",
            "changed queues of port ECN of queue 3",
        ),
        hit="the RoCE traffic of the storage fabric, while its buffers change",
    ),
    Edit(
        name="a larger permitted over-subscription of headroom",
        site="full",
        steps=(("backend.yaml", "over_subscription: 6 ", "over_subscription: 8 "),),
        engineer="Only the limit of a check rises, since the pool of the chip stays. No switch "
        "changes.",
        words=("no change",),
        causes=("backend.roce.over_subscription",),
        effects=(),
        hit="nobody",
    ),
    Edit(
        name="the DSCP of RoCE",
        site="storage",
        steps=(("site.yaml", _ROCE, "    roce: {dscp: 24}"),),
        engineer="RoCE uses DSCP 24 instead of 26 in the storage fabric, on switches and servers. "
        "Until both have changed, packets of the other value are lossy.",
        words=("DSCP", "24", "26"),
        causes=("fabrics.storage.roce.dscp",),
        effects=(
            "changed queues of port DSCP classification",
            "changed setting etc/fabricgen/nics.sh:script",
        ),
        hit="RoCE of all servers, while switches and servers differ",
    ),
    Edit(
        name="the share of the storage class",
        site="full",
        steps=(("backend.yaml", "storage: {share: 20}", "storage: {share: 30}"),),
        engineer="The storage queue 4 of the backend is served with 30 % instead of 20 %. The "
        "RoCE queue and best effort give up this share in proportion.",
        words=("queue 4", "20 %", "30 %"),
        causes=("backend.roce.storage.share",),
        effects=("changed queues of port scheduling",),
        hit="nobody",
        extra=(("changed setting etc/fabricgen/nics.sh:script", "NICs have the shares as well"),),
    ),
)
