"""For every test: the product's packages are loaded first, so that its small matrices are worked
out on one core; and the web tests' fixtures."""

import companion  # noqa: F401  (it sets the linear algebra library to one thread, which must come before numpy)
from tests.support.companion_web_client import app, evening  # noqa: F401
from tests.support.tablet_in_chromium import browser, table  # noqa: F401
