"""The papers' experiments: problems, studies (one module a figure or table), their runner and their store."""
