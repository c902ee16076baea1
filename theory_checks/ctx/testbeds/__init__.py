"""What several claims of this paper need; no claim stands here."""
