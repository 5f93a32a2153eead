"""mcp-remote against a server, with the Python SDK as the local program behind it: lists and calls tools.

usage: remote.py URL auto|legacy NODE [BEARER | DOCUMENT]

Without a bearer mcp-remote does the OAuth dance, by registering or, where it has one, by the https address of its
metadata document: this prints the address that it complains of as {"authorize": URL},
reads where the owner's browser was led back to from one line of its input, and goes there, as the browser would. It
ends with one line of JSON that says what it saw. mcp-remote has an empty home and an empty environment.
"""

import asyncio
import json
import os
import re
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

PROGRAM = Path(__file__).parent.parent / "node_modules/mcp-remote/dist/proxy.js"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def go(address):
    """Goes where the browser was led, once mcp-remote listens there: it says the address before."""
    while True:
        try:
            with urlopen(address) as page:
                page.read()
                return
        except URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            time.sleep(0.1)


def play_browser(complaints):
    """Waits for the address on the error output, asks for the consent, and goes back to where that leads."""
    asked = False
    with os.fdopen(complaints) as lines:
        for line in lines:
            print(line, end="", file=sys.stderr)
            address = re.search(r"https?://\S+/authorize\?\S+", line)
            if address and not asked:
                asked = True
                print(json.dumps({"authorize": address[0]}), flush=True)
                go(sys.stdin.readline().strip())


async def main(url, mode, node, way=None):
    with tempfile.TemporaryDirectory() as home:
        arguments = [str(PROGRAM), url, str(free_port()), "--transport", "http-only"]
        if way and way.startswith("https://"):
            arguments += ["--client-metadata-url", way]
        elif way:
            arguments += ["--header", f"Authorization:Bearer {way}"]
        # BROWSER keeps it from opening a real one.
        surroundings = {"HOME": home, "PATH": "/usr/bin:/bin", "BROWSER": "true"}
        program = StdioServerParameters(command=node, args=arguments, env=surroundings)
        read_end, write_end = os.pipe()
        threading.Thread(target=play_browser, args=(read_end,), daemon=True).start()
        with os.fdopen(write_end, "w") as complaints:
            async with Client(stdio_client(program, errlog=complaints), mode=mode) as client:
                granted = await client.call_tool("list_granted_resources", {})
                tools = (await client.list_tools()).tools
                refused = await client.call_tool("read_proposal", {"proposal_id": "7"})
                try:
                    unknown = (await client.call_tool("no_such_tool", {})).content[0].text
                except Exception as error:
                    unknown = str(error)
                print(
                    json.dumps(
                        {
                            "protocol": client.protocol_version,
                            "tools": [tool.name for tool in tools],
                            "granted": granted.structured_content,
                            "refused": json.loads(refused.content[0].text)["code"],
                            "unknown": unknown,
                        }
                    ),
                    flush=True,
                )


asyncio.run(main(*sys.argv[1:]))
