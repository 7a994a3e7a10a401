"""`python -m hots_rules.cli` is `hots`."""

import sys

from hots_rules.cli import main

sys.exit(main())
