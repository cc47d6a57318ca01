"""Lower a slice to plain Linux with FRR: ifupdown2, kernel VRFs and VXLAN, tc and dcb queues."""
