"""The stored runs behind Figures 1 and 2, and the comparison of two methods over their common rounds.

The figures end after 340 proposals; the slow peers, the portfolio and Figure 2 have 150, and some seeds have more
rounds than others. Each sentence on such runs has a question on rounds: the rounds of the longest runs, all seeds over
the rounds that every seed has, or the second half of the longest runs, which shows an order that is about to turn.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from experiments.ctx import fig1a, fig1b, full_length, public_arms
from experiments.engine.result_file import Result
from experiments.measures.cumulative import regrets, rewards
from theory_checks.paired_seeds import Undecided, problem_and_policy, shared, stored
from theory_checks.readings.declaration import Circumstance, Key, Measure, Order, Source

SBO, DRBO = "sbo_kde", "drbo_kde"
MMD, MINIMAX, STABLE, UCB = "drbo_mmd", "drbo_mmd_minimax", "stable_opt", "context_free_ucb"
OURS, PEERS = (SBO, DRBO), (MMD, MINIMAX, STABLE, UCB)
SYNTHETIC, REAL = fig1a.PROBLEMS, fig1b.PROBLEMS
ACKLEY, BRANIN, HARTMANN, COMPLICATED = SYNTHETIC
FRESH, ARMS, FULL = "ctx.fig1_seeds", public_arms.STUDY.id, full_length.STUDY.id

CLOSE = 1.25
"""Cumulative regrets within this factor are "very close"; a smaller advantage does not count."""
SLIGHTLY = 1.1
SHORTEST = 150
"""The fewest rounds that a reading on 340 rounds accepts."""

SETUP = (
    "the prior mean of the process is zero, as in the text; a setting says where the mean is fitted, as in the public "
    "code",
    "340 proposals follow 10 initial decisions, the 350 rounds of the public code",
)
OURSELVES = "DRBO-KDE's infimum over the contexts' box, where the public code's is over [-1, 0]"
SHORT = "150 rounds of the slower peers, of the portfolio and of Figure 2"
BOX, INFIMUM, GRID = "box of StableOpt", "infimum of DRBO-KDE", "contexts of DRBO-MMD"
ASKED = {STABLE: BOX, DRBO: INFIMUM, MMD: GRID}
"""Method -> the question that the public code raises."""
BY_THE_TEXT, BY_THE_CODE = "text", "public code"
PUBLIC = {
    BOX: "the text's, mean plus and less a deviation; the public code's, from the mean less three deviations to the "
    "mean less one (five seeds, 150 rounds)",
    INFIMUM: "the text's, over the contexts; the public code's, over [-1, 0] without the sample (five seeds, 150 "
    "rounds)",
    GRID: "the text's, a grid; the public code's, a diagonal of the unit cube (five seeds, 150 rounds)",
}
WHOLE, MEAN = "slower peers", "prior mean"
"""The questions that the stored arms of `ctx.full_length` answer."""
ROUNDS = {"measure": "regret or its ratios, over the rounds of the longest runs or the second half of these"}


@dataclass(frozen=True)
class OverRounds(Measure):
    """A sum over the rounds that both runs of a seed have; `value` gives (seeds, rounds), nan after the end of a run.

    Args:
        part: "longest", the most rounds of any seed, over the seeds with as many; "every", all seeds over the rounds
        that each seed has; "second half", of "longest".
        a_round: True divides the sum by the number of rounds.
    """

    part: str = "longest"
    a_round: bool = False

    def samples(self, first: Result, second: Result) -> np.ndarray:
        """Advantages (seeds,) of the first over the second."""
        one, other = self.value(first)[shared(first, second)], self.value(second)[shared(second, first)]
        width = min(one.shape[1], other.shape[1])
        done = np.isfinite(one[:, :width] + other[:, :width]).sum(axis=1)
        rounds = done.min() if self.part == "every" else done.max()
        start = rounds // 2 if self.part == "second half" else 0
        share = 1.0 / (rounds - start) if self.a_round else 1.0
        kept = [each[done >= rounds, start:rounds] * share for each in (one, other)]
        sums = [Result({}, {"sums": each.sum(axis=1)}, {}) for each in kept]
        return Measure(
            self.name, _sums, self.compare, self.test, self.effect, self.margin, self.smaller_is_better
        ).samples(*sums)


def _sums(one: Result) -> np.ndarray:
    return one.arrays["sums"]


def _rows(result: Result, array: str = "regret") -> np.ndarray:
    return np.asarray(result.arrays[array])


def measures(*parts: str, effect: float = CLOSE) -> tuple[Measure, ...]:
    """Measures of cumulative regret: ratio of means, as the figures plot means, then mean of log10 of paired ratios."""
    sizes = float(np.log10(effect)), float(np.log10(CLOSE))
    said = {"longest": "", "every": ", every seed", "second half": ", second half of the rounds"}
    slight = "" if effect >= SLIGHTLY else f" (by {effect - 1:.0%})"
    return tuple(
        OverRounds(f"{name}{said[part]}{slight}", _rows, compare, "student", *sizes, part=part)
        for part in parts or ("longest",)
        for name, compare in (
            ("mean cumulative regret", "ratio of means"),
            ("mean of log10 of cumulative regret", "ratio"),
        )
    )


def _rewards(result: Result) -> np.ndarray:
    return _rows(result, "reward")


OBSERVED = OverRounds(
    "mean reward observed, a round", _rewards, "difference", "student", 0.25, 0.0, False, a_round=True
)


def runs(study: str, orders: Sequence[Order], fresh: bool = False, asked: str = "") -> Source:
    """The runs of the methods of these orders; `fresh` stacks the runs of other seeds to these.

    `asked` is the method that has, in a second circumstance, its runs by the public code's box, infimum or grid.
    """
    wanted = dict.fromkeys((p, m) for one in orders for p in one.problems for m in (one.first, one.second))
    return partial(_circumstances, study=study, wanted=tuple(wanted), fresh=fresh, asked=asked)


def _circumstances(scale: str, *, study: str, wanted: Sequence[Key], fresh: bool, asked: str) -> Iterator[Circumstance]:
    found = {key: [one] for key, one in stored(study, scale, wanted).items()}
    if fresh:
        with suppress(Undecided):
            for key, one in stored(FRESH, scale).items():
                found.get(key, []).append(one)
    results = {key: together(several) for key, several in found.items()}
    yield _circumstance({ASKED[asked]: BY_THE_TEXT} if asked else {}, results, study)
    if asked:
        choice = {ASKED[asked]: BY_THE_CODE}
        try:
            arm = stored(ARMS, scale, [key for key in wanted if key[1] == asked])
        except Undecided as why:
            yield Circumstance(choice, {}, str(why))
        else:
            yield _circumstance(choice, {**results, **{key: together([one]) for key, one in arm.items()}}, ARMS)
    yield from _of_full_length(scale, wanted, results)


def of_full_length(wanted: Iterable[Key]) -> dict[str, str]:
    """The questions on these runs that `ctx.full_length` answers -> the choices in words."""
    keys = set(wanted)
    found = {}
    if keys & full_length.ARMS[full_length.TEXT].keys():
        found[WHOLE] = "five seeds over 150 rounds; ten over 340, where they have been run"
    if keys <= full_length.ARMS[full_length.FITTED].keys():
        found[MEAN] = "zero, as in the text; fitted, as in the public code (ten seeds), where it has been run"
    return found


def _of_full_length(scale: str, wanted: Sequence[Key], results: Mapping[Key, Result]) -> Iterator[Circumstance]:
    """The slower peers over all rounds with the other methods' usual runs, and all methods with a fitted mean; nothing
    without such runs."""
    asked = {WHOLE: (full_length.TEXT, "340 rounds"), MEAN: (full_length.FITTED, "fitted")}
    for question in of_full_length(wanted):
        arm, choice = asked[question]
        keys = [(*key, arm) for key in wanted if key in full_length.ARMS[arm]]
        with suppress(Undecided):
            found = stored(FULL, scale, keys, key=lambda one: (*problem_and_policy(one), one.config["options"]["arm"]))
            own = {(problem, method): together([one]) for (problem, method, _), one in found.items()}
            yield _circumstance({question: choice}, {**results, **own}, FULL)


def _circumstance(choices: Mapping[str, str], results: Mapping[Key, Result], study: str) -> Circumstance:
    """The circumstance, without results where a run is too short."""
    longest = min(one.arrays["regret"].shape[1] for one in results.values())
    short = f"python -m experiments run --only {study} --scale paper (here {longest} rounds of 340)"
    missing = short if longest < SHORTEST else ""
    return Circumstance(choices, {} if missing else results, missing)


def together(several: Sequence[Result]) -> Result:
    """Runs of different seeds as one result, by seed: `regret` and `reward` (seeds, rounds), nan after the end of a
    run."""
    rows = {"regret": [regrets(one) for one in several], "reward": [rewards(one) for one in several]}
    width = max(row.shape[1] for row in rows["regret"])
    seeds = [seed for one in several for seed in one.config["seeds"]]
    order = np.argsort(seeds)
    arrays = {
        name: np.concatenate(
            [np.pad(row, ((0, 0), (0, width - row.shape[1])), constant_values=np.nan) for row in blocks]
        )[order]
        for name, blocks in rows.items()
    }
    return Result({**several[0].config, "seeds": sorted(seeds)}, arrays, {})
