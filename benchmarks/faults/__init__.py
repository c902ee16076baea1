"""A machine that fails: runs are killed, starved and lied to; a plain rerun must end as if nothing had happened."""
