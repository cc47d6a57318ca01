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
        words=("headroom",),
        causes=("servers.gpu.ports.rdma.cable_length",),
        effects=("changed queues of port headroom*",),
        hit="the RoCE traffic of the rail leafs, while their buffers change",
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
        effects=("changed queues of port DSCP classification",),
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
        effects=(
            "changed queues of port scheduling of queue 4",
            "changed queues of port scheduling of queue 3",
        ),
        hit="nobody",
    ),
)
