"""What errata, and the cards of Papers B and C, say of verdicts and measured numbers stands in what is committed."""

import json
import re

import numpy as np
import pytest
from scipy.stats import sem, t, ttest_1samp, wilcoxon

from experiments.engine.slim import best_observed
from experiments.engine.statistics import bootstrap_interval
from experiments.engine.store import ROOT
from experiments.papers import BY_LETTER, PAPERS
from paper_figures.headlines import headlines
from paper_figures.load import load
from theory_checks.errata.records import records

AFTER_DESIGN = 10
PROBLEMS = ("context_ackley", "context_branin", "context_hartmann", "context_hartmann_complicated", "newsvendor")
ORDERED = {
    "context_ackley": "Ackley",
    "context_branin": "Branin",
    "context_hartmann": "Hartmann",
    "context_hartmann_complicated": "complicated Hartmann",
}
SBO, DRBO, BLIND = "sbo_kde", "drbo_kde", "context_free_ucb"


@pytest.fixture(scope="module")
def regret():
    """Cumulative regret (5,) of a problem, an arm and a method, at scale quick."""
    stored = load("ctx.model_arms", "quick", ROOT, local=False)

    def of(problem, arm, method):
        (result,) = stored.select(problem=problem, arm=arm, policy=method)
        return np.asarray(result.arrays["regret"])[:, AFTER_DESIGN:].sum(axis=1)

    return of


@pytest.fixture(scope="module")
def long_regret():
    """Regret by round (5, 340) of a problem and a method, at scale paper, of the first block of seeds."""
    stored = load("ctx.fig1a", "paper", ROOT, local=False)
    assert stored.scale == "paper"

    def of(problem, method):
        result = min(stored.select(problem=problem, policy=method), key=lambda one: one.config["seeds"])
        return np.asarray(result.arrays["regret"])[:, AFTER_DESIGN:]

    return of


def why(name):
    (record,) = (one for one in records(BY_LETTER["C"]) if one.id == f"ctx.experiments.{name}")
    return " ".join(record.why.split())


def ratio(ours, theirs):
    return f"{np.exp(np.mean(np.log(ours / theirs))):.2f}".removeprefix("0")


def test_the_mean_of_the_process(regret):
    words, both = why("prior_mean"), ("text", "fitted_mean")
    gains = [ratio(regret(one, "fitted_mean", SBO), regret(one, "text", SBO)) for one in PROBLEMS]
    assert gains[2] == gains[3]
    assert (
        "{} times the regret that it has with mean zero on Ackley, {} on Branin, {} on Hartmann".format(*gains[:3])
        in words
    )
    assert f"complicated Hartmann, {gains[4]} on newsvendor" in words
    blind = {one: [ratio(regret(one, arm, SBO), regret(one, arm, BLIND)) for arm in both] for one in PROBLEMS}
    told = ["from {} to {} on Ackley", "from {} to {} on Branin", "{} to {} on Hartmann", "{} to {} on complicated"]
    for (_, found), text in zip(blind.items(), [*told, "from {} to {} on newsvendor"], strict=True):
        assert text.format(*found) in words
    robust = {one: [ratio(regret(one, arm, SBO), regret(one, arm, DRBO)) for arm in both] for one in PROBLEMS}
    for problem, name in (("context_branin", "Branin"), ("context_hartmann", "Hartmann")):
        assert "{} to {} on {}".format(*robust[problem], name) in words
    ahead = [int(np.sum(regret(PROBLEMS[0], arm, SBO) < regret(PROBLEMS[0], arm, BLIND))) for arm in both]
    assert ahead == [1, 5]
    assert "ahead in 1 seed of 5, then in all 5" in words
    (card,) = (" ".join(one.open) for one in headlines() if one.paper.letter == "C")
    assert "with the constant SBO-KDE had lower regret on all five problems" in card
    assert all(float(gain) < 1 for gain in gains)
    assert "on Ackley it was ahead of the method that ignores the context in all five runs, not in one" in card


def test_the_floor_of_the_noise(regret):
    gains = sorted(ratio(regret(one, "floor", SBO), regret(one, "text", SBO)) for one in PROBLEMS)
    assert f"SBO-KDE has {gains[0]} to {gains[-1]} times" in why("noise_floor")


