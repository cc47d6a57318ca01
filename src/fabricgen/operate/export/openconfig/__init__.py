"""Write the design of each switch as OpenConfig data (openconfig/public, JSON of RFC 7951)."""
