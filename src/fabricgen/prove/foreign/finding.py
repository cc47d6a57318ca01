"""What is wrong between two places of configurations in; a finding that names both out."""

from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity
from fabricgen.prove.foreign.switch import told


def finding(
    code: Code,
    said: str,
    place: Position,
    *others: Position,
    severity: Severity = Severity.ERROR,
    hint: str = "",
) -> Diagnostic:
    """Return a finding at a place; the others stand behind the sentence, at most four of them."""
    where = ", ".join(told(each) for each in others[:4])
    more = f" and {len(others) - 4} more" if len(others) > 4 else ""
    message = f"{said} [{where}{more}]" if where else said
    return Diagnostic(code, message, severity=severity, hint=hint, position=place)
