"""Prove that PFC pauses cannot deadlock, or find the cycle of buffers that can.

Priority flow control pauses the sender of a full buffer. Where buffers can wait for each other in a
circle, one burst stops them all permanently, and the watchdog drops lossless packets. A buffer is
(switch, ingress port, lossless priority). It waits for the next one if a packet in it can be
forwarded onto the link that ends there. Without a circle there is no deadlock (Hu et al., HotNets
2016; Guo et al., SIGCOMM 2016; Hu et al., Tagger, CoNEXT 2017). To fix a circle, restore the policy
and the links of the design on the switch. The hints name the departure from the rule.

**The argument.** Let every switch keep the rule (rule.py verifies it on every session):

1. Each underlay session crosses a cable to its peer, joins neighboring tiers and is eBGP. `up` says
   which end is higher. Both ends of a session agree, since both compare the same tiers.
2. Each session up marks received routes as from above, and does not send marked routes up.
3. There is no static route.

Then traffic along a route from below only goes down: the switch that sent the route up learned it
from below, or originates it. As each hop is one tier and adds one AS, its path has as many ASNs as
there are tiers between here and the origin. A route from above has crossed m > 0 more tiers up and
down again. It is longer by 2m, which is two or four. Drained switches add threes
(model/fabric/state.py), so the two lengths are never equal. Thus a switch that advertises upwards a
route from below has only such routes in its ECMP set. Adaptive routing chooses among the same
routes: flowlets and sprayed packets take other paths of the ECMP set, never a path outside of the
set.

A packet that came to switch s from above came there because s advertised its destination upwards.
So s originates the destination and delivers the packet, or has a route from below and sends it
down. Number the buffers that are fed from below or by a server by the tier of their switch. Number
the buffers that are fed from above by twice the number of tiers less the tier of their switch.
Every step goes to a larger number: up from below to the next tier, and down from there to the tier
below. There is no circle.

A packet keeps its priority from hop to hop (FG316: one class for each DSCP on all switches, and
each pause has the number of its class). So with two lossless classes this holds for each of the
two.

The rule concerns one switch at a time and its configuration, not the state of the network. So it
holds with any number of lost links and switches. Loop rejection is not needed, so accepting the own
ASN alone breaks nothing.

**Tunnels.** A packet of a tenant is one of the underlay, between the loopbacks of two leafs. It
goes through one tunnel. A leaf advertises in EVPN only prefixes behind its own ports. So it sends
packets from a tunnel to a server or out of the site, and does not flood them to another leaf (split
horizon in a full mesh of tunnels: RFC 4762 section 4.4, which EVPN keeps). So a flooded packet does
not turn upwards either, as it did in Guo et al., section 4.2. An exit of a VRF is no edge of this
graph: a port to an external peer has no PFC, as FG319 reads back, so nothing waits for it.

**Where a switch departs from the rule** the routes are simulated (routes.py), with everything up
and after each single failure of a link or switch (states.py). The simulation covers all prefixes
that a switch originates or a static route names. Then the graph is searched (buffers.py). A packet
counts as held wherever a neighbor would forward it there, whether or not a server sends it. A graph
that is too large to enumerate is reported as unproven.

**Assumed**: the platforms print the policy of each session (tests render and read it). Routing has
converged. Each address has one origin and no prefixes nest (FG301). Both ends of a session agree
(FG307). All switches pause the same priorities (FG316). Servers accept all packets that they get. A
routed packet for an unknown neighbor is dropped, not flooded.
"""

from fabricgen.compile.checks.deadlock.proof import Deadlock

__all__ = ["Deadlock"]
