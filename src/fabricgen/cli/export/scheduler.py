"""`fabricgen export scheduler SITE -o DIR`: what Slurm and Kubernetes are told of the fabric."""

from pathlib import Path

import click

from fabricgen.cli.plain import say
from fabricgen.cli.saying import exported, force_option, output_option, site_argument, warned
from fabricgen.core.units import counted


@click.command("scheduler")
@site_argument
@output_option("DIR", "Folder of the files; replaced as a whole.")
@force_option
def command(*, site: Path, target: Path, force: bool) -> int:
    """Write topology.conf, topology.yaml and node labels of each fabric of SITE that has GPUs."""
    from fabricgen.operate.export.scheduler.files import scheduled

    design = warned(site, None)
    files = list(scheduled(design.site))
    left = [] if files else ["no fabric of this site has GPUs"]
    exported(design, target, files, left, force=force)
    say(f"{target}: {counted(len(files), 'file')}; NCCL's settings are in hosts/ of a render")
    return 0