def test_the_order_over_the_rounds(long_regret):
    words = why("rounds")
    for problem, name in ORDERED.items():
        ours, theirs = (np.cumsum(long_regret(problem, method), axis=1) for method in (SBO, BLIND))
        found = [ratio(ours[:, rounds - 1], theirs[:, rounds - 1]) for rounds in (25, 60, 150, 340)]
        behind = [True, True, True, False] if name == "Ackley" else [False] * 4
        assert [float(one) > 1 for one in found] == behind
        assert "{}, {}, {} and {} on ".format(*found) + name in words
    ours, theirs = (np.cumsum(long_regret(PROBLEMS[0], method), axis=1)[:, [24, 149, 339]] for method in (SBO, BLIND))
    ahead = np.sum(ours < theirs, axis=0)
    assert "ahead in {}, {} and {} of the five seeds after 25, 150 and 340".format(*ahead) in words
    (card,) = (" ".join(one.open) for one in headlines() if one.paper.letter == "C")
    assert (
        "on Ackley SBO-KDE is behind a method that ignores the context after 25 rounds, and after 150, and ahead"
        in card
    )


def test_the_order_on_newsvendor():
    """Cumulative regret over that of GP-UCB: of 340 rounds, of either half, and of rounds 76 to 150."""
    stored = load("ctx.fig1b", "paper", ROOT, local=False)
    wanted, regret = list(range(100, 120)), {}
    for method in (SBO, DRBO, BLIND):
        blocks = [one for one in stored.select(problem="newsvendor", policy=method) if one.config["seeds"][0] < 120]
        seeds = [seed for one in blocks for seed in one.config["seeds"]]
        rows = np.concatenate([one.arrays["regret"] for one in blocks])[np.argsort(seeds), AFTER_DESIGN:]
        assert (sorted(seeds), rows.shape) == (wanted, (20, 340))
        regret[method] = rows
    whole, first, second, turned = (
        [ratio(regret[method][:, part].sum(axis=1), regret[BLIND][:, part].sum(axis=1)) for method in (SBO, DRBO)]
        for part in (slice(None), slice(170), slice(170, None), slice(75, 150))
    )
    words = why("rounds")
    assert "over 340 rounds is {} times GP-UCB's, DRBO-KDE's {} times".format(*whole) in words
    assert "{} and {} in the first half of them, {} and {} in the second".format(*first, *second) in words
    assert "rounds 76 to 150 by themselves it is {} and {} times".format(*turned) in words


@pytest.mark.parametrize(("peer", "name"), [("stable_opt", "StableOpt"), (BLIND, "GP-UCB")])
def test_the_order_on_ackley_with_four_contexts(peer, name):
    """DRBO-KDE's cumulative regret over a peer's on the fresh seeds: after 150 rounds, after 340, of either half."""
    stored = load("ctx.fig1_seeds", "paper", ROOT, local=False)
    ours, theirs = (
        stored.array("regret", problem="context_ackley4", policy=policy)[:, AFTER_DESIGN:] for policy in (DRBO, peer)
    )
    assert ours.shape == theirs.shape == (30, 340)
    words, told = " ".join(why("rounds").split()), []
    for part in (slice(150), slice(340), slice(170), slice(170, None)):
        logs = np.log(ours[:, part].sum(axis=1) / theirs[:, part].sum(axis=1))
        low, high = np.exp(t.interval(0.95, 29, logs.mean(), sem(logs)))
        told.append(
            (ratio(ours[:, part].sum(axis=1), theirs[:, part].sum(axis=1)), low, high, ttest_1samp(logs, 0).pvalue)
        )
    early, late, first, second = told
    assert (
        "is {0} times {name}'s over 150 rounds (95 % interval {1:.2f} to {2:.2f}, p = {3:.0e})".format(
            *early, name=name
        ).replace("e-0", "e-")
        in words
    )
    assert "and {} times over 340 ({:.2f} to {:.2f}): ".format(*late[:3]) in words
    assert f"): {first[0]} in the first half of these, {second[0]} in the second" in words


