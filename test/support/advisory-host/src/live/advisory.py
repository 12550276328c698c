"""What an advisor of the host implements and returns."""

from abc import ABC, abstractmethod
from collections import namedtuple
from enum import Enum

Verdict = Enum("Verdict", "APPROVE APPROVE_WITH_CONCERNS REJECT REVIEW_UNAVAILABLE")
AdvisoryResult = namedtuple(
    "AdvisoryResult", "verdict confidence summary concerns provider", defaults=(None, "", (), "")
)


class PreTradeAdvisoryInterface(ABC):
    @property
    @abstractmethod
    def provider_id(self):
        """Name of the advisor."""

    @abstractmethod
    def review(self, context):
        """Returns an AdvisoryResult."""
