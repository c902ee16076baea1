"""Tools that several claims of this paper share; no claim stands here."""
