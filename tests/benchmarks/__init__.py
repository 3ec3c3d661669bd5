"""Figures: what is measured, and the commands that measure it.

The product is imported first, before numpy: it asks for one thread of linear algebra, and a second
one that waits for the first would be measured as work.
"""

import companion as companion
