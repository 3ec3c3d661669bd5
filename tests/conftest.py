"""For every test: the product's packages are loaded first, so that its small matrices are worked out on one core."""

import companion  # noqa: F401  (it sets the linear algebra library to one thread, which must come before numpy)
