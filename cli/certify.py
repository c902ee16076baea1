"""`python -m theory_checks.certificates [NAME ...] [--pin]`: verify certificates, all of them without names."""

import argparse
import sys
import time
from collections.abc import Sequence

from experiments.engine.command_line import in_words
from theory_checks.cache import write_json
from theory_checks.certificates.checker import Unverified
from theory_checks.certificates.registry import VERIFIED, certificates, digest, verified


def main(argv: Sequence[str] | None = None) -> int:
    """Verify, print a line a certificate; exit status 1 where one fails or `verified.json` records another state."""
    parser = argparse.ArgumentParser(prog="python -m theory_checks.certificates", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="claims, or other names that ONLY knows")
    parser.add_argument("--pin", action="store_true", help="record the verified certificates in verified.json")
    arguments = parser.parse_args(argv)
    known = certificates()
    try:
        chosen = [name for name in named(arguments.names) if name in known] if arguments.names else list(known)
    except KeyError as error:
        print(in_words(error), file=sys.stderr)
        return 2
    if not chosen:
        print(f"no certificate of {', '.join(arguments.names)}, nothing to verify")
        return 0
    failed, records, begun = [], dict(verified()), time.process_time()
    for name in chosen:
        before = time.process_time()
        try:
            known[name].verify()
        except Unverified as why:
            failed.append(name)
            records.pop(name, None)
            print(f"{name}: FAILED: {why}")
            continue
        seconds = time.process_time() - before
        print(f"{name}: {known[name].settles}, {len(known[name].steps)} steps, {seconds:.2f} s")
        records[name] = {"digest": digest(known[name]), "seconds": round(seconds, 2)}
    total = time.process_time() - begun
    print(f"{len(chosen) - len(failed)} certificates verified in {total:.1f} s, {len(failed)} failed")
    if arguments.pin:
        write_json(VERIFIED, records)
    elif stale := sorted(name for name in chosen if name not in verified() and name not in failed):
        print(f"verified.json does not record the present state of {', '.join(stale)}: run with --pin")
        return 1
    return 1 if failed else 0


def named(names: Sequence[str]) -> list[str]:
    """The claims that names stand for. Raises KeyError, naming the near ones, where a name stands for nothing."""
    from cli.selection import select  # this import loads all figures: only where a name is given

    return [claim.id for claim in select(",".join(names)).claims]
