"""Defines the intent keys of numbering plans: formulas of existing numbers by kind and role."""

from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from fabricgen.intent.model.vocabulary import IntentModel

FORMULA = (
    r"^[0-9a-fA-F.:]{1,39}( [+-] ([0-9]{1,10}|[0-9]{1,3}(\.[0-9]{1,3}){3}) per [a-z]{1,20}){0,8}$"
)
Formula = Annotated[
    str,
    Field(pattern=FORMULA, max_length=200, examples=["10.0.0.1 + 0.0.1.0 per pod + 1 per index"]),
]
AsnFormula = Annotated[
    str,
    BeforeValidator(lambda value: str(value) if type(value) is int else value),
    Field(pattern=FORMULA, max_length=200),
    WithJsonSchema(
        {
            "anyOf": [{"type": "integer"}, {"type": "string", "pattern": FORMULA}],
            "examples": ["65001 + 1 per number"],
        }
    ),
]
_SWITCH = "Words: plane, pod, unit, rail and index, as in name patterns, and number in its fabric."


class TierFormulas(IntentModel):
    """A formula for each tier. An omitted tier is numbered by design."""

    leaf: Formula | None = Field(None, description="Leafs.")
    spine: Formula | None = Field(None, description="Spines.")
    superspine: Formula | None = Field(None, description="Superspines.")


class LinkFormulas(IntentModel):
    """Link formulas by lower tier. Each computes the address of the lower end."""

    leaf: Formula | None = Field(None, description="Links from leafs to spines.")
    spine: Formula | None = Field(None, description="Links from spines to superspines.")


class AsnFormulas(IntentModel):
    """A formula of ASNs for each tier, in `underlay.asn`."""

    leaf: AsnFormula | None = Field(None, description="Leafs. An MLAG pair has one ASN.")
    spine: AsnFormula | None = Field(
        None, description="Spines. Without `index` and `number`, the spines of a pod share one ASN."
    )
    superspine: AsnFormula | None = Field(
        None, description="Superspines. Without steps they share one ASN."
    )


class Numbering(IntentModel):
    """Number formulas: `65001 + 1 per number` gives 65001 to the first switch, then 65002."""

    asn: AsnFormulas = Field(default_factory=AsnFormulas, description="ASNs. " + _SWITCH)
    loopbacks: TierFormulas = Field(
        default_factory=TierFormulas, description="Loopbacks, of `addressing.loopbacks`. " + _SWITCH
    )
    vteps: Formula | None = Field(
        None, description="VXLAN tunnel sources, of `addressing.vteps`. Words: as for leafs."
    )
    management: TierFormulas = Field(
        default_factory=TierFormulas,
        description="Management addresses, of `site.management.subnet`. " + _SWITCH,
    )
    links: LinkFormulas = Field(
        default_factory=LinkFormulas,
        description="Links between switches, of `addressing.links`. The formula gives the lower "
        "end's address; the upper end has the other address of the pair. Words: those of the lower "
        "switch, upper (index of the upper switch), link (among the links of the two).",
    )


class NicNumbering(Numbering):
    """Number formulas of a fabric in which NICs have addresses."""

    nics: Formula | None = Field(
        None,
        description="NICs, of `addressing.nics`. The formula gives the NIC's address; its leaf has "
        "the other address of the /31. Words: plane, unit, rail, server (in its unit), port (of "
        "the NIC), number (of the server port on its rail and plane, through all units).",
    )


_WHAT = "Numbers that follow an existing plan, as formulas."
NUMBERING = Field(default_factory=Numbering, description=_WHAT)
NIC_NUMBERING = Field(default_factory=NicNumbering, description=_WHAT)
