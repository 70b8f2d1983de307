"""Vectors as a few bits a coordinate: rotation, codebooks, packing, TurboQuant."""
