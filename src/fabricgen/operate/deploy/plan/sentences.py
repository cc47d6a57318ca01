"""Describes a setting that differs between batches, for a plan and for a review."""

from fabricgen.operate.deploy.plan.document import Split


def sentence_of(split: Split) -> str:
    """Return what differs, in which batches, and the effect."""
    differs = f": {split.differs}" if split.differs else ""
    outside = f"; not in this plan: {len(split.outside)} of its ends" if split.outside else ""
    return f"{split.what}{differs}, {_span(split)}: {split.effect}{outside}"


def _span(split: Split) -> str:
    """Return the batches of a split, and its duration if earlier batches were measured."""
    begin = f"from batch {split.begins}" if split.begins else "now"
    if split.ends is None:
        return f"{begin} on"
    span = f"{begin} to batch {split.ends}"
    if split.begins == split.ends:
        span = f"while batch {split.begins} changes"
    if split.seconds is None:
        return f"{span} (duration unknown)" if split.breaks else span
    return f"{span} (about {split.seconds} s)"
