"""The files that a browser loads and that are not ours: one lock, one way to fetch and check them."""
