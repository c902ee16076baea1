"""Algorithmic consistency: Theorem 4 [4.4], Corollaries 5 [4.6] and 6 [4.8].

**A direct proof decides the claims in finite time.** The acquisition A (14), (20) is +infinity exactly where W_t(x) =
0, so that an exploration step takes such a point x_{t+1} as long as there is one. Psi is continuous, hence positive on
some ball ||u|| < e, and x_{t+1} lies at distance >= e h_t from all earlier points. X is compact and holds at most P(e
h) points at such pairwise distances. With h fixed, at most P(e h) exploration steps are made before W_t > 0 everywhere,
and then every x has data within R h. The argument holds for every outcome, noise, beta_t > 0 and choice among
maximisers. Let h_t be non-increasing. If fill(X_T) > R h_s, all exploration steps from s to T are at pairwise distance
>= e h_T, and their number is at most P(e h_T). Hence fill(X_T) -> 0 for every h_t -> 0 with t h_t^d -> infinity,
Scott's rule h_t ~ t^(-1/(d+4)) included. For BOKE+ count exploration steps alone, which have a positive density (law of
large numbers).

The printed proofs have gaps. A-old's Theorem 4(i) applies Lemma 3(b) (through Theorem 2) to a subsequence that depends
on the noise (see `boke.thm2_adaptive`). A-new's part (b) takes h_t from a lemma that builds h_t from the sequence that
BOKE makes with h_t (see `boke.lemma13b_shrinking`).
"""

from typing import Any

from theory_checks.boke.testbeds.core_runs import core_fill
from theory_checks.boke.testbeds.outside import outside_assumptions
from theory_checks.boke.testbeds.packing_runs import (
    PER_SIDE,
    RUNS,
    SCOTT,
    UNLUCKY,
    fixed_bandwidth,
    rule_of_thumb,
    staged,
    steps_needed,
)
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale, listed

STAGES = ByScale(4, 8, 12)
"""The last stage n (h = 1/n) of the paper's construction for d = 1; d = 2 has half as many stages."""
PLUS_STAGES = ByScale(2, 4, 6)
"""The last stage for BOKE+, whose stages are longer."""
FIXED = 0.25
"""The fixed bandwidth h."""
EXPLORING = (0.1, 0.5)
"""Probabilities p of an exploration step of BOKE+."""


def _judge(failures: list[str], numbers: dict[str, Any], summary: str) -> Evidence:
    if failures:
        return Evidence(
            Verdict.REFUTED,
            f"{failures[0]} (and {len(failures) - 1} more)",
            {**numbers, "failures": failures[:20]},
            {"failure": failures[0], **numbers} if len(failures) else None,
        )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


_GRID = f"""The check makes {RUNS} runs a setting with f = -||x - x*||, x* a corner, and an exact argmax on grids of
    {PER_SIDE[1]} (d=1) and {PER_SIDE[2]}^2 (d=2) points. Where W = 0 a run takes the point nearest to the data (part
    (i): also the farthest, or a random one)."""
_RULE_I = f"""{_GRID} The kernels are Epanechnikov, ring (M_Psi = 3) and needle (positive only near 0 and near R), h is
    {FIXED}, the noise Gaussian or Cauchy. A run has as many exploration steps as points at pairwise distance e h fit
    into the cube (at most). Refuted if then fill > R h or r* > L R h in any run (the claim holds in every run or
    fails), or if more such steps were made while W was zero somewhere."""
_CORE = """At quick and paper core's own policy is run beside it, on the continuous cube: refuted if its fill distance
    exceeds R h by more than the spacing of its candidates."""


@claim(
    id="boke.thm4i",
    rule=f"{_RULE_I} {_CORE} Otherwise supported.",
    control={"radius": 0.5},
    control_statement="The iterates fill X up to R h / 2, and r* <= L R h / 2, after the same number of steps.",
)
def thm4i(scale: str, *, radius: float = 1.0) -> Evidence:
    """The bound holds for every outcome after finitely many steps: the module's docstring has the proof."""
    failures, numbers = fixed_bandwidth(scale, radius, FIXED)
    if scale != "smoke":
        failures_core, numbers["core"] = core_fill(scale, "boke", radius)
        failures += failures_core
    numbers["outside_assumptions"] = outside_assumptions(scale)
    stuck = numbers["outside_assumptions"]["gaussian, h fixed at 0.3"]
    summary = (
        "Every run covers X within the packing bound: the fill distance is at most "
        f"{numbers['largest_fill_over_Rh']:.3f} R h, r* at "
        f"most {numbers['largest_regret_over_LRh']:.3f} L R h, for any noise. Outside the assumptions (Gaussian "
        f"kernel, R infinite, h = 0.3) the fill distance is still {stuck['fill']:.2f} and r* "
        f"{stuck['regret_over_range']:.2f} of "
        f"the range at t = {stuck['t']}."
    )
    return _judge(failures, numbers, summary)