def test_dro_on_the_portfolio():
    """DRBO-MMD's cumulative regret over DRBO-KDE's, of 150 rounds and of either half, on the fresh seeds."""
    stored = load("ctx.fig1_seeds", "paper", ROOT, local=False)
    mmd, kde = (
        stored.array("regret", problem="portfolio_normal", policy=name)[:, AFTER_DESIGN:] for name in ("drbo_mmd", DRBO)
    )
    assert mmd.shape == kde.shape == (50, 150)
    words, logs = why("competitive"), np.log(mmd.sum(axis=1) / kde.sum(axis=1))
    low, high = np.exp(t.interval(0.95, 49, logs.mean(), sem(logs)))
    assert f"is {np.exp(logs.mean()):.2f} times DRBO-KDE's (95 % interval {low:.2f} to {high:.2f};" in words
    first, second = (np.exp(np.mean(np.log(mmd[:, s].sum(1) / kde[:, s].sum(1)))) for s in (slice(75), slice(75, None)))
    assert f"{first:.2f} in the first half of the rounds, {second:.0f} in the second" in words


def test_the_two_methods_on_complicated_hartmann():
    """DRBO-KDE's cumulative regret over SBO-KDE's, all rounds, and the difference of the rewards observed."""
    stored, problem = load("ctx.fig1a", "paper", ROOT, local=False), "context_hartmann_complicated"
    robust, plain = (stored.array("regret", problem=problem, policy=name)[:, AFTER_DESIGN:] for name in (DRBO, SBO))
    assert robust.shape == plain.shape == (30, 340)
    words, ratios = why("complicated_hartmann"), robust.sum(axis=1) / plain.sum(axis=1)
    logs = np.log(ratios)
    low, high = np.exp(t.interval(0.95, 29, logs.mean(), sem(logs)))
    assert f"is {np.exp(logs.mean()):.2f} times SBO-KDE's (95 % interval {low:.2f} to {high:.2f})" in words
    assert f"larger in {(ratios > 1).sum()} of 30" in words


def test_stable_opt_on_hartmann():
    """StableOpt's cumulative regret over GP-UCB's on the fresh seeds; over all rounds, and of either half."""
    stored = load("ctx.fig1_seeds", "paper", ROOT, local=False)
    stable, blind = (
        stored.array("regret", problem="context_hartmann", policy=name)[:, AFTER_DESIGN:]
        for name in ("stable_opt", BLIND)
    )
    assert stable.shape == blind.shape == (20, 150)
    words, logs = why("stable_opt"), np.log(stable.sum(axis=1) / blind.sum(axis=1))
    low, high = np.exp(t.interval(0.95, 19, logs.mean(), sem(logs)))
    assert f"is {np.exp(logs.mean()):.2f} times GP-UCB's (95 % interval {low:.2f} to {high:.2f};" in words
    halves = (np.exp(np.mean(np.log(stable[:, s].sum(1) / blind[:, s].sum(1)))) for s in (slice(75), slice(75, None)))
    assert "{:.2f} in the first half of the rounds, {:.2f} in the second)".format(*halves) in words
    assert f"smaller in {np.sum(logs < 0)} of 20" in words
    figure = load("ctx.fig1a", "paper", ROOT, local=False)
    for problem in ("context_ackley", "context_branin", "context_hartmann_complicated"):
        ours, theirs = (
            figure.array("regret", problem=problem, policy=name)[:5, AFTER_DESIGN:][:, :150].sum(axis=1)
            for name in ("stable_opt", BLIND)
        )
        assert np.mean(np.log(ours / theirs)) > 0


def public_over(problem, method, peer):
    """Ratio of cumulative regrets, the arm's over the figure's, over the arm's rounds and seeds."""
    ours, theirs = (
        load(study, "paper", ROOT, local=False).array("regret", problem=problem, policy=name)[:5, AFTER_DESIGN:]
        for study, name in (("ctx.public_arms", method), ("ctx.fig1a", peer))
    )
    assert ours.shape == (5, 150)
    return ratio(ours.sum(axis=1), theirs[:, :150].sum(axis=1))


def test_stable_opt_and_drbo_kde_by_the_public_code():
    """Cumulative regrets of the arms over those of Figure 1 (a), 150 rounds of five seeds."""
    (record,) = (one for one in records(BY_LETTER["C"]) if one.id == "ctx.methods.sobol_scaling")
    words = " ".join(record.why.split())
    stable = [public_over(problem, "stable_opt", BLIND) for problem in ORDERED]
    assert (
        "is {} times GP-UCB's on Ackley, {} on modified Branin, {} on Hartmann and {} on complicated".format(*stable)
        in words
    )
    own = [public_over(problem, DRBO, DRBO) for problem in ORDERED]
    assert (
        "is {} times that by the text on Ackley, {} on modified Branin, {} on Hartmann and {} on complicated".format(
            *own
        )
        in words
    )
    plain = [public_over(problem, DRBO, SBO) for problem in ORDERED]
    assert "and {}, {}, {} and {} times SBO-KDE's".format(*plain) in words


