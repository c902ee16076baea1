"""The rule for the default setting of BOKE, which counts the paper's sentences alone.

Under each contender of `experiments.boke.settings` its own reading judges every sentence on Figures 5 to 8 that the
stored regrets decide, by the measure that the figure plots: the sentence holds, is level, is opposite, or is open.
KR-UCB has the contender's bandwidth, GP-UCB its own default.

The score of a contender is the number of sentences that hold minus the number that are opposite. The rule admits the
contender with the highest score; among equals, the contender with fewer opposites, then the first. The setting that
random functions chose is the first.

`python -m theory_checks.readings.boke.default_setting [SCALE]` prints the table of `docs/constants/boke.md` and the
admitted contender. Sentences on Figures 1 to 3 do not depend on BOKE's setting; sentences on CPU time are about times,
not constants; Figure 9 trains forests in every run. Density-based exploration uses no values and has no sentence that
counts.
"""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from experiments.boke.regret_constants import in_words
from experiments.boke.settings import CONTENDERS, STUDY
from experiments.engine.result_file import Result
from experiments.engine.store import REFERENCE, Store
from theory_checks import study_results
from theory_checks.paired_seeds import Undecided
from theory_checks.readings.boke import figure6, figure7, figure8, illustrations
from theory_checks.readings.boke.regret_runs import DEFAULT, OURS, VERSIONS
from theory_checks.readings.declaration import READINGS, Circumstance, Key
from theory_checks.readings.judgement import State
from theory_checks.readings.words import HEADS, in_choice_words

__all__ = ["SENTENCES", "admitted", "committed", "committed_markdown", "judged", "markdown", "score"]

SENTENCES = tuple(
    claim.id
    for module in (illustrations, figure6, figure7, figure8)
    for name, claim in vars(module).items()
    if name.startswith(("fig5_", "fig6_", "fig7_", "fig8_")) and not name.endswith("in_time")
)
"""The readings that count."""

States = Mapping[str, State]


def _runs(results: Sequence[Result]) -> dict[tuple[str, bool, str, str], Result]:
    """(problem, noisy, method, setting) -> runs."""
    found = {}
    for one in results:
        options = one.config["options"]
        for index, name in enumerate(map(str, one.arrays["setting"])):
            arrays = {key: rows[index] for key, rows in one.arrays.items() if key != "setting"}
            key = options["problem"], options["noisy"], one.config["policy"], name
            found[key] = Result(one.config, arrays, one.metadata)
    return found


def judged(scale: str, results: Sequence[Result] | None = None) -> dict[str, States]:
    """Contender -> sentence -> state, by the study's results at a scale, or by the given results.

    Raises Undecided, which says how to get results, without any.
    """
    runs = _runs(study_results.results(STUDY.id, scale) if results is None else results)
    if not runs:
        raise Undecided(study_results.how_to_get(STUDY.id, scale))
    found: dict[str, States] = {}
    for contender in CONTENDERS:
        smoothing = in_words({key: contender[key] for key in ("rule", "bandwidth")})
        chosen = {**dict.fromkeys(OURS, in_words(contender)), "kr_ucb": smoothing}
        found[in_words(contender)] = {one: _state(one, scale, runs, chosen) for one in SENTENCES}
    return found


def _state(
    sentence: str, scale: str, runs: Mapping[tuple[str, bool, str, str], Result], chosen: Mapping[str, str]
) -> State:
    reading = READINGS[sentence]
    noisy, named = "fig7" in sentence, dict(VERSIONS["usual"])
    methods = {method for order in reading.orders for method in (order.first, order.second)} | {"random_search"}
    results: dict[Key, Result] = {}
    for problem in {named.get(one, one) for order in reading.orders for one in order.problems}:
        for method in methods:
            run = runs.get((problem, noisy, method, chosen.get(method, DEFAULT)))
            results |= {(problem, method): run} if run else {}
    plotted = replace(reading, measures=reading.measures[:1], questions={})
    circumstance = Circumstance({}, results, "", named)
    return replace(plotted, source=lambda _: [circumstance]).curve(scale).default.state


def score(states: States) -> int:
    """The number of sentences that hold minus the number of those that are opposite."""
    count = Counter(states.values())
    return count[State.HOLDS] - count[State.OPPOSITE]


def admitted(found: Mapping[str, States]) -> str:
    """The contender that the rule admits; `found` has the contenders' order."""
    return max(found, key=lambda name: (score(found[name]), -Counter(found[name].values())[State.OPPOSITE]))


def committed() -> dict[str, States]:
    """The result of `judged` by the committed results, which chose the default."""
    return judged("quick", Store(REFERENCE, any_code=True).results(STUDY.id, "quick"))


def markdown(found: Mapping[str, States]) -> str:
    """The table of contenders, the admitted one in bold."""
    chosen, heads = admitted(found), HEADS.values()
    lines = [f"| contender | score | {' | '.join(heads)} | sentences that hold |", "|---" * (len(heads) + 3) + "|"]
    for name, states in found.items():
        count, mark = Counter(states.values()), "**" if name == chosen else ""
        holding = ", ".join(f"`{one}`" for one in states if states[one] is State.HOLDS) or "none"
        cells = [
            f"{mark}{in_choice_words(name)}{mark}",
            str(score(states)),
            *(str(count[state]) for state in State),
            holding,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def committed_markdown() -> str:
    """The table made from the committed results."""
    return markdown(committed())


def main(scale: str) -> None:
    found = judged(scale)
    print(markdown(found))
    print(f"admitted: {admitted(found)}")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["quick"]))
