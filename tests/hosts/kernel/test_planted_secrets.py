"""Secrets planted in a real kernel are in none of the requests that leave, whatever is asked."""

import json

from tests.hosts.kernel.environment import kernel_with
from tests.hosts.kernel.test_cell_repair import run_as_notebook
from tests.support.kernels import printed
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder

PLANTED = {
    "variable": "Planted-Variable-1111",
    "environment": "Planted-Environment-2222-3333",
    "cell": "Planted-Cell-4444",
    "output": "Planted-Output-5555",
    "local": "Planted-Local-6666",
    "number": "8675309424242",
    "table": "Planted-Table-7777",
    "cut": "Planted-Cut-8888-9999-aaaa-bbbb-cccc-dddd",
    "column": "Planted-Column-eeee",
    "assigned": "Planted-Assigned-ffff",
    "bare": "Planted-Bare-gggg",
}
CELLS = {
    2: f"api_token = '{PLANTED['variable']}'\ncopy = [1, api_token]",
    3: "import os\nshown = os.environ['PLANTED_SERVICE_TOKEN']",
    4: "import pandas as pd\nframe = pd.DataFrame({'dsn': ["
    f"'postgresql://me:{PLANTED['table']}@db/x', "
    f"'postgresql://the-reporting-service:{PLANTED['cut']}@db/x'], "
    f"'password': ['{PLANTED['column']}', 'none']}})",
    5: f"%env OTHER_SECRET={PLANTED['assigned']}",
    6: f"settings = {{'user': 'me', 'password': '{PLANTED['output']}'}}\nsettings",
    7: "frame",
    8: "def next_token():\n    return '-'.join(['Planted', 'Bare', 'gggg'])\nnext_token()",
    9: "def connect(password, pin_code=7):\n"
    f"    secret_key, passphrase = '{PLANTED['local']}', {PLANTED['number']}\n"
    "    raise ValueError(f'no entry for {secret_key} and {password}, {shown}')\n"
    f"connect(password='{PLANTED['cell']}')",
}
"""By the numbers of their runs; loading the extension is the first."""

QUESTIONS = (
    "%%ac\nWhy? @var:api_token @var:copy @var:shown @var:frame @var:settings @error",
    *(f"%%ac\nAnd @cell:{number}?" for number in CELLS),
    "%%ac\nAnd @output:6, @output:7 and @output:8?",
    "%%ac\nAll of @error @cell @cell:2 @cell:4 @cell:5 @output:6 @output:7 @output:8 @var:copy",
    "%ac_explain",
)

ATTACHED = f"""
import jupyter_ac
panel = jupyter_ac.Panel()
panel.attach(api_token)
panel.attach(frame)
panel.attach(settings)
panel.attach(shown, name="what the service wants")
panel.attach("log in with password='{PLANTED["cell"]}'", name="the log")
print(await panel.ask("What are these?"))
"""


async def test_no_planted_secret_leaves(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    service = PLANTED["environment"]
    async with kernel_with(garden, model_server, PLANTED_SERVICE_TOKEN=service) as kernel:
        for cell in CELLS.values():
            await kernel.run(cell)
        said = [printed(await kernel.run(question)) for question in QUESTIONS]
        _, fixed = await run_as_notebook(kernel, "%ac_fix use another password")
        attached = printed(await kernel.run(ATTACHED))
    assert said == [""] * len(QUESTIONS)
    assert printed(fixed) == ""
    assert "What are these?" in attached
    bodies = [json.dumps(body) for body in model_server.bodies()]
    assert len(bodies) == len(QUESTIONS) + 2
    for place, secret in PLANTED.items():
        start = secret if place == "number" else secret[:12]
        left = [number for number, body in enumerate(bodies) if start in body]
        assert left == [], f"the secret of the {place} left with these requests"
    for written in (
        "connect(password='[secret ",
        "secret_key = '[secret ",
        "no entry for [secret ",
        "postgresql://me:[secret ",
        "'password': '[secret ",
        "%env OTHER_SECRET=[secret ",
    ):
        assert written in bodies[-2], written
