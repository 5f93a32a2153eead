"""An echo server on FastMCP: no session, plain JSON, no check. Its argument is the port."""

import sys

import uvicorn
from fastmcp import FastMCP

server = FastMCP("fastmcp-echo")


@server.tool(description="Send the text back", output_schema=None)
def echo(text: str) -> str:
    return text


app = server.http_app(path="/mcp", stateless_http=True, json_response=True)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)