@claim(
    id="boke.thm4ii",
    rule=f"""{_GRID} The paper's construction with stages h = 1/n of fixed length (the packing bound of 1/n),
        Epanechnikov. Refuted if fill > R/n (half of what the paper asks) at the end of a stage n <= {STAGES} (d=1),
        half as many in d=2, in any run. Otherwise supported.""",
    control={"shrink": False},
    control_statement="The same with h = 1 throughout.",
)
def thm4ii(scale: str, *, shrink: bool = True) -> Evidence:
    """The printed t_n depend on the noise; the packing bound fixes t_n, and so h_t, in advance."""
    failures, numbers = staged(scale, STAGES[scale], shrink)
    last = numbers["stages"][max(numbers["stages"], key=lambda key: numbers["stages"][key]["fill"] * -1)]
    return _judge(failures, numbers, f"At the end of every stage n fill(X) <= R/n; it falls to {last['fill']:.3f}.")


@claim(
    id="boke.thm4ii_explicit",
    rule=f"""{_GRID} Scott's rule h_t = c t^(-1/(d+4)), c = {listed(SCOTT)}, Epanechnikov. Refuted if fill(X_T) > R
        h_(T/2) in any run at the first T with T/2 above the packing bound of h_T. Otherwise supported.""",
    control={"power": 2.0},
    control_statement="The same for h_t = c t^(-2), which shrinks too fast.",
    origin="repair",
)
def thm4ii_explicit(scale: str, *, power: float | None = None) -> Evidence:
    """Scott's rule is a sequence as Theorem 4(ii) claims; the experiments use Scott's rule with another kernel."""
    failures, numbers = rule_of_thumb(scale, (lambda d: power) if power else (lambda d: 1 / (d + 4)))
    numbers["outside_assumptions"] = outside_assumptions(scale)
    scott = numbers["outside_assumptions"]["gaussian, Scott's rule"]
    summary = (
        "In every run fill(X_T) <= R h_(T/2). Outside the assumptions (Gaussian kernel, Scott's rule, as in the "
        f"experiments) the fill distance falls to {scott['fill']:.3f} at t = {scott['t']}."
    )
    return _judge(failures, numbers, summary)


@claim(
    id="boke.cor5",
    rule=f"""{_RULE_I} Here a quarter of the runs, p = {listed(EXPLORING)}, steps such that too few explorations among
        them have probability <= {UNLUCKY:g}; stages n <= {PLUS_STAGES} of Theorem 4(ii) with p = {EXPLORING[-1]}.
        {_CORE} Otherwise supported.""",
    control={"probabilities": (0.0,)},
    control_statement="The same for p = 0, pure exploitation.",
)
def cor5(scale: str, *, probabilities: tuple[float, ...] = EXPLORING) -> Evidence:
    """Exploitation steps only add points; exploration steps do all that Theorem 4 needs."""
    failures, numbers = [], {}
    for probability in probabilities:
        found, numbers[f"p={probability:g}"] = fixed_bandwidth(scale, 1.0, FIXED, probability)
        failures += found
    if probabilities[-1] > 0:
        found, numbers["part ii"] = staged(scale, PLUS_STAGES[scale], True, probabilities[-1])
        failures += found
    if scale != "smoke" and probabilities[-1] > 0:
        found, numbers["core"] = core_fill(scale, "boke_plus", steps=lambda needed: steps_needed(needed, EXPLORING[-1]))
        failures += found
    fill = max(row["largest_fill_over_Rh"] for name, row in numbers.items() if name.startswith("p="))
    return _judge(
        failures, numbers, f"Every run covers X: the fill distance is at most {fill:.3f} R h for p = 0.1 and 0.5."
    )


@claim(
    id="boke.cor6",
    rule=f"""{_RULE_I} The acquisition is A (12), no observations; stages n <= {STAGES} as for Theorem 4(ii). {_CORE}
        Otherwise supported.""",
    control={"radius": 0.5},
    control_statement="DE fills X up to R h / 2 after the same number of steps.",
)
def cor6(scale: str, *, radius: float = 1.0) -> Evidence:
    """The packing argument needs no data values, so that it holds for density exploration."""
    failures, numbers = fixed_bandwidth(scale, radius, FIXED, density_only=True)
    found, numbers["part ii"] = staged(scale, STAGES[scale], True, density_only=True)
    failures += found
    if scale != "smoke":
        failures_core, numbers["core"] = core_fill(scale, "density_exploration", radius)
        failures += failures_core
    return _judge(
        failures,
        numbers,
        f"The fill distance is at most {numbers['largest_fill_over_Rh']:.3f} R h, and R/n in all stages.",
    )
