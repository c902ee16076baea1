"""The site: pages of papers, claims, figures and documents in Markdown, made by mkdocs-material; `build` says how."""
