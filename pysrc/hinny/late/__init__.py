"""Late interaction: a matrix of token vectors a document, ranked by MaxSim (ColBERT)."""
