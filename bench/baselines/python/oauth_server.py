"""An authorization server, its protected MCP endpoint and its store, as one writes them in Python by hand: Starlette,
uvicorn, sqlite3. Every step that ours takes is taken: registration, PKCE, single-use codes, hashed tokens, durable
writes. It asks nobody. Its arguments are the port and the file of its database."""

import base64
import hashlib
import json
import secrets
import sqlite3
import sys
import time

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, RedirectResponse
from starlette.routing import Route

PORT, FILE = int(sys.argv[1]), sys.argv[2]
BASE = f"http://127.0.0.1:{PORT}"
SCOPES = "read write"

db = sqlite3.connect(FILE)
db.executescript(
    """PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE client (id TEXT PRIMARY KEY, redirect_uris TEXT NOT NULL);
    CREATE TABLE code (hash TEXT PRIMARY KEY, client TEXT, redirect_uri TEXT, challenge TEXT, expires REAL, used REAL);
    CREATE TABLE token (hash TEXT PRIMARY KEY, client TEXT, kind TEXT, expires REAL);
    CREATE TABLE audit (at REAL, tool TEXT, client TEXT);"""
)


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def challenge():
    where = f'{BASE}/.well-known/oauth-protected-resource/mcp'
    return f'Bearer error="invalid_token", resource_metadata="{where}", scope="{SCOPES}"'


async def resource(_):
    return JSONResponse(
        {"resource": f"{BASE}/mcp", "authorization_servers": [BASE], "scopes_supported": SCOPES.split()}
    )


async def metadata(_):
    return JSONResponse(
        {
            "issuer": BASE,
            "authorization_endpoint": f"{BASE}/authorize",
            "token_endpoint": f"{BASE}/token",
            "registration_endpoint": f"{BASE}/register",
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
        }
    )


async def register(request):
    body = await request.json()
    client = secrets.token_urlsafe(24)
    with db:
        db.execute("INSERT INTO client VALUES (?, ?)", (client, json.dumps(body["redirect_uris"])))
    return JSONResponse(
        {"client_id": client, "redirect_uris": body["redirect_uris"], "token_endpoint_auth_method": "none"}, 201
    )


async def authorize(request):
    query = request.query_params
    row = db.execute("SELECT redirect_uris FROM client WHERE id = ?", (query["client_id"],)).fetchone()
    if row is None or query["redirect_uri"] not in json.loads(row[0]) or query["code_challenge_method"] != "S256":
        return JSONResponse({"error": "invalid_request"}, 400)
    code = secrets.token_urlsafe(32)
    values = (sha(code), query["client_id"], query["redirect_uri"], query["code_challenge"], time.time() + 60)
    with db:
        db.execute("INSERT INTO code VALUES (?, ?, ?, ?, ?, NULL)", values)
    return RedirectResponse(f"{query['redirect_uri']}?code={code}&state={query.get('state', '')}", 302)


async def token(request):
    form = await request.form()
    refused = JSONResponse({"error": "invalid_grant"}, 400)
    with db:
        used = "UPDATE code SET used = ? WHERE hash = ? AND used IS NULL RETURNING client, redirect_uri, challenge, expires"
        row = db.execute(used, (time.time(), sha(form["code"]))).fetchone()
        if row is None:
            return refused
        client, redirect_uri, wanted, expires = row
        given = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=")
        same = secrets.compare_digest(given.decode(), wanted)
        if not same or client != form["client_id"] or redirect_uri != form["redirect_uri"] or expires < time.time():
            return refused
        access, refresh = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        for kind, text, life in (("access", access, 3600), ("refresh", refresh, 30 * 86400)):
            db.execute("INSERT INTO token VALUES (?, ?, ?, ?)", (sha(text), client, kind, time.time() + life))
    answer = {"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": 3600}
    return JSONResponse({**answer, "scope": SCOPES}, headers={"cache-control": "no-store"})


async def mcp(request):
    message = await request.json()
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    found = "SELECT client FROM token WHERE hash = ? AND kind = 'access' AND expires > ?"
    row = db.execute(found, (sha(bearer), time.time())).fetchone()
    if row is None:
        result = {"content": [{"type": "text", "text": "Authentication required"}], "isError": True}
        body = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return JSONResponse(body, 401, headers={"www-authenticate": challenge()})
    name = message["params"]["name"]
    with db:
        db.execute("INSERT INTO audit VALUES (?, ?, ?)", (time.time(), name, row[0]))
    result = {"content": [{"type": "text", "text": "granted: nothing"}]}
    return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "result": result})


app = Starlette(
    routes=[
        Route("/.well-known/oauth-protected-resource/mcp", resource),
        Route("/.well-known/oauth-authorization-server", metadata),
        Route("/register", register, methods=["POST"]),
        Route("/authorize", authorize),
        Route("/token", token, methods=["POST"]),
        Route("/mcp", mcp, methods=["POST"]),
    ]
)
uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning", access_log=False)
