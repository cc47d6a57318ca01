"""What cannot be put into batches: the sentence that says why."""


class Refused(Exception):  # noqa: N818 - said to the operator: what was asked for and is not done
    """Batches cannot be made of what was asked for; the message is for people."""
