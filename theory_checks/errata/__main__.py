"""`python -m theory_checks.errata` writes docs/errata.md and docs/constants.md from the records."""

from theory_checks.errata.pages import pages

if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path}")
