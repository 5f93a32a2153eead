// Every page in each of its states, light and dark, at 1440 and at 390 pixels: GALLERY_URL serves them with made-up data.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch } from "./browser.mjs";
import { look, tab } from "./look.mjs";

const base = process.env.GALLERY_URL;
const WIDTHS = [1440, 390];
/** The colours alone differ in the dark. */
const SCHEMES = { light: undefined, dark: ["color-contrast"] };

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const shown = await (await fetch(base)).text();
const names = [...shown.matchAll(/href="\/gallery\/([a-z0-9-]+)"/g)].map((match) => match[1]);

test("the gallery has pages", () => assert.ok(names.length > 40));

for (const width of WIDTHS) {
  for (const [colorScheme, rules] of Object.entries(SCHEMES)) {
    test(`every page is whole at ${width} pixels, ${colorScheme}`, async () => {
      const page = await browser.open({ viewport: { width, height: 900 }, colorScheme });
      for (const name of names) {
        await page.goto(`${base}/gallery/${name}`);
        page.wrong.push(...(await look(page, `${name}-${colorScheme}-${width}`, rules)));
      }
      assert.deepEqual(page.wrong, []);
      await page.context().close();
    });
  }
}

test("focus is visible on every control", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  for (const name of names) {
    await page.goto(`${base}/gallery/${name}`);
    page.wrong.push(...(await tab(page, name)));
  }
  assert.deepEqual(page.wrong, []);
  await page.context().close();
});
