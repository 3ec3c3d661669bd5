"""How do pages become files?"""

import sys
from types import ModuleType

sys.modules.setdefault("reportlab_mods", ModuleType("reportlab_mods"))
# reportlab runs a file of this name from the user's home when it is loaded, and fails where there is no
# home (HOME=/dev/null, as some services have it). The same pages give the same bytes: it finds an empty one.
