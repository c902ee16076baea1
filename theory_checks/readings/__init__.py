"""The engine of readings: sentences on experiments as data, judged over what their papers leave open."""
