"""The assumptions of each paper that its experiments keep: computed, not typed."""
