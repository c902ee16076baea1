"""The garden-sprinkler computer model, d = 8: water consumption, spray range and rotation speed of a lawn sprinkler.

Source: Siebertz, van Bebber & Hochkirchen, "Statistische Versuchsplanung" (Springer, 2010), chapter on the sprinkler;
R package CompModels (Pourmohamad), whose outputs this file reproduces. That package documents the order of its
outputs as consumption, speed, range, and returns consumption, range, speed. Paper A maximises the range.

The head's speed of rotation is found by iteration, a droplet's flight by explicit Euler steps of 5 ms. The droplet
lands at the end of the step in which it falls below the ground: the range is a discontinuous function with jumps of up
to ten centimetres, and has no useful gradient. In the box two of the reference's ways to stop never happen: the
flow is never used up by the losses (v = 0), and a head that would turn slower than 0.0062 rad/s is stopped before.
"""

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from experiments.problems.checks import require
from experiments.problems.problem import Problem

__all__ = ["BOUNDS", "Outputs", "evaluate", "sprinkler", "sprinkler_problem", "sprinkler_range"]

BOUNDS: dict[str, tuple[float, float]] = {
    "vertical_nozzle_angle_deg": (0.0, 90.0),
    "tangential_nozzle_angle_deg": (0.0, 90.0),
    "nozzle_profile_m2": (2e-6, 4e-6),
    "head_diameter_m": (0.1, 0.2),
    "dynamic_friction_moment_Nm": (0.01, 0.02),
    "static_friction_moment_Nm": (0.01, 0.02),
    "entrance_pressure_bar": (1.0, 2.0),
    "flow_line_diameter_mm": (5.0, 10.0),
}
"""The inputs in their order, and their box in natural units."""

WATER, GRAVITY, AIR, AIR_VISCOSITY = 1000.0, 10.0, 1.25, 1.82e-5 / 1.25
"""Density of water (kg/m3), acceleration of fall (m/s2), density (kg/m3) and kinematic viscosity of air (m2/s)."""

TIME_STEP = 0.005
ROUNDS = 10_000
LANES = 256
"""Flights computed side by side: a lane waits for the longest flight of its group."""


class Outputs(NamedTuple):
    """The outputs of the model: `consumption` (l/min), `range` (m), `speed` (rotations per second)."""

    consumption: Float[Array, ""]
    range: Float[Array, ""]
    speed: Float[Array, ""]


class _Rotation(NamedTuple):
    """State of the iteration for the head's speed, in the names of the formulas."""

    omega: Array
    n: Array
    imbalance: Array
    moment: Array
    friction_loss: Array
    line_loss: Array
    v: Array
    w: Array
    going: Array
    rounds: Array


def sprinkler(z: Float[Array, "8"]) -> Outputs:
    """Consumption, range and speed at a point in natural units, inputs in the order of `BOUNDS`; NaN for NaN.

    Nothing else is checked here, a compiled function cannot raise: outside the box the formulas give what they give.
    :func:`evaluate` checks.
    """
    a, b = z[0] * (math.pi / 180.0), z[1] * (math.pi / 180.0)
    area, radius, dynamic, static, p, diameter = z[2], z[3] / 2.0, z[4], z[5], z[6] * 1e5, z[7]
    tangential = jnp.cos(a) * jnp.cos(b)
    v, w, n = _rotation(tangential, area, radius, dynamic, static, p, diameter)
    outputs = Outputs(60000.0 * 2.0 * w * area, _flight(v, a, area), n)
    known = jnp.all(~jnp.isnan(z))
    return Outputs(*(jnp.where(known, value, jnp.nan) for value in outputs))


def sprinkler_range(z: Float[Array, "8"]) -> Float[Array, ""]:
    """The range alone: the objective of Paper A."""
    return sprinkler(z).range


@jax.jit
def _all(inputs: Float[Array, "m 8"]) -> Outputs:
    outputs: Outputs = jax.lax.map(sprinkler, inputs, batch_size=LANES)
    return outputs


def evaluate(inputs: Float[np.ndarray, "m 8"]) -> Outputs:
    """Consumption, range and speed at m points in natural units, each of shape (m,).

    About 10^5 points a second on one core of a virtual machine, once compiled for that m.

    Raises:
        ValueError: another shape, or an input that is not finite or outside its bounds; the message names it.
    """
    points = np.asarray(inputs, float)
    require(
        points.ndim == 2 and points.shape[1] == len(BOUNDS),
        f"inputs: expected shape (m, {len(BOUNDS)}), got {points.shape}",
    )
    for column, (name, (low, high)) in enumerate(BOUNDS.items()):
        for row in np.flatnonzero(~((points[:, column] >= low) & (points[:, column] <= high))):
            raise ValueError(f"{name}: expected {low:g} to {high:g}, got {points[row, column]:g} in row {row}")
    return _all(jnp.asarray(points))


