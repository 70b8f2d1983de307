"""Neural models: pinned, checked, and run by the same code on CPython and in the browser.

`pins` says which bytes a model is, `store` keeps them (CPython), the encoders turn texts into vectors
through a platform's `ModelRuntime`. Nothing is loaded before its first use.
"""
