"""What the paper's text says of the regret curves of Figures 6 and 7, and how such a sentence is judged.

A sentence speaks of panels of a figure. The paper leaves open which version of a function a panel shows and every
constant of the methods. Both are *circumstances*: a version of all functions, a setting of our methods (which BOKE and
BOKE+ share) and one of the peer; and the panels, where a sentence does not say which it means. Ratios of regrets are
judged panel by panel under each circumstance:

- it is *reversed* where on some panel they lie significantly outside the claimed band, at the ledger's level;
- it *holds* where on every panel they lie significantly inside it (for "competitive", "comparable", "similar"), or
  where those of all panels together do and the median of none is outside (for "better"), each at 0.05.

The sentence is refuted if reversed under every circumstance, which takes that others than ours were tried (the one that
reverses it by the least is its counterexample); it depends if it holds under some and is reversed under others (0.05 is
then shared by all); it is supported if it holds with our constants on both versions and is reversed under none. Its
twin, which speaks of our constants alone, is refuted if reversed on either version; it is about all panels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from experiments.boke.regret import PANELS
from experiments.boke.regret_constants import REGRET_FLOOR
from experiments.engine.result_file import Result
from theory_checks import inputs
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.pairs import Undecided, fraction_of_range, stored
from theory_checks.readings import SUPPORT, Rule
from theory_checks.sides import Band, as_ratio, below, described, lies
from theory_checks.undecided import Kind, undecided

SWEEP, OURS = "boke.regret_constants", "our constants"
Measure = Literal["final", "whole"]
"""The last simple regret; the geometric mean of those after the initial design, which is smaller where it falls
sooner."""

COMPETITIVE = 2.0
"""Competitive, comparable, similar: within this factor of each other's regret."""

DEVIATION = 0.6
"""Of log10 of the ratio of two methods' final regrets over seeds, on a panel: the middle one of those stored at first.
Where both reach rounding (the Forrester function without noise) it is three times this, and nothing is told apart."""

RULE = Rule(effect=float(np.log10(COMPETITIVE)))
"""The smallest effect that matters is a factor of two on a panel."""

FEWEST = 20
"""Seeds below which nothing is said: with a few less Wilcoxon's test cannot reach the level, its smallest p being
2^(1-n)."""

VERSIONS: Mapping[str, Mapping[str, str]] = {
    "the usual functions": {letter: names[0] for letter, names in PANELS.items()},
    "those of the paper's reference": {letter: names[-1] for letter, names in PANELS.items()},
}
"""Version → the problem of each panel."""

Key = tuple[str, str]
"""(method, problem)."""


@dataclass(frozen=True)
class Sentence:
    """What a sentence claims.

    Args:
        study: the figure's.
        ours: the methods it speaks of.
        peer: the one they are compared with.
        panels: letters of the panels it speaks of, at most.
        or_panels: further readings of which panels it speaks of, each some of them.
        band: where log10 of ours over the peer's regret is claimed to lie.
        each: whether it is claimed of every panel, or of all together.
        measure: of which regret.
    """

    study: str
    ours: tuple[str, ...]
    peer: str
    panels: str = "ABCDEF"
    or_panels: tuple[str, ...] = ()
    band: Band = below(0.0)
    each: bool = False
    measure: Measure = "final"

    @property
    def noisy(self) -> bool:
        """Whether its figure has noise."""
        return self.study == "boke.fig7"


def logs(result: Result, measure: Measure) -> np.ndarray:
    """(seeds,) log10 of the measured regret as a fraction of the range, at least the floor."""
    regret = np.log10(fraction_of_range(result, "simple_regret", REGRET_FLOOR))
    found: np.ndarray = regret[:, -1] if measure == "final" else regret[:, int(result.arrays["initial_size"]) :].mean(1)
    return found


def swept(sentence: Sentence, scale: str) -> dict[Key, dict[str, np.ndarray]]:
    """(method, problem) → setting of the sweep → (seeds,) log10 of its regret."""
    found: dict[Key, dict[str, np.ndarray]] = {}
    for one in inputs.results(SWEEP, scale):
        options = one.config["options"]
        if options["noisy"] == sentence.noisy:
            final = np.log10(np.maximum(one.arrays["final_regret"], REGRET_FLOOR))
            rows = final if sentence.measure == "final" else one.arrays["mean_log10_regret"]
            names = map(str, one.arrays["setting"])
            found[one.config["policy"], options["problem"]] = dict(zip(names, rows, strict=True))
    return found


