"""Studies beyond the papers: methods of several of them side by side. One module a study."""
