// An assistant that knows the connector's address alone: registers, asks for consent, proposes.
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";

const text = (bytes) => bytes.toString("base64url");

export class Agent {
  /** Registers, and gives an agent whose `consent` is the address that its person must open. */
  static async begin(base, name, scope = "countersign:read countersign:write") {
    const agent = new Agent();
    agent.url = `${base}/api/v1/external-mcp`;
    agent.base = base;
    agent.callback = createServer((request, response) => {
      response.setHeader("content-type", "text/html").end("<title>Connected</title><p>You can close this window.");
      agent.callback.emit("answer", new URL(request.url, "http://127.0.0.1"));
    });
    agent.callback.listen(0, "127.0.0.1");
    await once(agent.callback, "listening");
    agent.redirect = `http://127.0.0.1:${agent.callback.address().port}/callback`;
    agent.answer = once(agent.callback, "answer").then(([url]) => url.searchParams);
    const registered = await json(`${base}/api/v1/external-oauth/register`, {
      client_name: name,
      redirect_uris: [agent.redirect],
      token_endpoint_auth_method: "none",
    });
    agent.client = registered.client_id;
    agent.verifier = text(randomBytes(32));
    agent.consent = `${base}/api/v1/external-oauth/authorize?${new URLSearchParams({
      response_type: "code",
      client_id: agent.client,
      redirect_uri: agent.redirect,
      code_challenge: text(createHash("sha256").update(agent.verifier).digest()),
      code_challenge_method: "S256",
      resource: agent.url,
      scope,
      state: "s",
    })}`;
    return agent;
  }

  /** Exchanges the code that the person's browser brought. */
  async finish() {
    const answer = await this.answer;
    this.callback.close();
    this.callback.closeAllConnections();
    if (answer.has("error")) return answer.get("error");
    const response = await fetch(`${this.base}/api/v1/external-oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: answer.get("code"),
        redirect_uri: this.redirect,
        client_id: this.client,
        code_verifier: this.verifier,
        resource: this.url,
      }),
    });
    this.token = (await response.json()).access_token;
    return "connected";
  }

  /** Calls a tool; the HTTP status and the result. */
  async call(name, args) {
    const { status, result } = await this.message(name, args);
    return { status, ...result };
  }

  /** Calls a tool; the HTTP status and the message. */
  async message(name, args) {
    const response = await fetch(this.url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${this.token}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
    });
    return { status: response.status, ...(await response.json()) };
  }

  /** Proposes one file; the id of the proposal. */
  async propose(repository, branch, path, content) {
    const result = await this.call("propose_gitnest_file_import", {
      repository_id: repository,
      branch,
      message: `Write ${path}\n\nProposed by a test.`,
      files: [{ path, content }],
      idempotency_key: text(randomBytes(12)),
    });
    if (result.isError) throw new Error(result.content[0].text);
    return result.structuredContent.proposal_id;
  }
}

/** Posts JSON, with a token where there is one; the answer's JSON. */
export async function json(url, body, token, method = "POST") {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
