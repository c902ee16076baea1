"""The engine of readings: sentences on experiments as data, judged over the choices that their papers leave open."""
