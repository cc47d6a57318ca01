"""GPUs and the bandwidth of their NICs in; how long a collective takes at line rate, at best, out.

What NCCL's tests count (github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md): an all-reduce moves
2 (n-1)/n of its data through the link that is the bottleneck, an all-to-all (n-1)/n.
"""

from fabricgen.core.record import record


@record(kw_only=True)
class Times:
    """Milliseconds that a collective over all GPUs takes, without latency and protocol."""

    ring: float
    all_to_all: float


def times(*, servers: int, gpus: int, server_bits: float, data: int, ratio: float) -> Times:
    """Return the times for `data` bytes on each GPU.

    server_bits: bits per second of all NICs of a server. ratio: bandwidth from below per bandwidth
    up, from the NICs to the top. A ring enters and leaves each server once, over all its NICs, and
    neighbours on it share a leaf. All-to-all: what is for GPUs of other servers leaves by the NIC,
    and the ratio holds it back.
    """
    all_gpus = servers * gpus
    ring = 2 * (all_gpus - 1) / all_gpus * data * 8 / server_bits if servers > 1 else 0.0
    out = data * 8 * (all_gpus - gpus) / all_gpus
    each = out * gpus / server_bits * max(1.0, ratio)
    return Times(ring=ring * 1000, all_to_all=each * 1000)
