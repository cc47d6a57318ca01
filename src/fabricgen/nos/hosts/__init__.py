"""Configure the servers: rails, bonds, VLANs, NIC QoS, the NCCL environment and a check script."""
