"""Runs `fabricgen`: parses the command line, calls the verb and returns an exit code.

Exit codes: 0 clean or no change, 1 errors, 2 differences exist, 64 usage, 130 interrupted.
"""

import gc
import io
import os
import sys

import click

from fabricgen import __version__
from fabricgen.cli.plain import say
from fabricgen.cli.verbs import SHELL_VARIABLE, Verb, Verbs

USAGE = 64
INTERRUPTED = 130
VERBS = (
    Verb("init", "Create a commented example site", "fabricgen.cli.init"),
    Verb(
        "size",
        "Compare fabric designs and write the intent of one",
        "fabricgen.cli.size",
        needs=("plan",),
    ),
    Verb(
        "summary",
        "Count switches, links, optics and watts by site or fabric",
        "fabricgen.cli.summary",
        needs=("plan",),
    ),
    Verb("schema", "Print the JSON Schema of the intent", "fabricgen.cli.schema"),
    Verb("check", "Validate a site", "fabricgen.cli.check"),
    Verb("render", "Write the configuration of switches and servers", "fabricgen.cli.render"),
    Verb(
        "diff",
        "Show configuration changes between sites, trees or git revisions",
        "fabricgen.cli.diff",
    ),
    Verb("explain", "Trace a configuration line to its intent and rule", "fabricgen.cli.explain"),
    Verb("model", "Print the vendor-neutral model", "fabricgen.cli.model"),
    Verb(
        "reach",
        "Check reachability in the model and in the rendered files",
        "fabricgen.cli.reach",
        needs=("prove.reach",),
    ),
    Verb(
        "audit",
        "Find errors in existing switch configurations",
        "fabricgen.cli.audit",
        needs=("prove.audit",),
    ),
    Verb(
        "import",
        "Create an intent from an existing network",
        "fabricgen.cli.importing",
        needs=("importer",),
    ),
    Verb(
        "capabilities",
        "List supported features by platform and release",
        "fabricgen.cli.capabilities",
    ),
    Verb("catalog", "List known switches, NICs, chips and optics", "fabricgen.cli.catalog"),
    Verb("lossless", "Show headroom, buffer and ECN calculations", "fabricgen.cli.lossless"),
    Verb(
        "cabling",
        "Write the cabling plan and bill of materials",
        "fabricgen.cli.cabling",
        needs=("plan",),
    ),
    Verb(
        "failures",
        "Simulate link, switch and power failures",
        "fabricgen.cli.failures",
        needs=("prove.failures",),
    ),
    Verb(
        "plan",
        "Compare with the switches and plan the change",
        "fabricgen.cli.plan",
        needs=("operate",),
    ),
    Verb("approve", "Sign a plan", "fabricgen.cli.approve", needs=("operate",)),
    Verb(
        "push",
        "Apply a plan in batches and roll back unhealthy batches",
        "fabricgen.cli.push",
        needs=("operate",),
    ),
    Verb("resume", "Resume an interrupted push", "fabricgen.cli.resume", needs=("operate",)),
    Verb(
        "maintenance",
        "Drain switches for maintenance and restore their traffic",
        "fabricgen.cli.maintenance",
        needs=("operate", "prove.failures"),
    ),
    Verb(
        "rollback",
        "Restore the configuration from before a plan",
        "fabricgen.cli.rollback",
        needs=("operate",),
    ),
    Verb(
        "unlock", "Release locks of terminated pushes", "fabricgen.cli.unlock", needs=("operate",)
    ),
    Verb(
        "drift",
        "List switches that differ from the rendered configuration",
        "fabricgen.cli.drift",
        needs=("operate",),
    ),
    Verb(
        "verify",
        "Compare the state of switches with the model",
        "fabricgen.cli.verify",
        needs=("operate",),
    ),
    Verb(
        "trust",
        "Show and save host keys and certificates",
        "fabricgen.cli.trust",
        needs=("operate",),
    ),
    Verb("history", "List pushes and their results", "fabricgen.cli.history", needs=("operate",)),
    Verb("export", "Export a site to other tools", "fabricgen.cli.export", needs=("operate",)),
    Verb(
        "lab", "Run a site as FRR switches on this machine", "fabricgen.cli.lab", needs=("operate",)
    ),
    Verb(
        "completion",
        "print the script with which bash, zsh or fish completes words",
        "fabricgen.cli.completion",
    ),
)


class MainVerbs(Verbs):
    """The verbs of fabricgen."""

    verbs = VERBS


@click.command(cls=MainVerbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fabricgen")
def main() -> None:
    """Compile the intent of an AI data-center network into switch configuration.

    Exit codes: 0 clean or no change, 1 errors, 2 differences exist, 64 usage, 130 interrupted.
    """


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code is what pipelines rely on."""
    gc.set_threshold(500_000, 50, 100)  # a compile makes many objects that live to its end
    if SHELL_VARIABLE in os.environ:
        from fabricgen.cli.completion import register_shells

        register_shells()
    try:
        result = main.main(args=arguments, prog_name="fabricgen", standalone_mode=False)
    except click.ClickException as error:
        words = io.StringIO()
        error.show(words)
        say(words.getvalue(), err=True, nl=False)
        return USAGE if isinstance(error, click.UsageError) else 1
    except (click.Abort, KeyboardInterrupt):
        say("interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:  # `fabricgen … | head`: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        from fabricgen.cli.output import print_failure

        if not print_failure(error):
            raise
        return 1
    return result if isinstance(result, int) else 0


if __name__ == "__main__":
    sys.exit(run())
