"""The options that :func:`core.optimizer.optimize.optimize` and :class:`core.optimizer.optimizer.Optimizer` share.

:class:`Options` states each of them once, with its default in ``DEFAULTS``. :class:`Settings` holds the options of one
run as they were understood, and their identity: the numbers and text that identify the file of a run.
"""

import hashlib
import inspect
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Required, TypedDict, TypeVar, Unpack, cast

import jax
import numpy as np
from jaxtyping import PRNGKeyArray

from core.checks import check_bounds, check_count, check_key, check_truth, near_names
from core.designs import default_initial_size, initial_design, seed_keys
from core.optimizer.history import History
from core.optimizer.programs import design_key_and_others
from core.optimizer.validation import check_noise
from core.policies import FINITE_SET, Policy, contextual, make
from core.policies.near import looking_near
from core.policies.refitted import RefittedPolicy
from core.policies.restricted import snapping
from core.spaces.domain import Domain
from core.spaces.space import Space

__all__ = ["DEFAULTS", "DEFAULT_POLICY", "FAILURES", "Options", "Settings", "fingerprint", "spelled_out"]

DEFAULT_POLICY = "noisy_ei"
FAILURES = ("skip", "worst")

Bounds = Sequence[Any] | np.ndarray | Space | Mapping[str, Any]
Wrapped = TypeVar("Wrapped", bound=Callable[..., Any])


class Options(TypedDict, total=False):
    """The options that decide the points of a run.

    Attributes:
        key: a JAX key, or an integer from 0 to 2**32 - 1, the seed of one; the same key, function and budget give the
            same history (with several workers, as long as evaluations finish in the same order).
        policy: a name in :data:`core.policies.REGISTRY`, or an instance. The default, noisy expected
            improvement under hyperparameters refitted after every evaluation, needs no knowledge of f. The default uses
            the variance of the noise where evaluations carry it. A policy given by name also draws in a long tail of
            bad values (``transform``), and searches near its best observations; an instance does neither unless asked.
            Those with a horizon ("uhe_bo", "ra_bo", "random_exp3", "portfolio_exp3") plan by name for 100 evaluations
            whatever the budget is: for others give an instance, ``make(name, dim, horizon=...)``.
        observations: a :class:`History` to continue, or arrays ``(x, y)`` or ``(x, y, noise_variance)``. A run goes on
            exactly as if it had never stopped where the first budget was at least the usual initial size, or where
            ``initial_size`` is given. With ``context_bounds``, arrays are ``(x, y, noise_variance or None,
            context)``. With a space, x is a list of dictionaries, or a table (``pandas.DataFrame``) with a column a
            parameter. A row outside the bounds is left out, with a warning; one whose y is NaN is a failure.
        initial_size: points of the Latin hypercube evaluated first; observations given count towards it. By default
            twice the number of parameters plus one, at least five; half of the budget, where that is smaller.
        first: points to evaluate first, in the form that f takes; they count towards the initial design. As any point
            of the design they give way: each observation given, and each point told that was not asked for, takes the
            place of one, the earliest first.
        context_bounds: c pairs (lower, upper): f has a random context that nobody controls, drawn while it is
            evaluated and returned by it; the policy, such as "sbo_kde", maximises the expectation over it. Name the
            policy: the default ignores contexts. Contexts outside their box are recorded as they are, and shown to the
            policy clipped.
        maximize: False where smaller values are better.
        constraint: a condition on every point, in the form that f takes: a cheap function that returns true or false,
            such as ``lambda x: x[0] * x[1] <= 1``; or a linear constraint, an object with ``A``, ``lb`` and ``ub`` as
            in ``scipy.optimize.LinearConstraint`` (lb equal to ub for an equation), on the numbers of a space in their
            order; or a list of several. An observation that satisfies a function helps where the allowed share of the
            box is small. A condition that only an evaluation shows is a failure, not a constraint.
        noise: "exact" where the same point always gives the same value: the policy's model then goes through all
            values, and the best observed point is the result. A number is the variance of the noise, in squared units
            of f, for evaluations that do not carry one. "unknown": the policy estimates the variance.
        transform: True lets a transformation shorten a long tail of bad values before the policy's model is fitted,
            where the likelihood favours it (:mod:`core.models.output_transform`); not with contexts or a known variance
            of noise, nor for models without a fit. None: yes where the policy is given by name.
    """

    key: Required[PRNGKeyArray | int]
    policy: str | Policy
    observations: History | tuple[Any, ...] | None
    initial_size: int | None
    first: Sequence[Any] | None
    context_bounds: Sequence[Any] | np.ndarray | None
    maximize: bool
    constraint: Any
    noise: str | float
    transform: bool | None


