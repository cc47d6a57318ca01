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
_SWITCH = "Words: plane, pod, unit, rail, index, as in name patterns, and number, in its fabric."


class TierFormulas(IntentModel):
    """A formula for each tier; one that is left out is numbered by design."""

    leaf: Formula | None = Field(None, description="Of leafs.")
    spine: Formula | None = Field(None, description="Of spines.")
    superspine: Formula | None = Field(None, description="Of superspines.")


class LinkFormulas(IntentModel):
    """A formula of links for each lower tier: of the address of its end, as the words are."""

    leaf: Formula | None = Field(None, description="Of links from leafs to spines.")
    spine: Formula | None = Field(None, description="Of links from spines to superspines.")


class AsnFormulas(IntentModel):
    """A formula of ASNs for each tier, in `underlay.asn`."""

    leaf: AsnFormula | None = Field(None, description="Of leafs; an MLAG pair has one.")
    spine: AsnFormula | None = Field(
        None, description="Of spines; without `index` and `number` those of a pod share one."
    )
    superspine: AsnFormula | None = Field(
        None, description="Of superspines; without steps they share one."
    )


class Numbering(IntentModel):
    """Numbers by formulas: `65001 + 1 per number` is 65001 for the first one, then 65002."""

    asn: AsnFormulas = Field(default_factory=AsnFormulas, description="ASNs. " + _SWITCH)
    loopbacks: TierFormulas = Field(
        default_factory=TierFormulas,
        description="Loopbacks, of `addressing.loopbacks`. " + _SWITCH,
    )
    vteps: Formula | None = Field(
        None, description="Where tunnels start, of `addressing.vteps`. Words: those of leafs."
    )
    management: TierFormulas = Field(
        default_factory=TierFormulas,
        description="Management addresses, of the site's subnet. " + _SWITCH,
    )
    links: LinkFormulas = Field(
        default_factory=LinkFormulas,
        description="Links between switches, of `addressing.links`: the lower end's address, the "
        "upper one has the other of the pair. Words: those of the lower switch, upper (the index "
        "of the upper one), link (among those of the two).",
    )


class NicNumbering(Numbering):
    """The same where NICs have addresses."""

    nics: Formula | None = Field(
        None,
        description="NICs, of `addressing.nics`: the NIC's address, its leaf has the other of the "
        "/31. Words: plane, unit, rail, server (in its unit), port (of the NIC), number (of the "
        "server port on its rail and plane, through all units).",
    )


_WHAT = "Numbers that follow a plan of yours, as formulas."
NUMBERING = Field(default_factory=Numbering, description=_WHAT)
NIC_NUMBERING = Field(default_factory=NicNumbering, description=_WHAT)
