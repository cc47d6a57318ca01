"""The servers' side of a backend: rail addresses, the NIC's QoS, NCCL's environment, a check."""
