"""No pause can wait for itself: slices in; a proof, or the cycle of buffers that deadlocks, out.

Priority flow control pauses the sender of a full buffer. Where buffers can wait for each other in a
circle, one burst stops them all, for good, and the watchdog drops what must not be lost. A buffer
is (switch, ingress port, lossless priority); it waits for the next one if a packet held in it can
be forwarded onto the link that ends there. No circle, no deadlock (Hu et al., HotNets 2016; Guo et
al., SIGCOMM 2016; Hu et al., Tagger, CoNEXT 2017). Fix it by giving the switch the policy and the
links of the design back: hints name the departure.

**The argument.** Let every switch keep the rule (rule.py verifies it on every session):

1. each underlay session crosses a cable to its peer, joins neighbouring tiers, is eBGP, and `up`
   says which end is higher; both ends of a session then agree, since both compare the same tiers;
2. each session up marks what comes in as from above, and does not send up what is marked;
3. no static route.

Then a route that comes from below has gone down only when it is read against the traffic: who sent
it up had it from below, or originates it. As each hop is one tier and adds one AS, its path has as
many ASNs as there are tiers between here and the origin. A route from above has gone up m > 0 more
tiers and down again: it is longer by 2m, which is two or four; what is drained adds threes
(model/fabric/state.py), so the two are never equally long. Thus a switch that sends upwards what
it has from below has only such routes among its equal ones, which are also all that adaptive
routing may choose from: flowlets and sprayed packets take other ones of the paths that ECMP has,
never a path that it has not.

A packet that came to switch s from above came there because s announced its destination upwards.
So s originates it, and delivers it, or has a route from below, and then sends it down. Number the
buffers: fed from below or by a server, by the tier of their switch; fed from above, by twice the
number of tiers less the tier of their switch. Every step goes to a larger number: up from
below to the next tier; down from there to the tier below. There is no circle.

A packet keeps its priority from hop to hop (FG316: one class for each DSCP on all switches, and
each pause has the number of its class), so with two lossless classes this holds for each by itself.

The rule speaks of one switch at a time and of what it was told, not of what is alive: it holds
with any number of links and switches lost. Loop rejection is not needed, so accepting the own
ASN breaks nothing by itself.

**Tunnels.** A packet of a tenant is one of the underlay, between the loopbacks of two leafs. It
goes through one tunnel: a leaf tells EVPN what is behind its own ports alone, so it sends on what
comes out of a tunnel to a server or out of the site, and floods it to no other leaf (split horizon
in a full mesh of tunnels: RFC 4762 section 4.4, which EVPN keeps); so a flooded packet does not
turn upwards either, as it did in Guo et al., section 4.2. A way out of a VRF is no way of this
graph: a port to a router outside has no PFC, as FG319 reads back, so nothing waits for it.

**Where a switch departs from the rule** the routes are simulated (routes.py), with everything up
and after each single failure of a link or switch (states.py), for all that any switch originates
or a static route names, and the graph is searched (buffers.py). A packet counts as held wherever a
neighbour would forward it there, whether or not a server sends it. What is too large to enumerate
is reported as unproven, never passed over.

**Assumed**: the platforms print the policy that a session stands for (tests render and read it);
routing has converged; each address has one origin and no prefixes nest (FG301), both ends of a
session agree (FG307), all switches pause the same priorities (FG316); servers sink what they get;
a routed packet for an unknown neighbour is dropped, not flooded.
"""

from fabricgen.compile.checks.deadlock.proof import Deadlock

__all__ = ["Deadlock"]
