"""The readings of Figure 8: BOKE and BOKE+ against KR-UCB and GP-UCB on the garden sprinkler, judged on stored results.

The text compares twice: after the same number of evaluations, and after the same time. The second is read at the CPU
time that the quicker of two methods spends on all its proposals, averaged over the timed seeds: the regret of each
after the evaluations it has made by then. The sweep of constants, of both sides, is not timed: other constants than
ours are compared after the same number of evaluations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from theory_checks import inputs
from theory_checks.boke.instruments.regret_sentences import OURS, Circumstance, Sentence, here, logs, printed
from theory_checks.boke.instruments.sentence_claims import BOTH, with_twin
from theory_checks.ledger import Evidence
from theory_checks.pairs import Key, Undecided, stacked, stored
from theory_checks.readings import FEWEST_SEEDS

STUDY, MORE, SWEEP, PROBLEM = "boke.fig8", "boke.fig8_seeds", "boke.fig8_constants", "sprinkler"
EVALUATIONS, TIME = "equal evaluations", "equal CPU time"
HYPOTHESES = ("the garden sprinkler, range, 8 inputs, noise-free",)

_RULE = """Final simple regret, as a fraction of the range and at least 1e-9 of it, paired by seed (same start).
    Wilcoxon's signed-rank test of log10(ours / peer), for BOKE and for BOKE+, after the whole budget and, with our
    constants, after equal CPU time: the mean that the quicker of the two spends on its whole run. It holds if all lie
    below 0 (each at 0.05), is reversed if one lies above (two-sided at the ledger's level)."""
_OPEN = """Circumstances: our constants and those swept on this problem, of either side. Supported if it holds with our
    constants and is reversed under no circumstance; depends if it holds under one (0.05 shared by all) and is reversed
    under another; refuted if reversed under every one, others than ours among them; otherwise inconclusive."""
_SETTLED = """Our constants, with the seeds of boke.fig8_seeds where they are stored: supported if it holds, refuted if
    reversed, otherwise inconclusive."""
_AMENDED = """The rule was written before the study was first run at scale quick; the sweep of constants that it speaks
    of, when the reading had failed with ours. Changed since: constants of GP-UCB count as those of BOKE do, and both
    sides are changed at once. Then "not reproduced" became "depends" where the sweep exhibits both, which rescued it
    by medians before and now asks for significance."""
_POSITIVE = """The positive control was read at scale quick, which does without refitted GP-UCB since."""
_MORE_SEEDS = """After the thirty seeds of Figure 8 at scale paper, which left it open: judged again with 150 of the
    four methods, whatever they show, written down before any of the others was run. BOKE+ is behind GP-UCB in these
    (p = 1.2e-4 after equal evaluations) and behind KR-UCB after equal CPU time (1.2e-3), not at the ledger's level:
    once more with 330, as many as these say that it takes against GP-UCB, and no further. That is the last of three
    looks, and both are beyond a third of the level (p = 4e-7 and 4e-10); the 180 seeds after the second look by
    themselves have 6e-4, which is not, and 6e-8."""
GP_UCB = Sentence(STUDY, BOTH, "gp_ucb", each=True)
KR_UCB = Sentence(STUDY, BOTH, "kr_ucb", each=True)


def after_equal_time(first: Result, second: Result) -> tuple[Result, Result, float]:
    """Both runs up to the mean CPU time that the quicker one takes for all its proposals; and that time."""
    times = [np.cumsum(np.asarray(one.arrays["seconds"], float), axis=1).mean(axis=0) for one in (first, second)]
    shared = min(float(time[-1]) for time in times)
    cut = []
    for one, time in zip((first, second), times, strict=True):
        evaluations = int(one.arrays["initial_size"]) + int(np.sum(time <= shared))
        regret = one.arrays["simple_regret"][:, :evaluations]
        cut.append(Result(one.config, {**one.arrays, "simple_regret": regret}, one.metadata))
    return cut[0], cut[1], shared


def _settings(scale: str, method: str, figure: Result) -> dict[str, Result]:
    """Setting → run of a method: ours, and those of the sweep."""
    found = {OURS: figure}
    for one in inputs.results(SWEEP, scale):
        options = one.config["options"]
        if one.config["policy"] == method and len(one.arrays["simple_regret"]) == len(figure.arrays["simple_regret"]):
            found[f"{options['constant']} = {float(options['value']):g}"] = one
    return found


def _with_more(scale: str, figure: dict[Key, Result]) -> dict[Key, Result]:
    """The runs of the figure with those of `experiments.boke.fig8_seeds`, where all have some."""
    try:
        more = stored(MORE, scale, figure)
    except Undecided:
        return figure
    return {key: stacked([one, more[key]]) for key, one in figure.items()}


def circumstances(sentence: Sentence, scale: str, alone: bool = False) -> Iterator[Circumstance]:
    """Our constants first, read twice, with all seeds there are if they are read `alone`; then every setting that both
    of ours have against every one of the peer.

    Raises Undecided where results are missing, or seeds are too few.
    """
    methods = (*sentence.ours, sentence.peer)
    figure = stored(STUDY, scale, [(PROBLEM, name) for name in methods])
    seeds = min(len(one.arrays["simple_regret"]) for one in figure.values())
    if seeds < FEWEST_SEEDS:
        raise Undecided(f"only {seeds} seeds at scale {scale}")
    if alone:
        figure = _with_more(scale, figure)
    runs = {name: _settings(scale, name, figure[PROBLEM, name]) for name in methods}
    for ours in [name for name in runs[sentence.ours[0]] if all(name in runs[method] for method in sentence.ours)]:
        for peer, theirs in runs[sentence.peer].items():
            samples = {}
            for method in sentence.ours:
                pairs = {EVALUATIONS: (runs[method][ours], theirs)}
                if ours == peer == OURS:
                    pairs[TIME] = after_equal_time(runs[method][ours], theirs)[:2]
                for name, (mine, other) in pairs.items():
                    samples[method, name] = logs(mine, "final") - logs(other, "final")
            yield Circumstance(PROBLEM, ours, peer, samples)


def judged(sentence: Sentence, scale: str, alone: bool) -> Evidence:
    """Under every circumstance that was tried on the sprinkler, or with our constants alone."""
    tried = list(circumstances(sentence, scale, alone))
    return here(sentence, scale, tried) if alone else printed(sentence, scale, tried, SWEEP)


_SHARED: dict[str, Any] = {
    "number": "Figure 8, section 5.2",
    "hypotheses": HYPOTHESES,
    "rule": _RULE,
    "tests": (4, 4),
    "needs": (STUDY, SWEEP),
    "more": (MORE,),
    "amended_twin": _MORE_SEEDS,
    "positive": {"ours": ("gp_ucb_refit",)},
    "positive_scale": "paper",
    "judge": judged,
    "verdicts": (_OPEN, _SETTLED),
}

fig8_beats_gp_ucb, fig8_beats_gp_ucb_here = with_twin(
    GP_UCB,
    "Smaller regret than GP-UCB after the same evaluations and after the same CPU time.",
    __name__,
    id="boke.fig8_beats_gp_ucb",
    says="""Both BOKE and BOKE+ achieve better accuracy than GP-UCB. Notably, with fixed CPU resources, BOKE and BOKE+
    outperform GP-UCB (sprinkler computer model, range, 8D)""",
    control={"ours": ("random_search",)},
    control_statement="Random search has a smaller regret than GP-UCB.",
    amended=f"{_AMENDED} {_POSITIVE}",
    positive_statement="GP-UCB with refitted hyperparameters outperforms it with fixed ones.",
    **_SHARED,
)

fig8_beats_kr_ucb, fig8_beats_kr_ucb_here = with_twin(
    KR_UCB,
    "Smaller regret than KR-UCB after the same evaluations and after the same CPU time.",
    __name__,
    id="boke.fig8_beats_kr_ucb",
    says="""BOKE and BOKE+ exhibit superior convergence compared to the KR-UCB algorithm, regardless of the number of
    iterations or solving time (sprinkler computer model, range, 8D)""",
    control={"ours": ("random_search",), "peer": "boke_plus"},
    control_statement="Random search converges better than BOKE+.",
    amended=f"""The rule is the first. The control was random search against KR-UCB; it is random search against BOKE+,
    since the runs at scale quick with the constants in use have shown that neither is random search significantly
    behind KR-UCB, nor KR-UCB behind GP-UCB. {_POSITIVE}""",
    positive_statement="GP-UCB with refitted hyperparameters converges better than KR-UCB.",
    **_SHARED,
)