def test_dro_on_modified_branin():
    """DRBO-MMD's cumulative regret over GP-UCB's on the fresh seeds; over all rounds, and of either half."""
    stored = load("ctx.fig1_seeds", "paper", ROOT, local=False)
    mmd, blind = (
        stored.array("regret", problem="context_branin", policy=name)[:, AFTER_DESIGN:] for name in ("drbo_mmd", BLIND)
    )
    assert mmd.shape == blind.shape == (120, 150)
    words, logs = why("mmd_branin"), np.log(mmd.sum(axis=1) / blind.sum(axis=1))
    low, high = np.exp(t.interval(0.95, 119, logs.mean(), sem(logs)))
    assert f"is {np.exp(logs.mean()):.2f} times that of GP-UCB" in words
    assert f"(95 % interval {low:.2f} to {high:.2f}," in words
    halves = (np.exp(np.mean(np.log(mmd[:, s].sum(1) / blind[:, s].sum(1)))) for s in (slice(75), slice(75, None)))
    assert "{:.2f} in the first half of the rounds, {:.2f} in the second)".format(*halves) in words
    assert f"larger in {np.sum(logs > 0)} of 120" in words


def test_ackley_with_four_contexts():
    """DRBO-KDE's regret over StableOpt's and GP-UCB's on the fresh seeds, at the end and after 150 rounds."""
    stored, words = load("ctx.fig1_seeds", "paper", ROOT, local=False), why("ackley_four_contexts")
    ours, *peers = (
        stored.array("regret", problem="context_ackley4", policy=name)[:, AFTER_DESIGN:]
        for name in (DRBO, "stable_opt", BLIND)
    )
    early = []
    for peer, said in zip(
        peers, ("times StableOpt's (95 % interval {} to {})", "see the context ({} to {})"), strict=True
    ):
        assert ours.shape == peer.shape == (30, 340)
        logs = np.log(ours.sum(axis=1) / peer.sum(axis=1))
        low, high = np.exp(t.interval(0.95, 29, logs.mean(), sem(logs)))
        assert f"{np.exp(logs.mean()):.2f} times" in words
        assert said.format(f"{low:.2f}", f"{high:.2f}") in words
        early.append(f"{np.exp(np.mean(np.log(ours[:, :150].sum(axis=1) / peer[:, :150].sum(axis=1)))):.2f}")
    (record,) = (one for one in records(BY_LETTER["C"]) if one.id == "ctx.experiments.ackley_four_contexts")
    assert "DRBO-KDE was behind both, {} and {} times".format(*early) in " ".join(record.ours.split())


def test_corrected_ei_against_ei():
    """Of Paper B: medians of the ratios of gaps with the variance known, at the end and after 50 steps."""
    stored = load("cei.fig3", "paper", ROOT, local=False, shows={"arm": "known"})
    assert stored.scale == "paper"
    names = ("hartmann3", "griewank6", "levy4", "powell5")
    ratios = []
    for name in names:
        ours, theirs = (stored.array("gap", problem=name, policy=each, arm="known") for each in ("corrected_ei", "ei"))
        ratios.append(ours / theirs)
    ratios = np.stack(ratios)
    assert ratios.shape == (4, 280, 150)
    end, early = ([f"{value:.2f}" for value in np.median(ratios[:, :, step], axis=1)] for step in (-1, 49))
    over_all = f"{np.median(ratios[:, :, -1]):.2f}"
    (record,) = (one for one in records(BY_LETTER["B"]) if one.id == "cei.experiments.figure_3_order")
    words = " ".join(record.why.split())
    assert "{} times EI's on Hartmann3, {} on Griewank, {} on Levy and {} on Powell".format(*end) in words
    assert f"{over_all} over all; after 50 steps it was " + "{}, {}, {} and {}.".format(*early) in words
    (card,) = (" ".join(one.open) for one in headlines() if one.paper.letter == "B")
    assert float(over_all) > 1.1
    assert max(end) == end[3]
    assert "corrected EI ends behind EI over the four functions, most clearly on Powell" in card


