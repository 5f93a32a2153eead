// The TypeScript SDK's own client against a server: lists and calls tools.
//
// usage: node client.mjs URL auto|legacy|modern [BEARER | DOCUMENT]
//
// Without a bearer it does the OAuth dance, by registering or, where it has one, by the https address of its metadata
// document: it prints {"authorize": URL} and reads where the owner's browser was led
// back to from one line of its input. It ends with one line of JSON that says what it saw.
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

const [url, mode, way] = process.argv.slice(2);
const document = way?.startsWith('https://') ? way : undefined;
const bearer = document ? undefined : way;
const REDIRECT = 'http://127.0.0.1:9/callback';
const say = (message) => console.log(JSON.stringify(message));

const provider = {
  redirectUrl: REDIRECT,
  clientMetadataUrl: document,
  clientMetadata: {
    client_name: 'TypeScript SDK',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  clientInformation() { return this.client; },
  saveClientInformation(client) { this.client = client; },
  tokens() { return this.kept; },
  saveTokens(tokens) { this.kept = tokens; },
  codeVerifier() { return this.verifier; },
  saveCodeVerifier(verifier) { this.verifier = verifier; },
  discoveryState() { return this.discovered; },
  saveDiscoveryState(discovered) { this.discovered = discovered; },
  redirectToAuthorization(to) { say({ authorize: String(to) }); },
};

const door = () => new StreamableHTTPClientTransport(
  new URL(url),
  bearer ? { requestInit: { headers: { Authorization: `Bearer ${bearer}` } } } : { authProvider: provider },
);
const client = () => new Client(
  { name: 'countersign-tests', version: '1' },
  { versionNegotiation: { mode: mode === 'modern' ? { pin: '2026-07-28' } : mode } },
);

async function readLine() {
  for await (const line of createInterface({ input: process.stdin })) return line;
}

/** Calls once without a token, which starts the dance, and finishes it with what the browser brought back. */
async function dance() {
  const transport = door();
  const first = client();
  try {
    await first.connect(transport);
    await first.callTool({ name: 'list_granted_resources', arguments: {} });
    throw new Error('nobody asked for a sign-in');
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    const back = new URL(await readLine()).searchParams;
    await transport.finishAuth(new URLSearchParams({ code: back.get('code'), iss: back.get('iss') }));
  }
}

if (!bearer) await dance();
const session = client();
const transport = door();
await session.connect(transport);
const tools = (await session.listTools()).tools;
const granted = await session.callTool({ name: 'list_granted_resources', arguments: {} });
const refused = await session.callTool({ name: 'read_proposal', arguments: { proposal_id: '7' } });
const unknown = await session.callTool({ name: 'no_such_tool', arguments: {} }).catch((error) => error);
say({
  protocol: session.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion,
  tools: tools.map((tool) => tool.name),
  granted: granted.structuredContent,
  refused: JSON.parse(refused.content[0].text).code,
  unknown: unknown instanceof Error ? unknown.message : unknown,
});
await session.close();
process.exit(0);
