"""An authorization server and its protected connector on the official Python SDK, with a store in sqlite3: public
clients register, codes are good once, tokens are kept as hashes, every answer is durable. It asks nobody. Its arguments
are the port and the file of its database."""

import hashlib
import secrets
import sqlite3
import sys
import time

import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    OAuthAuthorizationServerProvider,
    TokenError,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

PORT, FILE = int(sys.argv[1]), sys.argv[2]
BASE = f"http://127.0.0.1:{PORT}"
SCOPES = ["read", "write"]

db = sqlite3.connect(FILE)
db.executescript(
    """PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE client (id TEXT PRIMARY KEY, document TEXT NOT NULL);
    CREATE TABLE code (hash TEXT PRIMARY KEY, document TEXT NOT NULL, used REAL);
    CREATE TABLE token (hash TEXT PRIMARY KEY, kind TEXT NOT NULL, document TEXT NOT NULL);
    CREATE TABLE audit (at REAL, tool TEXT, token TEXT);"""
)


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def document(query, *values):
    row = db.execute(query, values).fetchone()
    return None if row is None else row[0]


class Provider(OAuthAuthorizationServerProvider):
    async def get_client(self, client_id):
        found = document("SELECT document FROM client WHERE id = ?", client_id)
        return found and OAuthClientInformationFull.model_validate_json(found)

    async def register_client(self, client_info):
        with db:
            db.execute("INSERT INTO client VALUES (?, ?)", (client_info.client_id, client_info.model_dump_json()))

    async def authorize(self, client, params):
        code = AuthorizationCode(
            code=secrets.token_urlsafe(32),
            scopes=params.scopes or SCOPES,
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        with db:
            db.execute("INSERT INTO code VALUES (?, ?, NULL)", (sha(code.code), code.model_dump_json()))
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(self, client, authorization_code):
        found = document("SELECT document FROM code WHERE hash = ? AND used IS NULL", sha(authorization_code))
        return found and AuthorizationCode.model_validate_json(found)

    async def exchange_authorization_code(self, client, authorization_code):
        access, refresh = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        good = AccessToken(
            token="", client_id=client.client_id, scopes=SCOPES, expires_at=int(time.time()) + 3600, resource=f"{BASE}/mcp"
        ).model_dump_json()
        with db:
            used = "UPDATE code SET used = ? WHERE hash = ? AND used IS NULL"
            if db.execute(used, (time.time(), sha(authorization_code.code))).rowcount == 0:
                raise TokenError("invalid_grant")
            for kind, text in (("access", access), ("refresh", refresh)):
                db.execute("INSERT INTO token VALUES (?, ?, ?)", (sha(text), kind, good))
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=3600, scope=" ".join(SCOPES))

    async def load_access_token(self, token):
        found = document("SELECT document FROM token WHERE hash = ? AND kind = 'access'", sha(token))
        return found and AccessToken.model_validate_json(found)


server = MCPServer(
    "python-oauth",
    log_level="WARNING",
    auth_server_provider=Provider(),
    auth=AuthSettings(
        issuer_url=BASE,
        resource_server_url=f"{BASE}/mcp",
        validate_token_resource=True,
        required_scopes=SCOPES,
        client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=SCOPES, default_scopes=SCOPES),
    ),
)


@server.tool(description="List what was granted", structured_output=False)
async def list_granted_resources() -> str:
    with db:
        db.execute("INSERT INTO audit VALUES (?, 'list_granted_resources', '')", (time.time(),))
    return "granted: nothing"


app = server.streamable_http_app(stateless_http=True, json_response=True, host="127.0.0.1")
uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning", access_log=False)