def test_compression_of_networks():
    """Of Paper B: EI's sum less corrected EI's, at the end by both measures and after 45 proposals."""
    stored = load("cei.fig4", "paper", ROOT, local=False)
    nets, both = ("fc3_digits", "fc3_mnist"), ("corrected_ei", "ei")
    at_x_plus = {net: [-stored.array("incumbent_value", problem=net, policy=each) for each in both] for net in nets}
    smallest = {net: [-stored.made(best_observed, problem=net, policy=each) for each in both] for net in nets}
    higher, early, seen = (
        [ours[:, step] - theirs[:, step] for ours, theirs in sums.values()]
        for sums, step in ((at_x_plus, -1), (at_x_plus, 45), (smallest, -1))
    )
    assert [len(gain) for gain in higher] == [250, 250]
    (record,) = (one for one in records(BY_LETTER["B"]) if one.id == "cei.experiments.figure_4_order")
    words = " ".join(record.why.split())

    def means(gains: list[np.ndarray]) -> list[str]:
        return [f"{gain.mean():.3f}" for gain in gains]

    assert "by {} on digits and {} on MNIST on average".format(*means(higher)) in words
    assert "(medians {:.3f} and {:.3f})".format(*map(np.median, higher)) in words
    pooled = np.concatenate(higher)
    assert f"in {np.sum(pooled > 0)} of {len(pooled)} pairs, lower in {np.sum(pooled < 0)};" in words
    assert "is higher by {} and {}.".format(*means(seen)) in words
    assert "closer, {} and {} apart".format(*means(early)) in words


def evidence(claim):
    """The committed evidence on a claim of the largest scale that has some."""
    paths = [ROOT / "reference" / "claims" / scale / f"{claim}.json" for scale in ("paper", "quick")]
    return json.loads(next(path for path in paths if path.exists()).read_text())


def test_verdicts_that_are_told_are_those_of_the_ledger():
    """Wherever a record says of a claim, named by its id, that it is refuted, or depends, and so on."""
    verdicts = "supported|refuted|vacuous|depends|reproduced|not reproduced|opposite|undetermined|undecided"
    saying = re.compile(rf"`(\w+\.\w+)`(?:, [^,`.;]+,)?(?: is)? ({verdicts})\b")
    text = " ".join(" ".join((one.why, one.ours)) for paper in PAPERS for one in records(paper))
    told = saying.findall(" ".join(text.split()))
    assert len(told) >= 5
    assert [(claim, evidence(claim)["verdict"]) for claim, _ in told] == told


def test_what_exp3_learns():
    """Where the probability of a random query ends, as scaled in Figure 2 and uncapped."""
    (record,) = (one for one in records(BY_LETTER["D"]) if one.id == "uhe.methods.reward_range")
    words = " ".join(record.ours.split())
    names = {"branin": "Branin", "deceptive2": "Deceptive", "hartmann3": "Hartmann3"}
    many = load("uhe.exp3", "paper", ROOT, local=False)
    assert many.scale == "paper"
    for problem in many.problems():
        ends = many.array("random_probability", problem=problem)[:, -1].astype(float)
        assert len(ends) == 400
        assert told(ends) + f" on {names.get(problem, problem)}" in words
        assert abs(ends.mean() - 0.5) < 0.05
    uncapped = load("uhe.fig2_arms", "paper", ROOT, local=False)
    for problem in ("branin", "h1"):
        ends = uncapped.array("info_random_probability", problem=problem, policy="uhe_bo", arm="uncapped")[:, -1]
        assert told(ends) + f" on {names.get(problem, problem)}" in words


def told(values):
    """A mean and its standard error."""
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.3f}"


