// Passkeys by a virtual authenticator, and two owners: in a real browser against a real server. COUNTERSIGN_URL and
// SETUP_LINK name a fresh server at an address where browsers have passkeys.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Agent, json } from "./agent.mjs";
import { launch } from "./browser.mjs";
import { look } from "./look.mjs";

const base = process.env.COUNTERSIGN_URL;
const ADA = "ada@countersign.example";
const BOB = "bob@countersign.example";
const MARY = "mary@countersign.example";
const PASSWORD = "a long analytical sentence";

let browser, page, cdp, authenticator, token, agent, repository;

before(async () => {
  browser = await launch();
  page = await browser.open();
  page.setDefaultTimeout(30_000);
  cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  ({ authenticatorId: authenticator } = await cdp.send("WebAuthn.addVirtualAuthenticator", { options }));
});
after(() => browser.close());

const at = (path, who = page) => who.waitForURL(`${base}${path}`);
const clean = (who = page) => assert.deepEqual(who.wrong, []);
const signOut = () => page.getByRole("button", { name: "Sign out" }).click();

async function signIn(who, mail, to) {
  await who.goto(`${base}${to}`);
  await who.getByLabel("Mail address").fill(mail);
  await who.getByLabel("Password").fill(PASSWORD);
  await who.getByRole("button", { name: "Sign in" }).click();
  await at(to, who);
}

test("a person adds a passkey in their settings", async () => {
  await page.goto(process.env.SETUP_LINK);
  await page.getByLabel("Workspace").fill("Analytical Engines");
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Your mail address").fill(ADA);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create workspace" }).click();
  await at("/connected");
  await page.getByRole("link", { name: "Settings of Ada Lovelace" }).click();
  await page.getByText("No passkey yet").waitFor();
  await page.getByLabel("Name of a new passkey").fill("My laptop");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByText("The passkey is added").waitFor();
  await page.getByText("not used yet").waitFor();
  const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: authenticator });
  assert.deepEqual(credentials.map((one) => [one.rpId, one.isResidentCredential]), [["localhost", true]]);
  clean();
});

test("the same device makes no second one", async () => {
  await page.getByLabel("Name of a new passkey").fill("My laptop again");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByRole("alert").getByText("has a passkey of yours already").waitFor();
  clean();
});

test("they sign in with it, without a name, and come to where they wanted to go", async () => {
  await signOut();
  await at("/sign-in");
  await page.goto(`${base}/settings`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await at("/settings");
  await page.locator("#passkeys").getByText("last used just now").waitFor();
  clean();
});

test("it opens the sudo window too", async () => {
  const session = async () => (await page.context().cookies()).find((cookie) => cookie.name === "cs_session").value;
  const before = await session();
  await page.goto(`${base}/sudo?to=/settings`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await at("/settings");
  assert.notEqual(await session(), before, "the session goes on under a new token");
  clean();
});

test("a device that does not recognise its person opens nothing, and the page says so", async () => {
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId: authenticator, isUserVerified: false });
  await page.goto(`${base}/sudo?to=/settings`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("alert").getByText("No passkey was used").waitFor();
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId: authenticator, isUserVerified: true });
  clean();
});

test("a device whose count went back is refused and told", async () => {
  const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: authenticator });
  await cdp.send("WebAuthn.clearCredentials", { authenticatorId: authenticator });
  const credential = { ...credentials[0], signCount: 0 };
  await cdp.send("WebAuthn.addCredential", { authenticatorId: authenticator, credential });
  await page.goto(`${base}/sudo?to=/settings`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("The count of this passkey went back").waitFor();
  await page.goto(`${base}/settings`);
  await page.getByText("Perhaps copied").waitFor();
  clean();
});

test("removed, it signs nobody in; the password still does, also without scripts", async () => {
  await page.getByRole("button", { name: "Remove My laptop" }).click();
  await page.getByText("The passkey is removed").waitFor();
  await signOut();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("This passkey opens nothing here").waitFor();
  const plain = await browser.open({ javaScriptEnabled: false });
  await plain.goto(`${base}/settings`);
  assert.equal(await plain.getByRole("button", { name: "Use a passkey" }).count(), 0);
  await signIn(plain, ADA, "/settings");
  await plain.getByText("No passkey yet").waitFor();
  await plain.context().close();
  await signIn(page, ADA, "/people");
  clean();
});

test("somebody comes by an invitation, whose link opens by itself and works once", async () => {
  await page.locator("#invite").getByLabel("Mail address").fill(MARY);
  await page.locator("#project").selectOption({ label: "General" });
  await page.getByRole("button", { name: "Make invitation" }).click();
  const link = await page.locator("#invitation").textContent();
  assert.ok(link.startsWith(`${base}/join#cs_in_`), link);
  const mary = await browser.open();
  mary.setDefaultTimeout(30_000);
  await mary.goto(link);
  await mary.getByText("invites you as a member of the workspace, and into the project General as editor").waitFor();
  assert.ok(!mary.url().includes("cs_in_"), "the code stays in no address");
  await mary.getByLabel("Your name").fill("Mary Somerville");
  await mary.getByLabel("Password").fill(PASSWORD);
  await mary.getByRole("button", { name: "Join" }).click();
  await at("/", mary);
  await mary.getByRole("link", { name: "Settings of Mary Somerville" }).waitFor();
  await page.locator("#people").getByText("Mary Somerville").waitFor();
  assert.equal(await page.locator("#invitations").getByText(MARY).count(), 0, "the page shows it without a load");
  clean();
  clean(mary);
  await mary.goto(link);
  await mary.getByText("This invitation is over").waitFor();
  await mary.context().close();
});

