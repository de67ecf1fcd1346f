"""Every run of the tests looks at the same examples, however busy the machine is; the tests of a file stay together."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


@pytest.hookimpl(tryfirst=True)  # Before the workers read the groups.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker runs all tests of a file: what was rendered, replayed or started for one of them serves the next."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(str(item.path)))
