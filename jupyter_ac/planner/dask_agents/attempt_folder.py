"""The files by which a worker and the child of an attempt speak, in the attempt's folder."""

from typing import Final

JOB: Final = "job.json"
SENT: Final = "sent.bundle"
ANSWER: Final = "answer.json"
RETURNED: Final = "returned.bundle"
