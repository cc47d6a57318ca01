"""Plain Linux with FRR: ifupdown2 interfaces, kernel VRFs and VXLAN, tc and dcb for queues."""
