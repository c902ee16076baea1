"""Which of each paper's assumptions its experiments keep: computed, not typed."""
