"""Settings of all unit tests: results are asserted, never times, so no example has a deadline."""

from __future__ import annotations

import hypothesis

if not hypothesis.settings.get_current_profile_name().startswith("pyodide"):
    hypothesis.settings.register_profile(
        "unit", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.load_profile("unit")
