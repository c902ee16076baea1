"""`python -m theory_checks.certificates [CLAIM ...] [--pin]`: verify certificates, all of them without names."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from theory_checks.cache import write_json
from theory_checks.certificates.checker import Unverified
from theory_checks.certificates.registry import VERIFIED, certificates, digest, verified


def main(argv: Sequence[str] | None = None) -> int:
    """Verify, print a line a certificate; exit status 1 where one fails or `verified.json` records another state."""
    parser = argparse.ArgumentParser(prog="python -m theory_checks.certificates", description=__doc__)
    parser.add_argument("claims", nargs="*", metavar="CLAIM")
    parser.add_argument("--pin", action="store_true", help="record what was verified in verified.json")
    arguments = parser.parse_args(argv)
    known = certificates()
    unknown = [name for name in arguments.claims if name not in known]
    if unknown:
        print(f"no certificate of {', '.join(unknown)}", file=sys.stderr)
        return 2
    failed, records, begun = [], dict(verified()), time.process_time()
    for name in arguments.claims or known:
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
    print(
        f"{len(arguments.claims or known) - len(failed)} certificates verified in {total:.1f} s, {len(failed)} failed"
    )
    if arguments.pin:
        write_json(VERIFIED, records)
    elif stale := sorted(name for name in arguments.claims or known if name not in verified() and name not in failed):
        print(f"verified.json does not record {', '.join(stale)} as it stands: run with --pin")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
