"""Implements `fabricgen cabling SITE -o DIR`, which writes the physical plan."""

from pathlib import Path

from fabricgen.cli.help import define_verb
from fabricgen.cli.output import exported, folder_option, force_option, site_argument, warned
from fabricgen.cli.plain import say


@define_verb(
    "cabling",
    examples=("cabling intent/lab -o cabling", "cabling intent/full -o cabling-full --force"),
)
@site_argument
@folder_option
@force_option
def command(*, site: Path, target: Path, force: bool) -> int:
    """Write the cabling plan and bill of materials.

    The plan lists both ends, the length and the parts of every cable of SITE.
    """
    from fabricgen.plan.cabling import Plan
    from fabricgen.plan.documents.plan import plan_files

    design = warned(site, None)
    plan = Plan.of(design.site)
    exported(design, target, list(plan_files(plan)), (), force=force)
    say(f"{target}: {len(plan.laid):,} cables")
    return 0