def test_paper_d_on_h1_and_deceptive():
    """Final regrets, means and standard errors; ahead on h1, behind on Deceptive under either reading of the priors."""
    ends = {}
    for study in ("uhe.fig2", "uhe.fig2_arms"):
        for one in load(study, "paper", ROOT, local=False).results:
            arm = one.config["options"].get("arm", "rate")
            regret = np.asarray(one.arrays["simple_regret"])[:, -1]
            ends[one.config["problem"], arm, one.config["policy"]] = regret.mean(), np.std(regret, ddof=1) / 80**0.5
    (record,) = (one for one in records(BY_LETTER["D"]) if one.id == "uhe.experiments.sizes")
    words = " ".join(record.ours.split())
    deceptive, h1 = words.split(" On h1 ")
    for problem, arm, methods in (
        ("deceptive2", "rate", ("uhe_bo", "wang_de_freitas", "portfolio_exp3", "gp_ucb_map")),
        ("deceptive2", "scale", ("uhe_bo", "wang_de_freitas", "portfolio_exp3", "gp_ucb_map")),
        ("deceptive2", "uncapped", ("uhe_bo",)),
        ("h1", "rate", ("uhe_bo", "portfolio_exp3", "gp_ucb_mcmc")),
        ("h1", "scale", ("uhe_bo", "portfolio_exp3")),
        ("h1", "uncapped", ("uhe_bo", "portfolio_exp3")),
    ):
        for name in methods:
            told = "{:.3f} ± {:.3f}".format(*ends[problem, arm, name])
            assert told in (h1 if problem == "h1" else deceptive), (problem, arm, name)
    for arm in ("rate", "scale"):
        peers = {name: mean for (problem, way, name), (mean, _) in ends.items() if (problem, way) == ("h1", arm)}
        assert min(peers, key=peers.__getitem__) == "uhe_bo"
        assert sorted(peers, key=peers.__getitem__)[1] == "portfolio_exp3"
        assert ends["deceptive2", arm, "wang_de_freitas"][0] < ends["deceptive2", arm, "uhe_bo"][0]
    (card,) = (" ".join(one.open) for one in headlines() if one.paper.letter == "D")
    assert "on h1 UHE-BO is ahead with either, on Deceptive behind others with either" in card


def test_paper_d_on_branin():
    """UHE-BO against Portfolio at the end, under each reading of the text: regrets, ratios of pairs, errors."""
    runs = {}
    for study in ("uhe.fig2", "uhe.fig2_arms"):
        for one in load(study, "paper", ROOT, local=False).results:
            runs[one.config["problem"], one.config["options"].get("arm", "rate"), one.config["policy"]] = one

    def error(one):
        return np.asarray(one.arrays["mse"])[:, -1] / float(one.arrays["truth_variance"])

    said = {one.id.rpartition(".")[2]: " ".join(one.ours.split()) for one in records(BY_LETTER["D"])}
    ratios = []
    for arm in ("rate", "scale", "uncapped"):
        ours, theirs = (runs["branin", arm, name] for name in ("uhe_bo", "portfolio_exp3"))
        first, second = (np.asarray(one.arrays["simple_regret"])[:, -1] for one in (ours, theirs))
        assert told(first) in said["sizes"]
        assert second.mean() < first.mean() / 500
        ratios.append(f"{np.median(first / np.maximum(second, 1e-9 * float(ours.arrays['range']))):,.0f}")
        for one in (ours, theirs):
            assert told(error(one)) in said["figure_4"], (arm, one.config["policy"])
    assert "the median pair at {}, {} and {} times Portfolio's regret".format(*ratios) in said["sizes"]
    errors = {
        name: error(one).mean()
        for (problem, arm, name), one in runs.items()
        if (problem, arm) == ("deceptive2", "rate")
    }
    assert sorted(errors, key=errors.__getitem__)[:2] == ["random_search", "uhe_bo"]


def test_scenarios_of_figure_1():
    """How often corrected EI's suggestion is closer to x* than EI's, and by how much on average."""
    stored = load("cei.fig1", "paper", ROOT, local=False)
    gain = stored.array("distance_ei") - stored.array("distance_corrected_ei")
    closer, farther, (mean, low, high) = np.mean(gain > 0), np.mean(gain < 0), map(float, bootstrap_interval(gain))
    (record,) = (one for one in records(BY_LETTER["B"]) if one.id == "cei.experiments.figure_1_order")
    words = " ".join(record.why.split())
    assert f"in {100 * closer:.0f} % of {len(gain):,} drawn at random" in words
    assert f"in {100 * farther:.0f} % its point is farther, by {-mean:.2f} of a box" in words
    p = f"{wilcoxon(gain).pvalue:.0e}".replace("e-0", "e-")
    assert f"[{-high:.2f}, {-low:.2f}], p = {p}" in words
