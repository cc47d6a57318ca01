"""The servers' side: rails, bonds and VLANs, the NIC's QoS, NCCL's environment, a check."""
