"""The table of the classes whose values are summarised: found anew for each request."""

from itertools import chain
from typing import Final

from jupyter_ac.inspection.raw_access import bases_of
from jupyter_ac.inspection.summaries.arrow_tables import arrow_summarizers
from jupyter_ac.inspection.summaries.figures import figure_summarizers
from jupyter_ac.inspection.summaries.labelled_arrays import labelled_summarizers
from jupyter_ac.inspection.summaries.models import model_summarizers, tensor_summarizers
from jupyter_ac.inspection.summaries.numpy_arrays import numpy_summarizers
from jupyter_ac.inspection.summaries.pandas_tables import pandas_summarizers, table_scalars
from jupyter_ac.inspection.summaries.summary import Summarizer

_EXACT: Final = (
    numpy_summarizers,
    pandas_summarizers,
    arrow_summarizers,
    labelled_summarizers,
    tensor_summarizers,
    figure_summarizers,
)


class KnownTypes:
    """The known classes among the loaded ones, by `id`: a class may have a hash of its own.

    Attributes:
        scalars: for `value_text`.
    """

    def __init__(self) -> None:
        found = chain.from_iterable(summarizers() for summarizers in _EXACT)
        self._exact = {id(cls): summarizer for cls, summarizer in found if cls is not None}
        self._bases = {id(cls): each for cls, each in model_summarizers() if cls is not None}
        self.scalars = table_scalars()

    def summarizer(self, cls: type) -> Summarizer | None:
        """Return the summarizer for values of exactly this class; None if it is unknown."""
        exact = self._exact.get(id(cls))
        if exact is not None or not self._bases:
            return exact
        bases = (self._bases.get(id(base)) for base in bases_of(cls))
        return next((each for each in bases if each is not None), None)
