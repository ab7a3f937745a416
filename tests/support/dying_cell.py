"""A process that is killed while a cell runs: `python -m tests.support.dying_cell FOLDER`.

Says "running" when the cell is in the journal and in the hands of the kernel, and waits.
"""

import asyncio
import sys
from pathlib import Path

from jupyter_ac.execution.cell_runs import CellRequest, CellRun, RunState
from jupyter_ac.execution.outputs import OutputCapture
from jupyter_ac.ids import Identity
from tests.support.cells import Kernel, runner_in

ADA = Identity("ada")


class EndlessKernel(Kernel):
    """Runs a cell for ever."""

    async def execute(self, run: CellRun, capture: OutputCapture) -> RunState:
        del run, capture
        sys.stdout.write("running\n")
        sys.stdout.flush()
        await asyncio.Event().wait()
        return RunState.OK


async def main(folder: Path) -> None:
    runner = runner_in(folder, EndlessKernel())
    run = runner.request(CellRequest("a.ipynb", "k1", "forever()"), ADA)
    await runner.approve(run.run_id, ADA)
    await runner.ended(run.run_id, ADA)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