@dataclass(frozen=True)
class Circumstance:
    """Log ratios (seeds,) by (method, problem), under one version, one pair of settings and one reading of the panels,
    which is named where there are several."""

    version: str
    ours: str
    peer: str
    samples: Mapping[Key, np.ndarray]
    panels: str = ""

    @property
    def where(self) -> str:
        """The version, and the panels if they are named."""
        return f"{self.version}, panel{'s' * (len(self.panels) > 1)} {self.panels}" if self.panels else self.version

    @property
    def name(self) -> str:
        """In words."""
        return f"{self.where}, ours with {self.ours}, the peer with {self.peer}"

    @property
    def chosen(self) -> bool:
        """Whether both sides have our constants."""
        return self.ours == self.peer == OURS

    def reversed(self, band: Band, level: float) -> Key | None:
        """The first method and problem whose ratios lie significantly outside the band, if any."""
        return next((key for key, values in self.samples.items() if lies(values, band, level) < 0), None)

    def most_reversed(self, band: Band, level: float) -> tuple[float, Key]:
        """How far outside the band the median lies that lies farthest, of those methods and problems on which it is
        reversed, and which they are. Raises ValueError where it is reversed on none."""
        low, high = band
        outside = {key: values for key, values in self.samples.items() if lies(values, band, level) < 0}
        middles = {key: float(np.median(values)) for key, values in outside.items()}
        return max((max(middle - high, low - middle), key) for key, middle in middles.items())

    def holds(self, sentence: Sentence, error: float) -> bool:
        """Whether it is as claimed, with this probability of saying so wrongly."""
        low, high = sentence.band
        if sentence.each:
            return all(lies(values, sentence.band, 2 * error) > 0 for values in self.samples.values())
        for method in sentence.ours:
            panels = [values for (name, _), values in self.samples.items() if name == method]
            inside = all(low <= float(np.median(values)) <= high for values in panels)
            if not inside or lies(np.concatenate(panels), sentence.band, 2 * error) <= 0:
                return False
        return True


def circumstances(sentence: Sentence, scale: str) -> Iterator[Circumstance]:
    """All of them, ours first in each version. A method compared with its own kind shares its setting.

    Raises Undecided where results are missing, or seeds are too few.
    """
    problems = {version: [names[letter] for letter in sentence.panels] for version, names in VERSIONS.items()}
    methods = (*sentence.ours, sentence.peer)
    wanted = [(problem, method) for names in problems.values() for problem in names for method in methods]
    figure = stored(sentence.study, scale, wanted)
    more = swept(sentence, scale)
    found = {key: {OURS: logs(one, sentence.measure)} | more.get(key[::-1], {}) for key, one in figure.items()}
    seeds = min(len(one[OURS]) for one in found.values())
    if seeds < FEWEST:
        raise Undecided(f"only {seeds} seeds, which cannot decide: {inputs.how_to_get(sentence.study, scale)}")
    kin = sentence.peer in ("boke", "boke_plus")
    for version, names in problems.items():
        common = {m: _common([found[problem, m] for problem in names]) for m in methods}
        mine = [name for name in common[sentence.ours[0]] if all(name in common[m] for m in sentence.ours)]
        for ours in mine:
            for peer in [ours] if kin and ours in common[sentence.peer] else common[sentence.peer]:
                samples = {
                    (method, problem): found[problem, method][ours] - found[problem, sentence.peer][peer]
                    for method in sentence.ours
                    for problem in names
                }
                yield Circumstance(version, ours, peer, samples, sentence.panels if sentence.or_panels else "")
                for panels in sentence.or_panels:
                    meant = {VERSIONS[version][letter] for letter in panels}
                    yield Circumstance(version, ours, peer, {k: v for k, v in samples.items() if k[1] in meant}, panels)


def _common(several: Sequence[Mapping[str, Any]]) -> list[str]:
    return [name for name in several[0] if all(name in one for one in several)]


def here(sentence: Sentence, scale: str, tried: Sequence[Circumstance] | None = None) -> Evidence:
    """Our constants, on both versions of the functions; or those among the circumstances given."""
    limit = level("A")
    every = circumstances(replace(sentence, or_panels=()), scale) if tried is None else tried
    found = [one for one in every if one.chosen]
    summary, numbers = _said(sentence, found, scale), _numbers(found, limit)
    for one in found:
        if (where := one.reversed(sentence.band, limit)) is not None:
            sample = {"comparison": ", ".join(where), "samples": one.samples[where]}
            stored_too = {"test": RULE.test, "band": sentence.band, "level": limit, **sample}
            return Evidence(Verdict.REFUTED, f"{summary}: reversed on {where[1]}", numbers, stored_too)
    if all(one.holds(sentence, SUPPORT) for one in found):
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    numbers["undecided"] = _undecided(sentence, found, limit)
    return Evidence(Verdict.INCONCLUSIVE, f"{summary}: reversed nowhere, not significant everywhere", numbers)


