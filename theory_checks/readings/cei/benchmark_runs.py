"""The stored runs behind Figures 3, 7 and 8: seven acquisition functions on benchmarks under noise.

In the paper the model knows the variance of the noise; the public code tells its model the noise that occurred, and has
its own model and search. These are two protocols, and the first is the default. A third protocol, which tells our model
the noise that occurred, lies between the two and is read where the study has it (scale quick).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

import numpy as np

from experiments.cei.benchmarks import METHODS
from experiments.cei.fig8_seeds import HIGH
from experiments.engine.result_file import Result
from experiments.measures.gap import final_distance, final_gap
from theory_checks.paired_seeds import Key, Undecided, stored, with_more
from theory_checks.readings.declaration import Circumstance, Measure, Source
from theory_checks.study_results import how_to_get

OURS, EI = "corrected_ei", "ei"
PEERS = tuple(name for name in METHODS if name != OURS)
PROBLEMS = ("hartmann3", "griewank6", "levy4", "powell5")
FIG8, FIG8_PUBLIC = "cei.fig8", "cei.fig8_public"
PROTOCOL = {
    "protocol": "the variance of the noise known to the model, as the paper says; the whole protocol of the public "
    "code, by which EI and corrected EI were run at 10 % noise; at scale quick, the noise that occurred told to our "
    "model"
}
MODEL = ("Matern-5/2, lengthscales refitted", "3d Sobol points first")
SETUP = (*MODEL, "beta of UCB as in the public code")


def measures(effect: float = 1.25, margin: float = 2.0) -> tuple[Measure, ...]:
    """The measures: means of log10 of the gap and of the distance, as the figures plot; means of gaps, and pairs."""
    size = float(np.log10(effect)), float(np.log10(margin))
    return (
        Measure("mean of log10 of the final gap", final_gap, "ratio", "student", *size),
        Measure("mean final distance to the optimiser", final_distance, "ratio of means", "student", *size),
        Measure("mean final gap", final_gap, "ratio of means", "student", *size),
        Measure("paired ratios of the final gaps", final_gap, "ratio", "wilcoxon", *size),
    )


def key(one: Result) -> Key:
    """(problem, policy, arm) of a study with one level of noise."""
    return one.config["problem"], one.config["policy"], str(one.config["options"]["arm"])


def key_at_level(one: Result) -> Key:
    """(problem, policy, noise fraction)."""
    return one.config["problem"], one.config["policy"], float(one.config["options"]["noise_fraction"])


def runs(
    study: str, methods: Sequence[str], problems: Sequence[str] = PROBLEMS, more: str = "", code: str = ""
) -> Source:
    """Runs of these methods on these problems by every protocol; the study `code`, if any, has the public code's.

    Seeds of the study `more` are stacked to the default's.
    """
    return partial(_circumstances, study=study, methods=methods, problems=problems, more=more, code=code)


def public(study: str, methods: Sequence[str]) -> Source:
    """Runs of these methods by the protocol of the public code."""

    def circumstances(scale: str) -> Iterator[Circumstance]:
        wanted = [(problem, method, "public") for problem in PROBLEMS for method in methods]
        yield Circumstance({}, _without_arm(stored(study, scale, wanted, key)))

    return circumstances


def _circumstances(
    scale: str, *, study: str, methods: Sequence[str], problems: Sequence[str], more: str, code: str
) -> Iterator[Circumstance]:
    wanted = {arm: [(p, m, arm) for p in problems for m in methods] for arm in ("known", "leaked", "public")}
    known = stored(study, scale, wanted["known"], key)
    yield Circumstance(
        {"protocol": "variance known"}, _without_arm(with_more(known, more, scale, key) if more else known)
    )
    with suppress(Undecided):
        yield Circumstance({"protocol": "noise told"}, _without_arm(stored(study, scale, wanted["leaked"], key)))
    if code:
        everything: Mapping[Key, Result] = {}
        with suppress(Undecided):
            everything = stored(code, scale, key=key)
        found = _without_arm({one: everything[one] for one in wanted["public"] if one in everything})
        command = f"python -m experiments run --only {code} --scale paper" if len(found) < len(wanted["public"]) else ""
        yield Circumstance({"protocol": "public code"}, found, command)


def _without_arm(found: Mapping[Key, Result]) -> dict[tuple[str, str], Result]:
    return {(problem, method): one for (problem, method, _), one in found.items()}


def high_noise(scale: str) -> Iterator[Circumstance]:
    """Runs of EI and corrected EI on Griewank from each high level of noise upward, by both protocols.

    Arrays: `distance` (seeds, levels), the final distances.
    """
    known = {one: run for one, run in stored(FIG8, scale, key=key_at_level).items() if one[2] >= HIGH}
    known = {one: run for one, run in known.items() if one[1] in (OURS, EI)}
    fractions = sorted({fraction for _, _, fraction in known})
    code: Mapping[Key, Result] = {}
    with suppress(Undecided):
        code = stored(FIG8_PUBLIC, scale, known, key_at_level)
    protocols = {"variance known": with_more(known, "cei.fig8_seeds", scale, key_at_level), "public code": code}
    for protocol, every in protocols.items():
        for least in fractions:
            found = {
                (problem, method): Result(
                    one.config, {"distance": levels(every, problem, method, fractions, least)}, {}
                )
                for (problem, method, fraction), one in every.items()
                if fraction == least
            }
            choices = {"protocol": protocol, "high noise": f"from {100 * least:.3g} %"}
            yield Circumstance(choices, found, "" if found else how_to_get(FIG8_PUBLIC, scale))


def levels(
    found: Mapping[Key, Result], problem: str, method: str, fractions: Sequence[float], least: float = 0.0
) -> np.ndarray:
    """Final distances (seeds, levels) at the levels of noise from `least` on."""
    return np.stack([final_distance(found[problem, method, one]) for one in fractions if one >= least], axis=1)


def decline(logs: np.ndarray, fractions: Sequence[float]) -> np.ndarray:
    """Least-squares slopes (seeds,) of log10 distances (seeds, levels) in log10 of the noise."""
    t = np.log10(np.asarray(fractions, float))
    t -= t.mean()
    found: np.ndarray = logs @ t / (t @ t)
    return found