DEFAULTS: Mapping[str, Any] = {
    "policy": DEFAULT_POLICY,
    "observations": None,
    "initial_size": None,
    "first": (),
    "context_bounds": None,
    "maximize": True,
    "constraint": None,
    "noise": "unknown",
    "transform": None,
}


def spelled_out(function: Wrapped) -> Wrapped:
    """The function; its signature names the options, as ``help`` and completion show them."""
    signature = inspect.signature(function)
    kept = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name, inspect.Parameter.empty))
        for name in Options.__annotations__
    ]
    cast(Any, function).__signature__ = signature.replace(parameters=[*kept, *shared])
    return function


def complete(options: Options) -> Options:
    """The options with the defaults of those left out.

    Raises:
        TypeError: an unknown option, or no key.
    """
    for name in options:
        if name not in Options.__annotations__:
            raise TypeError(f"there is no option {name!r}; {near_names(name, Options.__annotations__)}")
    if "key" not in options:
        raise TypeError("key is missing: a JAX key, or an integer")
    return cast(Options, {**DEFAULTS, **options})


@dataclass(frozen=True)
class Settings:
    """The options of one run; with the evaluations told, they determine its proposals.

    Attributes:
        domain: the box or space, and the constraint.
        context_box: the box of the contexts, shape (c, 2); None without.
        policy: the policy that learns; ``policy_name`` is its name, None where an instance was given.
        searching: the policy that proposes, restricted to points of the space.
        key, failures, maximize: as given; ``noise`` is the variance of the noise, None where it is unknown.
        design: the initial design, in the unit cube, shape (n, d); its first ``own`` points are the user's.
        init_key, step_key: of the policy's first state, and of its proposals.
        transform: as given.
        budget: number of evaluations; None where it is unknown.
    """

    domain: Domain
    context_box: np.ndarray | None
    policy: Policy
    policy_name: str | None
    searching: Policy
    key: PRNGKeyArray
    failures: str
    maximize: bool
    noise: float | None
    design: np.ndarray
    own: int
    init_key: PRNGKeyArray
    step_key: PRNGKeyArray
    transform: bool | None
    budget: int | None

    @staticmethod
    def of(
        bounds: Bounds, failures: str | None = None, budget: int | None = None, **options: Unpack[Options]
    ) -> "Settings":
        """Make the settings from the options; see :class:`core.optimizer.optimizer.Optimizer`.

        Raises:
            ValueError, KeyError, TypeError: as there.
        """
        given = complete(options)
        check_truth("maximize", given["maximize"])
        if given["transform"] is not None:
            check_truth("transform", given["transform"])
        if budget is not None:
            check_count("budget", budget)
        first = () if given["first"] is None else given["first"]
        domain = Domain.of(bounds, given["constraint"])
        contexts = given["context_bounds"]
        context_box = None if contexts is None else check_bounds(contexts, "context_bounds")
        context_dim = 0 if context_box is None else len(context_box)
        policy = _policy_for(given["policy"], domain.dim, context_dim)
        if context_dim and "policy" not in options:
            warnings.warn(
                f"the default policy, {DEFAULT_POLICY!r}, ignores contexts: name a policy, such as 'sbo_kde'",
                stacklevel=5,
            )
        name = given["policy"] if isinstance(given["policy"], str) else None
        key: Any = given["key"]
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool) and 0 <= key < 2**32:
            key = seed_keys([int(key)])[0]
        check_key(key)
        searching = snapping(policy, domain.space, constrained=domain.constrained)
        noise = check_noise(given["noise"])
        design_key, init_key, step_key = design_key_and_others(key)
        size = _size(given["initial_size"], domain.varying, budget)
        design = np.asarray(initial_design(design_key, size, domain.dim))
        if len(first):
            own = np.stack([domain.own(point) for point in first])
            design = np.concatenate([own, design[len(own) :]])
        return Settings(
            domain=domain,
            context_box=context_box,
            policy=policy,
            policy_name=name,
            searching=searching,
            key=key,
            failures=_failures(failures, context_dim),
            maximize=given["maximize"],
            noise=noise,
            design=design,
            own=len(first),
            init_key=init_key,
            step_key=step_key,
            transform=given["transform"],
            budget=None if budget is None else int(budget),
        )

    @property
    def initial_size(self) -> int:
        """The number of points of the initial design."""
        return len(self.design)

    @property
    def transforms(self) -> bool:
        """True where a transformation of the values is allowed."""
        wanted = self.policy_name is not None if self.transform is None else self.transform
        likeliest = isinstance(self.policy, RefittedPolicy) and self.policy.log_prior is None
        return bool(wanted and likeliest and self.context_box is None and not self.noise)

    def identity(self) -> dict[str, Any]:
        """The settings as numbers and text; the policy appears as its class and a hash of its constants."""
        return {
            "bounds": self.domain.box.tolist(),
            "space": None if self.domain.space is None else self.domain.space.described(),
            "constraint": self.domain.constrained,
            "context_bounds": None if self.context_box is None else np.asarray(self.context_box).tolist(),
            "maximize": self.maximize,
            "policy": fingerprint(self.policy),
            "policy_name": self.policy_name,
            "key": [str(jax.random.key_impl(self.key)), np.asarray(jax.random.key_data(self.key)).tolist()],
            "initial_size": self.initial_size,
            "first": self.design[: self.own].tolist() or None,
            "failures": self.failures,
            "noise": self.noise,
            "transform": self.transform,
        }


