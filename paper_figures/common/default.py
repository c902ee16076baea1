"""The rule that decides which method `optimize` uses by default; the rule is older than the study of all methods.

A method replaces the present default if

1. it needs neither a horizon nor one evaluation at a time: the default must serve any call;
2. one of its proposals costs at most `DEAREST` times one of the default's, in CPU time;
3. at one level of noise at least it ends better: the 95 % interval of its probability of improvement over the default
   lies above a half; and at no level worse: below a half nowhere.

Among several such methods, the method with the least interquartile mean of all final scores replaces the default. The
default stays where there is no such method.
"""

from core import policies
from core.optimizer.options import DEFAULT_POLICY
from experiments.engine.aggregates import interquartile_mean
from experiments.engine.statistics import Interval
from paper_figures.common.shares import compared, final, improvement, proposal_seconds, shares
from paper_figures.load import StudyResults

__all__ = ["DEAREST", "better", "chosen"]

DEAREST = 10.0
"""The largest allowed cost of a proposal, in units of the cost of the default's proposal."""


def better(data: StudyResults, default: str = DEFAULT_POLICY) -> list[str]:
    """The methods that the rule prefers to the default, by increasing interquartile mean."""
    scores = {name: shares(data, name) for name in compared(data)}
    limit = DEAREST * proposal_seconds(data, default)
    found = [
        name
        for name, own in scores.items()
        if name != default
        and policies.REGISTRY[name].batches
        and not policies.with_horizon(name)
        and proposal_seconds(data, name) <= limit
        and _ahead([improvement(*pair) for pair in zip(own[:, -1], scores[default][:, -1], strict=True)])
    ]
    return sorted(found, key=lambda name: float(interquartile_mean(final(scores[name]))))


def _ahead(intervals: list[Interval]) -> bool:
    return any(each.low > 0.5 for each in intervals) and not any(each.high < 0.5 for each in intervals)


def chosen(data: StudyResults, default: str = DEFAULT_POLICY) -> str:
    """The method that the rule makes the default."""
    return next(iter(better(data, default)), default)
