"""What people say of descriptions in the site and in a fabric in, the patterns of its ports out."""

from dataclasses import fields

from fabricgen.diagnostics import IntentPath
from fabricgen.fabric.because import Because
from fabricgen.fabric.descriptions import BOTH_ENDS, Description, Descriptions
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.model.site import SiteWords
from fabricgen.intent.paths import at


def descriptions_of(whole: SiteWords, words: FabricWords) -> Descriptions:
    """Return the patterns of a fabric: its own, else those of the site."""
    site = words.stands(whole)
    own = words.unless_refused("descriptions"), words.at("descriptions")
    every = (own, (whole.unless_refused("descriptions"), at("site", "descriptions")))
    said = {
        each.name: _described(text, (*path, each.name), site)
        for each in fields(Descriptions)
        for source, path in reversed(every)
        if source is not None and (text := source.unless_refused(each.name)) is not None
    }
    return Descriptions(**said) if said else BOTH_ENDS


def _described(text: str, path: IntentPath, site: str) -> Description:
    """Return a pattern as the model has it; the name of the site stands in it already."""
    because = Because((path,), "the text of ports is what people want to read")
    return Description(text.replace("{site}", site), because)
