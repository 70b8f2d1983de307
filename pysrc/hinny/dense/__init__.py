"""Dense retrieval: one vector a document, scanned exactly or from a few bits a coordinate."""
