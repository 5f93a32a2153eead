"""An echo server on the official Python SDK: no session, plain JSON, no check. Its argument is the port."""

import sys

import uvicorn
from mcp.server import MCPServer

server = MCPServer("python-echo", log_level="WARNING")


@server.tool(description="Send the text back", structured_output=False)
def echo(text: str) -> str:
    return text


app = server.streamable_http_app(stateless_http=True, json_response=True, host="127.0.0.1")
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)