def _rotation(
    tangential: Array, area: Array, radius: Array, dynamic: Array, static: Array, p: Array, diameter: Array
) -> tuple[Array, Array, Array]:
    """Exit speed of the water v and relative to the ground w (m/s), rotations per second n."""
    line = 10.0 ** (5.0704 - 0.579413 * diameter + 0.0196432 * diameter**2) * 60000.0**2
    start = 4.0 * WATER * area * radius * GRAVITY * (p * 1e-4) * tangential
    n = 0.1 * jnp.abs(start - dynamic) / (static + 5e-4)
    omega = 2.0 * math.pi * n
    flow = jnp.sqrt(p / (line + WATER / (8.0 * area**2)))
    at_rest = flow / (2.0 * area)
    moment = WATER * flow * radius * at_rest * tangential
    friction_loss = jnp.abs((dynamic + omega * static) * omega) / (area * jnp.sqrt(2.0 * p / WATER))

    def go_on(state: _Rotation) -> Array:
        return state.going & (jnp.abs(state.imbalance) > 0.005 * jnp.abs(state.moment)) & (state.rounds < ROUNDS)

    def next_round(state: _Rotation) -> _Rotation:
        n = state.omega / (2.0 * math.pi)
        friction, u = dynamic + n * static, state.omega * radius
        effective = p - state.friction_loss - state.line_loss
        dry = effective < 0.01 * p
        v = jnp.where(dry, 0.0, jnp.sqrt(2.0 * jnp.where(dry, 1.0, effective) / WATER))
        stop = dry | ((v * u * tangential) ** 2 < 1.0)
        w = u * tangential + jnp.sqrt(jnp.where(stop, 1.0, v**2 + u**2 * (tangential**2 - 1.0)))
        moment = 2.0 * WATER * w * area * radius * (w * tangential - u)
        imbalance = moment - friction
        change = 0.1 * jnp.minimum(jnp.abs(imbalance / moment), 0.5 * effective / p)
        omega = state.omega * (1.0 + change) ** jnp.sign(imbalance)
        flow, crawls = 2.0 * w * area, omega < 0.0062
        turned = _Rotation(
            omega, jnp.where(crawls, 0.0, n), imbalance, moment, jnp.abs(friction * omega) / flow, line * flow**2,
            v, w, ~crawls, state.rounds + 1,
        )  # fmt: skip
        stopped = state._replace(n=n, v=v, going=jnp.asarray(False))
        return jax.tree.map(lambda now, next: jnp.where(stop, now, next), stopped, turned)

    turns = moment > dynamic
    initial = _Rotation(
        omega, jnp.where(turns, n, 0.0), start, moment, friction_loss, 0.1 * p, at_rest, at_rest, turns, jnp.asarray(0)
    )
    final = jax.lax.while_loop(go_on, next_round, initial)
    return final.v, final.w, final.n


def _flight(v: Array, a: Array, area: Array) -> Array:
    """Distance (m) at which a droplet of the nozzle's profile lands that leaves at speed v and angle a.

    The drag deceleration ``(rho_a / 2) v^2 (pi / 4) s^2 c / ((pi / 6) s^3 rho)``, s the droplet's diameter, with
    ``c = (24 / Re) (1 + 0.11 sqrt(Re))^2`` and ``Re = v s / nu`` is v times
    ``18 rho_a nu / (rho s^2) (1 + 0.11 sqrt(Re))^2``, and acts against the velocity.
    """
    size = jnp.sqrt(4.0 * area / math.pi)
    scale = 18.0 * AIR * AIR_VISCOSITY / (WATER * size**2)

    def flies(state: tuple[Array, ...]) -> Array:
        _, z, vx, vz = state
        return (z > 0.0) & (vx**2 + vz**2 >= 1e-4)

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        x, z, vx, vz = state
        speed = jnp.sqrt(vx**2 + vz**2)
        drag = scale * (1.0 + 0.11 * jnp.sqrt(speed * size / AIR_VISCOSITY)) ** 2
        return (
            x + vx * TIME_STEP,
            z + vz * TIME_STEP,
            vx - drag * vx * TIME_STEP,
            vz - (GRAVITY + drag * vz) * TIME_STEP,
        )

    zero = jnp.zeros_like(v)
    landed: tuple[Array, ...] = jax.lax.while_loop(flies, step, (zero, zero + 1e-3, v * jnp.cos(a), v * jnp.sin(a)))
    return landed[0]


def sprinkler_problem() -> Problem:
    """Maximise the range. Paper A prints no box; the bounds are those of the reference package.

    Differential evolution found the optimum, 8.33576 m, three times over (three seeds, 600 generations of
    1,024), refined along the one coordinate that matters to the limit of double precision; a search, not a proof. The
    head stands still, nozzle area, pressure and flow line are the largest, and the vertical angle is the smallest
    (32.069 degrees) at which a droplet flies one step longer: the value is attained at the edge of a jump, so that the
    optimiser given lies 5e-11 degrees inside. The other coordinates may be whatever keeps the head still. The smallest
    range is 0, to rounding, with the nozzle upright.
    """
    return Problem(
        name="sprinkler",
        dim=len(BOUNDS),
        formula=sprinkler_range,
        sign=1.0,
        bounds=list(BOUNDS.values()),
        optimum=8.3357608433964,
        optimizers=[[32.0693680969428, 88.0, 4e-6, 0.11, 0.015, 0.015, 2.0, 10.0]],
        range=8.3357608433964,
    )
