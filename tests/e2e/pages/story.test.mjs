// The main ways through the pages, in a real browser against a real server: set-up, consent, approve, decline, stale,
// revoke, and the one stream of a page. COUNTERSIGN_URL and SETUP_LINK name a fresh server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Agent, json } from "./agent.mjs";
import { launch } from "./browser.mjs";

const base = process.env.COUNTERSIGN_URL;
const MAIL = "ada@countersign.example";
const PASSWORD = "a long analytical sentence";

let browser, page, agent, token, repository;

before(async () => {
  browser = await launch();
  page = await browser.open();
  page.setDefaultTimeout(30_000);
});
after(() => browser.close());

const at = (path) => page.waitForURL(`${base}${path}`);
const clean = () => assert.deepEqual(page.wrong, []);

test("the set-up link makes the workspace, and its code is on no line of the address bar", async () => {
  await page.goto(process.env.SETUP_LINK);
  assert.equal(new URL(page.url()).hash, "");
  assert.equal(await page.getByLabel("Set-up code").isVisible(), false);
  await page.getByLabel("Workspace").fill("Analytical Engines");
  assert.equal(await page.getByLabel("Short name in addresses").inputValue(), "analytical-engines");
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Your mail address").fill(MAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create workspace" }).click();
  await at("/connected");
  await page.getByText("No assistant is connected").waitFor();
  await page.goto(process.env.SETUP_LINK);
  await page.getByText("This server is set up already.").waitFor();
  clean();
});

test("a person signs out and in again and comes to where they wanted to go", async () => {
  await page.goto(`${base}/connected`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await at("/sign-in");
  await page.goto(`${base}/connected`);
  await page.getByLabel("Mail address").fill(MAIL);
  await page.getByLabel("Password").fill("not the password");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("sign_in_failed").waitFor();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await at("/connected");
  clean();
});

test("an address is copied by its button", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
  await page.goto(`${base}/connected`);
  await page.locator("[data-copy=claude-code]").click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `claude mcp add --transport http countersign ${base}/api/v1/external-mcp`);
});

test("a person allows an assistant, sees it at once on another page, and gives it a project", async () => {
  token = (
    await json(`${base}/api/v1/tokens`, { mail: MAIL, password: PASSWORD, name: "e2e", scopes: ["api"], hours: 1 })
  ).token;
  const projects = await json(`${base}/api/v1/projects`, undefined, token, "GET");
  const made = await json(`${base}/api/v1/repositories`, { name: "notes", project_id: projects.items[0].id }, token);
  repository = made.id;
  await json(`${base}/api/v1/repositories/${repository}`, { gitnest: true }, token, "PATCH");

  const other = await page.context().newPage();
  await other.goto(`${base}/connected`);
  agent = await Agent.begin(base, "Test Assistant");
  await page.goto(agent.consent);
  await page.getByRole("heading", { name: "Connect Test Assistant?" }).waitFor();
  await page.getByText("The answer goes to an app on this computer").waitFor();
  await page.getByRole("textbox", { name: "Name of the new connection" }).fill("Assistant of the tests");
  await page.getByRole("button", { name: "Allow access" }).click();
  await page.getByText("You can close this window.").waitFor();
  assert.equal(await agent.finish(), "connected");

  await other.getByRole("link", { name: "Assistant of the tests" }).click();
  await other.getByText("It sees nothing yet").waitFor();
  assert.deepEqual((await agent.call("list_granted_resources", {})).structuredContent.projects, []);
  await other.getByRole("button", { name: "Add project" }).click();
  await other.getByRole("button", { name: "Remove General" }).waitFor();
  assert.equal((await agent.call("list_granted_resources", {})).structuredContent.projects.length, 1);
  await other.close();
  clean();
});

test("single tools are switched, live on another page and without scripts, and felt at the next call", async () => {
  await page.goto(`${base}/connected`);
  await page.getByRole("link", { name: "Assistant of the tests" }).click();
  const connection = page.url();
  const other = await page.context().newPage();
  await other.goto(connection);
  const list = page.getByRole("switch", { name: "list_granted_resources" });
  assert.equal(await list.getAttribute("aria-checked"), "true");
  await list.focus();
  await page.keyboard.press("Enter");
  await other.locator("[role=switch][aria-label=list_granted_resources][aria-checked=false]").waitFor();
  const refused = await agent.message("list_granted_resources", {});
  assert.match(refused.error.message, /not available to this agent/);

  const plain = await browser.open({ javaScriptEnabled: false });
  await plain.goto(connection);
  await plain.getByLabel("Mail address").fill(MAIL);
  await plain.getByLabel("Password").fill(PASSWORD);
  await plain.getByRole("button", { name: "Sign in" }).click();
  await plain.getByRole("switch", { name: "search_gitnest_code" }).click();
  await plain.getByText("6 of 8 on").waitFor();
  await plain.getByRole("button", { name: "All on" }).click();
  await plain.getByText("8 of 8 on").waitFor();
  await plain.context().close();
  await other.getByText("8 of 8 on").waitFor();
  assert.ok((await agent.call("list_granted_resources", {})).structuredContent);
  await other.close();
  clean();
});

