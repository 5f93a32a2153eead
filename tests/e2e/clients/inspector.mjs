// The MCP Inspector's command line against a server: lists and calls tools, one program a call.
//
// usage: node inspector.mjs URL legacy|auto|modern [BEARER | DOCUMENT]
//
// Without a bearer it does the OAuth dance, by registering or, where it has one, by the https address of its metadata
// document: it prints {"authorize": URL}, reads where the owner's browser was led back to from one line of its input,
// and goes there, as the browser would. It ends with one line of JSON that says what it saw. The Inspector has an empty home and an environment with nothing in it but what it is asked to use.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const [url, era, way] = process.argv.slice(2);
const document = way?.startsWith('https://') ? way : undefined;
const bearer = document ? undefined : way;
const program = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);
const home = mkdtempSync(join(tmpdir(), 'inspector-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
// What the Inspector opens a browser with: it keeps the address and returns.
const browser = join(home, 'browser');
writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >"${home}/asked"\n`);
chmodSync(browser, 0o700);

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
// Whether its store holds a token of an earlier call.
let signedIn = false;
const say = (message) => console.log(JSON.stringify(message));

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Goes where the browser was led, once the Inspector listens there: it says the address before. */
async function go(address) {
  for (;;) {
    const page = await fetch(address).catch(() => undefined);
    if (page?.ok) return;
    if (page) throw new Error(`the callback answered ${page.status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Runs the Inspector once; its status, what it printed, and what it complained of. */
async function run(method, ...more) {
  const child = spawn(
    process.execPath,
    [
      program, '--cli', '--server-url', url, '--transport', 'http', '--protocol-era', era, '--format', 'json',
      '--callback-url', callback, '--method', method, ...more,
      ...(bearer ? ['--header', `Authorization: Bearer ${bearer}`] : []),
      ...(document ? ['--client-metadata-url', document] : []),
      ...(signedIn ? ['--use-stored-auth'] : []),
    ],
    {
      env: {
        HOME: home, PATH: '/usr/bin:/bin', BROWSER: browser, MCP_AUTO_OPEN_ENABLED: 'true',
        MCP_INSPECTOR_SECRET_STORE: 'file',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    },
  );
  let [out, complaint] = ['', ''];
  let asked = false;
  child.stdout.on('data', (bytes) => { out += bytes; });
  child.stderr.on('data', async (bytes) => {
    complaint += bytes;
    const authorize = /https?:\/\/\S+\/authorize\?\S+/.exec(complaint)?.[0];
    if (!authorize || asked || !complaint.includes('\n', complaint.indexOf(authorize))) return;
    asked = true;
    say({ authorize });
    await go((await lines.next()).value);
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { status, out, complaint, asked };
}

async function result(method, ...more) {
  const { status, out, complaint } = await run(method, ...more);
  try {
    return JSON.parse(out).result;
  } catch {
    throw new Error(`${method} ended with ${status}: ${out}${complaint}`);
  }
}

const call = (name, args) => ['tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)];

const granted = await result(...call('list_granted_resources', {}));
// Without that flag the Inspector would not look into its own store and ask anew each time.
signedIn = !bearer;
const session = await result('initialize');
// Its own lint of the schemas ends it with 6 where one is not portable.
const { status, out } = await run('tools/list', '--strict');
if (status !== 0) throw new Error(`the list ended with ${status}: ${out}`);
const listed = JSON.parse(out).result;
const refused = await result(...call('read_proposal', { proposal_id: '7' }));
const unknown = await run(...call('no_such_tool', {}));
if (unknown.status === 0) throw new Error(`a tool that is not there was called: ${unknown.out}`);
say({
  protocol: session.protocolVersion,
  tools: listed.tools.map((tool) => tool.name),
  granted: granted.structuredContent,
  refused: JSON.parse(refused.content[0].text).code,
  unknown: unknown.out + unknown.complaint,
});
process.exit(0);
