"""python -m selfcheck"""

import sys

from .terminal import main

sys.exit(main(sys.argv[1:]))
