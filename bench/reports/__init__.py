"""The sections of docs/benchmarks.md, each made from what bench/results holds."""
