"""For every test: the product's packages are loaded first, so that its small matrices are worked
out on one core; the web tests' fixtures; and the evenings that were opened are closed."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

import companion  # noqa: F401  (it sets the linear algebra library to one thread, which must come before numpy)
from tests.support.companion_web_client import app, evening  # noqa: F401
from tests.support.kept_evening import close_all
from tests.support.tablet_in_chromium import browser, table  # noqa: F401

settings.register_profile("same", derandomize=True)
settings.register_profile("others", print_blob=True)
settings.load_profile(
    "same"
)  # the same examples each time; `--hypothesis-profile=others` finds new ones


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test in a real browser gets a second chance, for two busy cores may starve chromium; the
    summary names each that needed it."""
    for item in items:
        if "browser" in item.keywords:
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="module", autouse=True)
def no_evening_stays_open() -> Iterator[None]:
    """What a module's tests opened is closed behind them, their folders too."""
    yield
    close_all()
