"""Lists the limits that forward error correction sets for a link at its acceptance."""

from collections.abc import Mapping

from fabricgen.core.record import record


@record()
class FecLimit:
    """Limits of a code. `ber`: maximum bit error ratio before correction.

    `symbols`: symbol errors of a codeword that the code corrects, (n - k) / 2 of RS(n,k). A
    codeword in a higher bin of the FEC histogram is lost.
    """

    ber: float
    symbols: int


FEC_LIMITS: Mapping[str, FecLimit] = {
    "RS(528,514)": FecLimit(5e-5, 7),
    "RS(544,514)": FecLimit(2.4e-4, 15),
}
"""By code. 5e-5: etitantec.com hd-sfp28-25g-sr, note 1 (25GBASE-SR, IEEE 802.3-2022 clause 112).
2.4e-4: Ascent OSFP-800G-DR8-05, pre-FEC bit error ratio (ascentcomtec.com Solution/detail/id/451).
"""
