from pathlib import Path

from jupyter_ac.hosts.mcp.edit_checkpoints import EditCheckpoints
from jupyter_ac.hosts.mcp.mcp_server import make_tools
from jupyter_ac.hosts.offered_tools import OWN, READING
from jupyter_ac.hosts.planner_composition import make_planner
from tests.hosts.mcp.edited_garden import garden, restorer_of
from tests.hosts.test_composition import composed


async def test_the_server_has_these_tools_and_the_agent_none_of_its_own(tmp_path: Path) -> None:
    async with composed(garden(tmp_path).root, tmp_path / "cache") as made:
        checkpoints = EditCheckpoints(restorer_of(made))
        tools = make_tools(made, make_planner(made).ports, checkpoints, allows_plans=False)
        assert sorted(tool.definition.name for tool in tools) == sorted((*READING, *OWN))
        agents = {tool.definition.name for tool in made.agent.tools}
        assert agents.isdisjoint(OWN)
        assert agents.issuperset(READING)
