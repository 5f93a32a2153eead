// The way through a repository in a real browser: list, folder, file, blame, history, commit, branches, search; at 1440
// and at 390 pixels. COUNTERSIGN_URL, MAIL and PASSWORD name a server and its owner, REPOSITORY one with 2,000 files.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./browser.mjs";
import { look } from "./look.mjs";

const { COUNTERSIGN_URL: base, REPOSITORY: id, MAIL, PASSWORD } = process.env;
const front = `${base}/repositories/${id}`;

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

async function signIn(page, path) {
  await page.goto(`${base}${path}`);
  await page.getByLabel("Mail address").fill(MAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${base}${path}`);
}

/** What no page may do: scroll sideways, ask another host, complain on the console. */
async function watch(page) {
  page.foreign = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(base)) page.foreign.push(request.url());
  });
  page.on("console", (message) => {
    if (message.type() === "error") page.wrong.push(message.text());
  });
}

async function clean(page, name) {
  page.wrong.push(...(await look(page, `${page.label}-${name}`)));
  assert.deepEqual(page.wrong, [], name);
  assert.deepEqual(page.foreign, [], name);
  assert.doesNotMatch(await page.title(), /owned/, name);
}

async function walk(page) {
  await signIn(page, "/repositories");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Repositories" }).waitFor();
  await clean(page, "list");
  await page.getByRole("link", { name: "demo" }).click();
  await page.waitForURL(front);
  await page.getByRole("heading", { name: "Orchard" }).waitFor();
  await page.getByRole("img", { name: "A dot" }).waitFor();
  assert.ok(await page.getByRole("img", { name: "A dot" }).evaluate((image) => image.naturalWidth === 1));
  assert.equal(await page.getByRole("link", { name: "Do not follow this" }).count(), 0);
  await clean(page, "front");
  await page.locator("summary").filter({ hasText: "Clone" }).click();
  await page.locator("#clone").getByText(`git clone ${base}/git/acme/demo.git`).waitFor();
  await clean(page, "clone");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#clone").isVisible(), false);

  await page.getByRole("link", { name: "src", exact: true }).click();
  await page.getByRole("link", { name: "part00", exact: true }).waitFor();
  await clean(page, "folder");
  await page.getByRole("link", { name: "busy.rs" }).click();
  await page.locator("tr#L3 .c-k").first().waitFor();
  await clean(page, "file");
  await page.locator("#L9 .no a").click();
  await page.waitForURL(`${front}/files/src/busy.rs#L9`);
  assert.equal(await page.locator("tr:target").count(), 1);
  await page.getByRole("link", { name: "Blame" }).click();
  await page.getByRole("link", { name: /Keep busy/ }).first().waitFor();
  await clean(page, "blame");
  await page.getByRole("link", { name: "History", exact: true }).last().click();
  await page.waitForURL(`${front}/history/src/busy.rs`);
  assert.equal(await page.locator(".list > li").count(), 49);
  await clean(page, "history");
  await page.getByRole("link", { name: "Keep busy, 490" }).click();
  await page.getByText("Not signed").waitFor();
  await page.locator(".lines .text.add").first().waitFor();
  await clean(page, "commit");
  await page.getByRole("link", { name: /^File / }).click();
  await page.waitForURL(/files\/src\/busy\.rs\?ref=[0-9a-f]{40}$/);

  await page.goto(`${front}/history`);
  await page.getByRole("link", { name: "Next", exact: true }).waitFor();
  const rows = page.locator("[data-walk]");
  for (const [key, at] of [["j", 0], ["j", 1], ["k", 0]]) {
    await page.keyboard.press(key);
    assert.ok(await rows.nth(at).evaluate((row) => row === document.activeElement), `${key} goes to row ${at}`);
  }
  assert.equal(page.url(), `${front}/history`, "no key turned the page");

  await page.getByRole("link", { name: "Branches", exact: true }).click();
  await page.getByText("1 ahead, 0 behind").waitFor();
  await clean(page, "branches");
  await page.getByRole("link", { name: "feature/grafting" }).click();
  await page.waitForURL(`${front}?ref=feature/grafting`);
  await page.getByRole("link", { name: "docs", exact: true }).click();
  await page.getByRole("link", { name: "graft.md" }).click();
  await page.waitForURL(`${front}/files/docs/graft.md?ref=feature/grafting`);
  await page.getByRole("heading", { name: "Graft" }).waitFor();
  await page.getByLabel("Branch or tag: feature/grafting").click();
  await clean(page, "chooser");
  await page.locator(".drop").getByRole("link", { name: "v1.0" }).click();
  await page.getByText("path_not_found").waitFor();
  // The console tells of the page that is not there.
  page.wrong = page.wrong.filter((text) => !text.includes("404"));

  await page.goto(`${front}/files/docs`);
  await page.getByRole("link", { name: "a b%c#d?e.txt" }).click();
  await page.getByText("An odd name.").waitFor();
  await page.goto(`${front}/files/docs/dot.png`);
  await page.getByRole("img", { name: "dot.png" }).waitFor();
  await clean(page, "picture");

  await page.getByRole("navigation", { name: "Repository" }).getByRole("link", { name: "Search" }).click();
  await page.getByLabel("Text in files").fill("STEP_12(");
  await page.getByLabel("What the paths begin with").fill("src/part0");
  await page.keyboard.press("Enter");
  await page.locator("mark").first().waitFor();
  await page.getByText("The search was cut").waitFor();
  await clean(page, "search");
  await page.locator("tr.hit .no a").first().click();
  await page.waitForURL(/files\/src\/part00\/file00\.rs#L15$/);
  await clean(page, "hit");
}

for (const [label, options] of [
  ["wide", { viewport: { width: 1440, height: 900 } }],
  ["narrow", { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ["dark", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
]) {
  test(`the way through a repository, ${label}`, async () => {
    const page = await browser.open(options);
    page.label = label;
    page.setDefaultTimeout(20_000);
    await watch(page);
    await walk(page);
    await page.context().close();
  });
}

test("the way through a repository without scripts and by keyboard alone", async () => {
  const page = await browser.open({ javaScriptEnabled: false });
  page.setDefaultTimeout(20_000);
  await signIn(page, `/repositories/${id}/files/src/busy.rs?ref=refs/tags/v1.0`);
  await page.getByLabel("Branch or tag: v1.0").focus();
  await page.keyboard.press("Enter");
  await page.locator(".drop").getByRole("link", { name: "main" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${front}/files/src/busy.rs`);
  await page.goto(front);
  await page.locator("summary").filter({ hasText: "Clone" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("#clone").waitFor();
  await page.goto(`${front}/search`);
  await page.getByLabel("Text in files").fill("An odd name");
  await page.keyboard.press("Enter");
  await page.locator("mark").getByText("An odd name").waitFor();
  await page.context().close();
});