test("an owner makes another one, who sees it without a load, and both decide", async () => {
  const scopes = ["api", "proposals:decide"];
  token = (await json(`${base}/api/v1/tokens`, { mail: ADA, password: PASSWORD, name: "e2e", scopes, hours: 1 })).token;
  const project = (await json(`${base}/api/v1/projects`, undefined, token, "GET")).items[0].id;
  const made = await json(`${base}/api/v1/repositories`, { name: "notes", project_id: project }, token);
  await json(`${base}/api/v1/repositories/${made.id}`, { gitnest: true }, token, "PATCH");
  const member = { mail: BOB, name: "Bob", password: PASSWORD, role: "viewer" };
  await json(`${base}/api/v1/projects/${project}/members`, member, token);

  repository = made.id;
  agent = await Agent.begin(base, "Test Assistant");
  await page.goto(agent.consent);
  await page.getByRole("button", { name: "Allow access" }).click();
  await page.getByText("You can close this window.").waitFor();
  assert.equal(await agent.finish(), "connected");
  await page.goto(`${base}/connected`);
  await page.getByRole("link", { name: "Test Assistant" }).click();
  await page.getByRole("button", { name: "Add project" }).click();
  await agent.propose(made.id, "main", "docs/one.md", "# One\n");

  const bob = await browser.open();
  bob.setDefaultTimeout(30_000);
  await signIn(bob, BOB, "/approvals");
  await bob.goto(`${base}/people`);
  await bob.getByText("Only an owner of the workspace may do this").waitFor();
  await page.goto(`${base}/people`);
  await page.getByRole("button", { name: "Make owner: Bob" }).click();
  await page.getByRole("button", { name: "Make member: Bob" }).waitFor();
  await bob.goto(`${base}/approvals`);
  await bob.getByRole("link", { name: "Write docs/one.md" }).click();
  await bob.getByRole("button", { name: "Approve" }).first().click();
  await bob.getByText("Committed").first().waitFor();
  await agent.propose(made.id, "main", "docs/two.md", "# Two\n");
  await page.goto(`${base}/approvals`);
  await page.getByRole("link", { name: "Write docs/two.md" }).click();
  await page.getByRole("button", { name: "Approve" }).first().click();
  await page.getByText("Committed").first().waitFor();

  await bob.goto(`${base}/people`);
  await page.goto(`${base}/people`);
  await bob.getByRole("button", { name: "Make member: Ada Lovelace" }).click();
  await page.getByText("Only an owner of the workspace may do this").waitFor();
  await bob.getByText("the only one").waitFor();
  assert.equal(await bob.getByRole("button", { name: "Make member: Bob" }).count(), 0, "nobody leaves it without an owner");
  await bob.getByRole("button", { name: "Make owner: Ada Lovelace" }).click();
  await bob.getByRole("button", { name: "Make member: Ada Lovelace" }).waitFor();
  clean();
  clean(bob);
  await bob.context().close();
});

test("axe finds nothing on any page of the app, wide and narrow", async () => {
  await agent.propose(repository, "main", "docs/three.md", "# Three\n");
  await agent.propose(repository, "main", "docs/four.md", "# Four\n");
  const another = await Agent.begin(base, "Another Assistant");
  // What is no page, or another answer than a page.
  const others = ["/live", "/audit/export", "/repositories/{id}/raw/{*path}"];
  const routes = process.env.PAGES.split(" ").filter((route) => !others.includes(route));
  routes.sort((one, other) => one.split("{").length - other.split("{").length);
  const pattern = (route) => new RegExp(`^${route.replaceAll(/{\*\w+}/g, ".+").replaceAll(/{\w+}/g, "[^/]+")}$`);
  const patterns = new Map(routes.map((route) => [route, pattern(route)]));
  const left = new Set(routes);
  const waiting = ["/", "/go", "/sudo", "/settings", "/approvals", another.consent];
  // A folder is a page of the same route, and has no blame.
  waiting.push(`/repositories/${repository}/files/README.md`);
  const wrong = [];
  while (waiting.length > 0 && left.size > 0) {
    const address = new URL(waiting.shift(), base);
    if (address.origin !== base && address.href !== another.consent) continue;
    const route = routes.find((one) => patterns.get(one).test(address.pathname));
    if (address.href !== another.consent && !left.has(route)) continue;
    const answer = await page.goto(address.href);
    assert.equal(answer.status(), 200, address.href);
    const path = new URL(page.url()).pathname;
    left.delete(routes.find((one) => patterns.get(one).test(path)));
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      wrong.push(...(await look(page, `app${path.replaceAll(/[0-9a-f-]{36}|[^a-z]+/g, "-")}-${width}`)));
    }
    waiting.push(...(await page.$$eval("a[href]", (links) => links.map((link) => link.href))));
    const several = await page.$$eval("input[form=several][name=id]", (all) => all.map((one) => one.value));
    if (several.length > 0) waiting.push(`/approvals/several?${several.map((id) => `id=${id}`).join("&")}`);
  }
  another.callback.close();
  assert.deepEqual([...left], [], "every page was come to by links");
  assert.deepEqual(wrong, []);
  clean();
});