test("a person refuses an assistant and is led back with the refusal", async () => {
  const refused = await Agent.begin(base, "Unwanted");
  await page.goto(refused.consent);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("You can close this window.").waitFor();
  assert.equal(await refused.finish(), "access_denied");
});

test("nobody frames consent", async () => {
  const framed = await Agent.begin(base, "Framed");
  const response = await page.goto(framed.consent);
  const policy = response.headers()["content-security-policy"];
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /form-action/);
  framed.callback.close();
});

test("a proposal comes to the queue without a load, and is approved by key", async () => {
  await page.goto(`${base}/approvals`);
  await page.getByText("Nothing needs you").waitFor();
  await agent.propose(repository, "main", "docs/one.md", "# One\n\nA **first** file.\n");
  await page.getByRole("link", { name: "Write docs/one.md" }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Write docs/one.md" }).waitFor();
  await page.locator(".lines .add").getByText("# One").waitFor();
  await page.keyboard.press("a");
  await page.keyboard.press("Enter");
  await page.getByText("It is in the repository").waitFor();
  await page.locator("#decision").getByRole("link").click();
  await page.getByText("Signed by this server").waitFor();
  await page.getByText("Approved-by: Ada Lovelace").waitFor();
  clean();
});

test("two keys in the queue show a proposal and approve it", async () => {
  await agent.propose(repository, "main", "keys.txt", "keys\n");
  await page.goto(`${base}/approvals`);
  await page.getByRole("link", { name: "Write keys.txt" }).waitFor();
  await page.keyboard.press("a");
  await page.getByRole("heading", { level: 1, name: "Write keys.txt" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.dataset.key === "a");
  await page.keyboard.press("Enter");
  await page.getByText("It is in the repository").waitFor();
  clean();
});

test("keys go to pages, list themselves, and do nothing while one types", async () => {
  await page.goto(`${base}/`);
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await at("/repositories");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
  assert.equal(page.url(), `${base}/repositories`);
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await at("/");
  clean();
});

test("the palette goes anywhere by name, and its page does without scripts", async () => {
  await page.goto(`${base}/`);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await palette.getByRole("link", { name: "Connected" }).waitFor();
  await page.keyboard.type("TESTS assist");
  await palette.getByRole("link", { name: "Assistant of the tests" }).waitFor();
  await palette.getByRole("link", { name: "Connected" }).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Assistant of the tests" }).waitFor();
  await page.goto(`${base}/go?q=notes`);
  await page.getByRole("main").locator(`a[href="/repositories/${repository}"]`).click();
  await page.waitForURL(`${base}/repositories/${repository}`);
  await page.goto(`${base}/go?q=zzz`);
  await page.getByText("Nothing bears this name.").waitFor();
  clean();
});

test("several are read together and decided with one press, and each tells what became of it", async () => {
  const ids = [];
  for (const name of ["a", "b", "c"]) ids.push(await agent.propose(repository, "main", `${name}.txt`, `${name}\n`));
  await page.goto(`${base}/approvals`);
  const together = page.getByRole("button", { name: "Review selected together" });
  assert.equal(await together.isVisible(), false);
  await page.getByLabel("Select: Write a.txt").check();
  await page.getByRole("link", { name: "Write b.txt" }).focus();
  await page.keyboard.press("x");
  await together.click();
  await page.getByRole("heading", { level: 1, name: "2 proposals together" }).waitFor();
  await page.getByText("Some are on the same branch").waitFor();
  await page.getByRole("button", { name: "Approve 2" }).click();
  await page.getByText("None of them waits for you any more.").waitFor();
  await page.getByText("Committed").waitFor();
  await page.getByText("Stale").waitFor();
  await page.goto(`${base}/approvals/several?id=${ids[2]}`);
  await page.keyboard.press("d");
  await page.keyboard.type("Not these.");
  await page.getByRole("button", { name: "Decline 1", exact: true }).click();
  await page.getByText("Declined").waitFor();
  const told = (await agent.call("read_proposal", { proposal_id: ids[2] })).structuredContent;
  assert.deepEqual([told.status, told.reason], ["declined", "Not these."]);
  clean();
});

test("of two proposals on one base the second becomes stale, and its page says what moved", async () => {
  const first = await agent.propose(repository, "main", "two.txt", "two\n");
  const second = await agent.propose(repository, "main", "three.txt", "three\n");
  await page.goto(`${base}/approvals/${first}`);
  await page.locator("#decision").getByRole("button", { name: "Approve" }).click();
  await page.getByText("It is in the repository").waitFor();
  await page.goto(`${base}/approvals/${second}`);
  await page.locator("#decision").getByRole("button", { name: "Approve" }).click();
  await page.getByText("The branch moved after this was proposed").waitFor();
  await page.getByRole("region", { name: "What moved" }).getByText("Write two.txt").waitFor();
  clean();
});

test("a decline takes a reason, and a half-written one survives news", async () => {
  const id = await agent.propose(repository, "main", "four.txt", "four\n");
  await page.goto(`${base}/approvals/${id}`);
  await page.keyboard.press("d");
  await page.keyboard.type("Please put it un");
  await agent.propose(repository, "main", "five.txt", "five\n");
  await page.locator("#waiting").getByText("2").waitFor();
  await page.keyboard.type("der docs/.");
  assert.equal(await page.getByLabel("Reason").inputValue(), "Please put it under docs/.");
  await page.locator("#decline").getByRole("button", { name: "Decline" }).click();
  await page.locator("#decision").getByText("Please put it under docs/.").waitFor();
  const told = (await agent.call("read_proposal", { proposal_id: id })).structuredContent;
  assert.deepEqual([told.status, told.reason], ["declined", "Please put it under docs/."]);
  clean();
});

test("what one window decides, another shows", async () => {
  const id = await agent.propose(repository, "main", "six.txt", "six\n");
  const other = await page.context().newPage();
  await other.goto(`${base}/approvals/${id}`);
  await page.goto(`${base}/approvals/${id}`);
  await page.locator("#decision").getByRole("button", { name: "Approve" }).click();
  await other.getByText("It is in the repository").waitFor();
  assert.equal(await other.locator("#approve").count(), 0);
  await other.close();
});

test("a page works without its scripts", async () => {
  const id = await agent.propose(repository, "main", "seven.txt", "seven\n");
  const plain = await browser.open({ javaScriptEnabled: false });
  await plain.goto(`${base}/approvals/${id}`);
  await plain.getByLabel("Mail address").fill(MAIL);
  await plain.getByLabel("Password").fill(PASSWORD);
  await plain.getByRole("button", { name: "Sign in" }).click();
  await plain.getByRole("heading", { level: 1, name: "Write seven.txt" }).waitFor();
  await plain.locator("#decline summary").click();
  await plain.getByLabel("Reason").fill("Not now.");
  await plain.locator("#decline").getByRole("button", { name: "Decline" }).click();
  await plain.locator("#decision").getByText("Not now.").waitFor();
  await plain.context().close();
});

test("a page holds one event stream and makes no other request in 30 seconds", async () => {
  const id = await agent.propose(repository, "main", "eight.txt", "eight\n");
  const watch = async (path) => {
    const quiet = await page.context().newPage();
    const asked = [];
    quiet.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await quiet.goto(`${base}${path}`);
    await quiet.waitForTimeout(30_000);
    // The page itself once, and what it is made of.
    assert.equal(asked.shift(), path);
    assert.deepEqual(asked.filter((name) => !name.startsWith("/static/")), ["/live"], path);
    await quiet.close();
  };
  await Promise.all(["/approvals", "/connected", `/approvals/${id}`].map(watch));
});

test("a revoke ends the assistant and takes its proposals along", async () => {
  await page.goto(`${base}/connected`);
  await page.getByRole("link", { name: "Assistant of the tests" }).click();
  await page.getByText("Revoke this connection").click();
  await page.getByRole("button", { name: "Revoke Assistant of the tests" }).click();
  await page.getByText("Its tokens died").waitFor();
  assert.equal((await agent.call("list_granted_resources", {})).status, 401);
  await page.goto(`${base}/approvals`);
  await page.getByText("Nothing needs you").waitFor();
  await page.getByText("Withdrawn").first().waitFor();
  clean();
});
