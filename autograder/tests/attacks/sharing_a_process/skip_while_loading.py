# must: pytest.skip at module level is a load error, not a skipped suite
# expect: error load-error
import numpy as np
import pytest
pytest.skip('no', allow_module_level=True)
