"""The Python SDK's own client against a server: lists and calls tools.

usage: client.py URL auto|legacy [BEARER | DOCUMENT]

Without a bearer it does the OAuth dance, by registering or, where it has one, by the https address of its metadata
document: it prints {"authorize": URL} and reads where the owner's browser was led
back to from one line of its input. It ends with one line of JSON that says what it saw.
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.oauth2 import AuthorizationCodeResult
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

REDIRECT = "http://127.0.0.1:9/callback"


class Memory:
    """Where the SDK keeps what it was given."""

    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def authorize(url):
    print(json.dumps({"authorize": url}), flush=True)


async def led_back():
    line = await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    query = {name: values[0] for name, values in parse_qs(urlparse(line.strip()).query).items()}
    return AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))


def door(url, way):
    document = way if way and way.startswith("https://") else None
    if way and not document:
        return {"headers": {"Authorization": f"Bearer {way}"}}
    metadata = OAuthClientMetadata(
        client_name="Python SDK",
        redirect_uris=[REDIRECT],
        grant_types=["authorization_code", "refresh_token"],
        token_endpoint_auth_method="none",
    )
    return {"auth": OAuthClientProvider(url, metadata, Memory(), authorize, led_back, client_metadata_url=document)}


async def main(url, mode, way=None):
    async with httpx2.AsyncClient(timeout=60, **door(url, way)) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
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
