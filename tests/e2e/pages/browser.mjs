// Debian's Chromium, driven by Playwright; what a page may not do fails the test that opened it.
import { chromium } from "playwright-core";

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser; `open(options)` gives a page of its own profile that collects what went wrong on it. */
export async function launch() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
  return {
    close: () => browser.close(),
    async open(options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.wrong = [];
      page.on("pageerror", (error) => page.wrong.push(`script: ${error.message}`));
      page.on("console", (message) => {
        // What the policy forbids is told on the console.
        if (/Content Security Policy|violates/i.test(message.text())) page.wrong.push(message.text());
      });
      return page;
    },
  };
}