def printed(
    sentence: Sentence, scale: str, tried: Sequence[Circumstance] | None = None, sweep: str = SWEEP
) -> Evidence:
    """Every circumstance that was tried, or those given; `sweep` is the study that has others than ours."""
    limit, tried = level("A"), list(circumstances(sentence, scale) if tried is None else tried)
    ours = [one for one in tried if one.chosen]
    reversals = {one.name: where for one in tried if (where := one.reversed(sentence.band, limit)) is not None}
    held = [one.name for one in tried if one.name not in reversals and one.holds(sentence, SUPPORT / len(tried))]
    summary = f"{_said(sentence, ours, scale)}; of {len(tried)} circumstances it holds under {len(held)}, is reversed "
    summary += f"under {len(reversals)}"
    if sentence.or_panels:
        summary += f" ({_by_panels(tried, held, reversals)})"
    numbers = _numbers(ours, limit) | {
        "circumstances": len(tried),
        "holds": held,
        "reversed": len(reversals),
        "not_reversed": [one.name for one in tried if one.name not in reversals],
    }
    if len(reversals) == len(tried) > len(ours):
        worst = {one.name: one.most_reversed(sentence.band, limit) for one in tried}
        mildest = min(tried, key=lambda one: worst[one.name])
        where = worst[mildest.name][1]
        counterexample = {
            "comparison": f"{', '.join(where)} ({mildest.name}: reversed by the least of all {len(tried)})",
            "samples": mildest.samples[where],
            "test": RULE.test,
            "band": sentence.band,
            "level": limit,
        }
        return Evidence(Verdict.REFUTED, summary, numbers, counterexample)
    if held and reversals:
        return Evidence(Verdict.DEPENDS, f"{summary}; for instance it holds on {held[0]}", numbers)
    if not reversals and all(one.holds(sentence, SUPPORT) for one in ours):
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    if len(tried) == len(ours):
        summary += f"; no other constants were tried: {inputs.how_to_get(sweep, scale)}"
    numbers["undecided"] = {"kind": str(Kind.REVERSED)} if reversals else _undecided(sentence, ours, limit)
    return Evidence(Verdict.INCONCLUSIVE, summary, numbers)


def _by_panels(tried: Sequence[Circumstance], held: Sequence[str], reversals: Mapping[str, Key]) -> str:
    """ "panels EF 0 and 3 of 4, panel F 1 and 2 of 4"."""
    said = []
    for panels in dict.fromkeys(one.panels for one in tried):
        names = [one.name for one in tried if one.panels == panels]
        counts = (sum(name in found for name in names) for found in (held, reversals))
        said.append(f"panel{'s' * (len(panels) > 1)} {panels} {' and '.join(map(str, counts))} of {len(names)}")
    return ", ".join(said)


def _undecided(sentence: Sentence, found: Sequence[Circumstance], limit: float) -> dict[str, Any]:
    samples = [(values, sentence.band) for one in found for values in one.samples.values()]
    return undecided(samples, RULE.repetitions, limit)


def _said(sentence: Sentence, found: Sequence[Circumstance], scale: str) -> str:
    """The median ratios of our constants, all problems of both versions."""
    ratios: dict[str, dict[str, str]] = {method: {} for method in sentence.ours}
    for one in found:
        for (method, problem), values in one.samples.items():
            ratios[method][problem] = f"{10 ** float(np.median(values)):.2g} ({problem})"
    each = "; ".join(f"{method} " + ", ".join(shown.values()) for method, shown in ratios.items())
    low, high = (f"{10**end:g}" for end in sentence.band)
    claimed = f"below {high}" if low == "0" else f"{low} to {high}"
    return f"median regret relative to {sentence.peer}: {each} (claimed: {claimed}; scale {scale})"


def _numbers(found: Sequence[Circumstance], limit: float) -> dict[str, Any]:
    return {"level": limit, "floor": REGRET_FLOOR} | {
        one.where: described({" on ".join(key): values for key, values in one.samples.items()}, as_ratio)
        for one in found
    }
