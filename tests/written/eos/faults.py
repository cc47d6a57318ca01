"""More than a hundred faults of EOS switches, each as a change of one written answer."""

from tests.written.eos import overlay_faults, port_faults, state_faults

FAULTS = (*port_faults.FAULTS, *overlay_faults.FAULTS, *state_faults.FAULTS)
