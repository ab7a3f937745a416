"""`jupyter ac install-demo-model`: installs the model that needs no key and no network."""

from argparse import Namespace

from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.models import embedded


def run(_options: Namespace) -> int:
    """Install the embedded model, unless it is there."""
    if embedded.available():
        print("the demo model is installed already")
        return exit_codes.DONE
    embedded.install(print)
    print("the demo model is installed; restart Jupyter to use it")
    return exit_codes.DONE
