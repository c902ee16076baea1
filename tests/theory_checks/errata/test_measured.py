"""The numbers of runs in records are computed, and the words beside the numbers follow from them."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from experiments.engine.evidence import raw
from experiments.engine.store import ROOT
from experiments.papers import PAPERS
from theory_checks import errata
from theory_checks.errata import measured
from theory_checks.errata.measured.runs import Mean, Ratio
from theory_checks.errata.records import records
from theory_checks.ledger import Kind, load
from theory_checks.references import REFERENCE_PATTERN, filled_in

PRINTED = "numbers of the papers, of their code, or of the functions themselves"
SIDE_RUNS = "runs of a script or of an adapter, whose results are not stored"
TYPED = {
    "boke.experiments.beta_and_units": "arithmetic on the constants",
    "boke.experiments.corners": SIDE_RUNS,
    "boke.experiments.figure_9": SIDE_RUNS,
    "boke.experiments.noise_figure_7": "the noise's share of the outputs' deviation, by the functions",
    "cei.experiments.figure_2": "a box",
    "cei.experiments.figure_5_diagonal": PRINTED,
    "cei.experiments.network_ranks": PRINTED,
    "cei.experiments.noise_range": PRINTED,
    "cei.experiments.vgg16_size": PRINTED,
    "cei.methods.corrected_pi_jump": "a distance that counts as close",
    "ctx.experiments.clipping_atoms": "probabilities of the distributions",
    "ctx.experiments.gp_model": SIDE_RUNS,
    "ctx.experiments.hartmann_weights": PRINTED,
    "ctx.experiments.portfolio_optimum": PRINTED,
    "ctx.experiments.root_beta": PRINTED,
    "ctx.experiments.unclipped_contexts": "probabilities of the distributions",
    "uhe.experiments.fidelities": SIDE_RUNS,
    "uhe.experiments.h1_optimum": PRINTED,
    "uhe.methods.gamma_pole": PRINTED,
    "uhe.methods.gamma_scale": "a setting of the prior",
    "uhe.methods.mcmc": PRINTED,
    "uhe.methods.wang_de_freitas": PRINTED,
}
"""Records on experiments and methods with decimals in their words, and why these are no references."""

DECIMAL = re.compile(r"(?<![\w.§^])(?:\d[\d,]*)?\.\d+")
THRESHOLD = re.compile(
    r"(?:advantage of|factor of|shorter by a factor of|and) 1\.25|section \d\.\d|Corollary 3\.2|0\.02"
)


def typed_decimals() -> dict[str, list[str]]:
    """Record -> decimals that stand in its words, references and names of sections and thresholds apart."""
    found = {}
    for paper in PAPERS:
        path = Path(errata.__file__).with_name(f"{paper.key}.toml")
        for part, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for name, record in table.items():
                if part not in ("experiments", "methods") or not isinstance(record, dict):
                    continue
                words = " ".join(f"{record.get('why', '')} {record.get('ours', '')}".split())
                told = DECIMAL.findall(THRESHOLD.sub("", REFERENCE_PATTERN.sub("", words)))
                if told and record["kind"] != "constant":
                    found[f"{paper.key}.{part}.{name}"] = told
    return found


def test_decimals_are_references():
    assert set(typed_decimals()) == set(TYPED)


def test_a_ratio_of_methods():
    """Against numbers by hand: logarithms 0, log 2, log 4."""
    first, second = np.array([1.0, 4.0, 12.0]), np.array([1.0, 2.0, 3.0])
    ratio = Ratio.of(first, second)
    assert ratio.mean == pytest.approx(2.0)
    assert (ratio.larger, ratio.smaller, ratio.count) == (2, 0, 3)
    half = 4.302652729911275 * np.log(2) / 3**0.5  # t of two degrees of freedom, standard error of the logarithms
    assert (ratio.low, ratio.high) == pytest.approx((2 * np.exp(-half), 2 * np.exp(half)))
    assert Mean.of(np.array([1.0, 3.0])) == Mean(2.0, pytest.approx(1.0), 2)


def test_a_reference_to_a_measured_number():
    count = measured.portfolio()["whole"].count
    assert filled_in("of ${measured:portfolio[whole].count} seeds", "x") == f"of {count} seeds"
    assert filled_in("${measured:scenarios[closer]|.0%}", "x") == f"{100 * measured.scenarios()['closer']:.0f} %"
    with pytest.raises(ValueError, match="record boke.x"):
        filled_in("${measured:nothing[whole]}", "record boke.x")


def test_verdicts_that_are_told_are_those_of_the_ledger():
    """Wherever a record says of a claim, named by its id, that it is refuted, or depends, and so on."""
    verdicts = "supported|refuted|vacuous|depends|reproduced|not reproduced|opposite|undetermined|undecided"
    saying = re.compile(rf"`(\w+\.\w+)`(?:, [^,`.;]+,)?(?: is)? ({verdicts})\b")
    text = " ".join(" ".join((one.why, one.ours)) for paper in PAPERS for one in records(paper))
    told = saying.findall(" ".join(text.split()))
    assert len(told) >= 5
    assert all(load()[claim].kind in Kind for claim, _ in told)
    assert [(claim, _evidence(claim)["verdict"]) for claim, _ in told] == told


def _evidence(claim):
    found = (raw(claim, scale, ROOT / "reference") for scale in ("paper", "quick"))
    return next(one for one in found if one is not None)


def test_words_about_paper_c_follow_from_its_runs():
    """The words of `ctx.experiments` and of the card of Paper C on who is ahead, where and when."""
    arms, rounds = measured.model_arms(), measured.rounds()
    assert all(gain.mean < 1 for gain in arms["fitted"].values())
    assert [arms[f"blind_{mean}"]["context_ackley"].smaller for mean in ("text", "fitted")] == [1, 5]
    behind = {name: [ratios[count].mean > 1 for count in ("25", "60", "150", "340")] for name, ratios in rounds.items()}
    assert behind.pop("context_ackley") == [True, True, True, False]
    assert not any(map(any, behind.values()))
    four = measured.four_contexts()
    assert four["context_free_ucb"]["first"].mean > 1 > four["context_free_ucb"]["second"].mean
    assert four["stable_opt"]["whole"].low > 1
    stable = {name.removeprefix("context_"): ratios["whole"] for name, ratios in measured.stable_opt().items()}
    assert measured.public_arms()["stable"]["context_hartmann"].mean > 1 > stable["hartmann"].high
    assert stable["ackley"].low > 1
    assert all(stable[name].low < 1 < stable[name].high for name in ("branin", "hartmann_complicated"))
    assert measured.mmd_branin()["whole"].low > 1 / 1.25
    assert measured.complicated_hartmann()["whole"].low > 1


def test_words_about_papers_b_and_d_follow_from_their_runs():
    gaps = _evidence("cei.fig3_beats_ei")["numbers"]["default"]
    gaps = {name: gaps[f"corrected_ei against ei, {name}"] for name in ("hartmann3", "griewank6", "levy4", "powell5")}
    assert [name for name, gap in gaps.items() if gap["advantage"][2] < 0] == ["hartmann3", "griewank6"]
    assert [name for name, gap in gaps.items() if gap["state"] == "open"] == ["levy4", "powell5"]
    public = _evidence("cei.fig3_public_code")["numbers"]["default"]
    gains = {name: gap["advantage"][0] for name, gap in public.items() if name.startswith("corrected_ei against ei")}
    assert len(gains) == 4
    assert [name for name, gain in gains.items() if abs(gain) > np.log10(1.2)] == ["corrected_ei against ei, hartmann3"]
    assert gains["corrected_ei against ei, hartmann3"] > 0
    assert all(0 < gain < 0.02 for name in ("end", "seen") for gain in measured.compression()[name].values())
    assert all(abs(one.mean - 0.5) < 0.05 for one in measured.random_probability()["capped"].values())
