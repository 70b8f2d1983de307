"""The scans over all vectors or tokens: one interface, made once with numpy and once as ONNX graphs."""
