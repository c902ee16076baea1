"""The capacity of a policy's arrays has room for every observation, takes few different values, and wastes little."""

import itertools

import pytest

from core.optimizer.encoding import HALF_STEPS, SMALLEST_CAPACITY, capacity_for


@pytest.mark.parametrize(
    ("count", "capacity"),
    [(1, 32), (32, 32), (33, 64), (129, 256), (256, 256), (257, 384), (384, 384), (385, 512), (513, 768), (769, 1024)],
)
def test_capacities(count: int, capacity: int) -> None:
    assert capacity_for(count) == capacity


def test_there_is_room_and_little_of_it_is_unused() -> None:
    capacities = [capacity_for(count) for count in range(1, 5000)]
    assert all(capacity >= count for count, capacity in enumerate(capacities, 1))
    assert all(before <= after for before, after in itertools.pairwise(capacities))
    assert all(capacity <= 1.5 * count for count, capacity in enumerate(capacities, 1) if count > HALF_STEPS)
    assert all(capacity < 2 * count for count, capacity in enumerate(capacities, 1) if count >= SMALLEST_CAPACITY)
    assert len({capacity for capacity in capacities if capacity <= 4096}) == 12  # programs of a run of 4,096