def fingerprint(policy: Policy) -> str:
    """The policy's class and a hash of its constants: equal for policies that propose alike."""
    structure = re.sub(r" at 0x[0-9a-f]+", "", str(jax.tree.structure(policy)))
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(policy)]
    content = [structure.encode(), *(f"{leaf.dtype}{leaf.shape}".encode() + leaf.tobytes() for leaf in leaves)]
    return f"{type(policy).__name__}-{hashlib.sha256(b'|'.join(content)).hexdigest()[:12]}"


def _failures(wanted: str | None, context_dim: int) -> str:
    """The treatment of failed evaluations: "worst" or "skip"."""
    if wanted is None:
        return "skip" if context_dim else "worst"
    if wanted not in FAILURES:
        raise ValueError(f"failures must be 'skip' or 'worst', got {wanted!r}")
    if wanted == "worst" and context_dim:
        raise ValueError("failures='worst' needs a run without contexts, a failed evaluation has none: use 'skip'")
    return wanted


def _size(wanted: int | None, parameters: int, budget: int | None) -> int:
    """The number of points of the initial design: as given, or by the number of parameters; half of a
    smaller budget."""
    if wanted is not None:
        check_count("initial_size", wanted)
        return int(wanted)
    usual = default_initial_size(parameters)
    return usual if budget is None or budget >= usual else max(1, int(budget) // 2)


def _policy_for(policy: str | Policy, dim: int, context_dim: int) -> Policy:
    """The policy, made by name or as given, after a check of its dimensions."""
    if isinstance(policy, str):
        if policy in FINITE_SET:
            raise ValueError(f"policy {policy!r} works on a finite set; optimize searches a box")
        if contextual(policy) and not context_dim:
            raise ValueError(
                f"policy {policy!r} learns from contexts: give context_bounds, and return (value, context)"
            )
        return looking_near(make(policy, dim, **({"context_dim": context_dim} if contextual(policy) else {})))
    if not isinstance(policy, Policy):
        raise ValueError(f"policy must be a name or an instance, as make(name, dim) gives, got {policy!r}")
    if policy.dim != dim:
        raise ValueError(f"policy works in dimension {policy.dim}, bounds have {dim}")
    if policy.context_dim not in (0, context_dim):
        raise ValueError(f"policy reads contexts of dimension {policy.context_dim}, context_bounds have {context_dim}")
    return policy
