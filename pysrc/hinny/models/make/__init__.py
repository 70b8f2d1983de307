"""Builds the site's own models from published weights: `python -m hinny.models.make`.

Needs the `models` extra. Nothing here is imported by a search.
"""
