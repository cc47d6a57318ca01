"""Runs `fabricgen`: parses the command line, calls the verb and returns an exit code.

`fabricgen.cli.help` lists the exit codes.
"""

import atexit
import gc
import io
import os
import sys

import click

from fabricgen.cli.plain import say
from fabricgen.cli.progress import shown_progress
from fabricgen.cli.verbs import SHELL_VARIABLE, Verb, Verbs
from fabricgen.core import VERSION

USAGE, INTERRUPTED = 64, 130
VERBS = (
    Verb("init", "Create a commented example site"),
    Verb("size", "Compare fabric designs and write the intent of one", needs=("plan",)),
    Verb("summary", "Count switches, links, optics and watts by site or fabric", needs=("plan",)),
    Verb("schema", "Print the JSON Schema of the intent"),
    Verb("check", "Validate a site"),
    Verb("render", "Write the configuration of switches and servers"),
    Verb("diff", "Review the change between sites, trees or git revisions"),
    Verb("explain", "Trace a configuration line to its intent and rule"),
    Verb("report", "Write web pages of a site"),
    Verb("serve", "Serve web pages of a site, live"),
    Verb("model", "Print the vendor-neutral model"),
    Verb(
        "reach", "Check reachability in the model and in the rendered files", needs=("prove.reach",)
    ),
    Verb("audit", "Find errors in existing switch configurations", needs=("prove.audit",)),
    Verb(
        "import",
        "Create an intent from an existing network",
        "fabricgen.cli.importing",
        needs=("importer",),
    ),
    Verb("capabilities", "List supported features by platform and release"),
    Verb("catalog", "List known switches, NICs, chips and optics"),
    Verb("lossless", "Show headroom, buffer and ECN calculations"),
    Verb("cabling", "Write the cabling plan and bill of materials", needs=("plan",)),
    Verb("accept", "Plan the acceptance test of a network and check its results", needs=("plan",)),
    Verb("failures", "Simulate link, switch and power failures", needs=("prove.failures",)),
    Verb("plan", "Compare with the switches and plan the change", needs=("operate",)),
    Verb("approve", "Sign a plan", needs=("operate",)),
    Verb("push", "Apply a plan in batches and roll back unhealthy batches", needs=("operate",)),
    Verb("resume", "Resume an interrupted push", needs=("operate",)),
    Verb(
        "maintenance",
        "Drain switches for maintenance and restore their traffic",
        needs=("operate", "prove.failures"),
    ),
    Verb("rollback", "Restore the configuration from before a plan", needs=("operate",)),
    Verb("unlock", "Release locks of terminated pushes", needs=("operate",)),
    Verb("drift", "List switches that differ from the rendered configuration", needs=("operate",)),
    Verb("verify", "Check the state of switches against the model", needs=("operate",)),
    Verb("watch", "Watch lossless traffic next to the computed thresholds", needs=("operate",)),
    Verb("trust", "Show and save host keys and certificates", needs=("operate",)),
    Verb("history", "List pushes and their results", needs=("operate",)),
    Verb("export", "Export a site to other tools", needs=("operate",)),
    Verb("lab", "Run a site as FRR switches on this machine", needs=("operate",)),
    Verb("completion", "Print the completion script of a shell"),
)


class MainVerbs(Verbs):
    """The verbs of fabricgen."""

    verbs = VERBS


@click.command(
    cls=MainVerbs,
    examples=("check intent/lab", "render intent/lab -o rendered"),
    codes={0: "Success, no change", 2: "Differences exist"},
)
@click.version_option(VERSION, prog_name="fabricgen")
def main() -> None:
    """Compile the intent of an AI data-center network into switch configuration.

    The intent is a folder of YAML files, called SITE. `fabricgen VERB --help` shows the options,
    examples and exit codes of a verb.
    """


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    gc.set_threshold(500_000, 50, 100)  # most objects of a compile live until it ends
    atexit.register(gc.freeze)  # the system frees the memory: no search for cycles at the exit
    if SHELL_VARIABLE in os.environ:
        from fabricgen.cli.completion import register_shells

        register_shells()
    try:
        with shown_progress():
            result = main.main(args=arguments, prog_name="fabricgen", standalone_mode=False)
    except click.ClickException as error:
        message = io.StringIO()
        error.show(message)
        say(message.getvalue(), err=True, nl=False)
        return USAGE if isinstance(error, click.UsageError) else 1
    except (click.Abort, KeyboardInterrupt):
        say("interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:  # `fabricgen … | head` closes the pipe early
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
