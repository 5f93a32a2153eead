// What a page must be to look at: no violation that axe finds, nothing that scrolls sideways, nothing squeezed, no endless
// list. Pictures go to the folder that SCREENSHOTS names, for who wants to look.
import axe from "axe-core";

const { SCREENSHOTS } = process.env;
/** The most rows that a list may have. */
const ROWS = 200;
/** A badge has one line. */
const BADGE = 32;
/** A text that is narrower than this and has more than a few lines has a letter or two in each. */
const NARROW = 60;
const FEW_LINES = 120;

/**
 * What is wrong with the page as it stands now; `name` tells it apart in pictures and complaints. Without `rules` all of
 * axe's are asked.
 */
export async function look(page, name, rules) {
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
  const seen = await page.evaluate(([badge, narrow, lines]) => ({
    squeezed: [...document.querySelectorAll(".state, td, .what, .name, h1")]
      .filter((element) => element.closest(".lines, .tree") === null)
      .filter(({ offsetWidth: width, offsetHeight: height, classList }) =>
        classList.contains("state") ? height > badge : width > 1 && width < narrow && height > lines,
      )
      .map((element) => element.textContent.slice(0, 60)),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    rows: Math.max(0, ...[...document.querySelectorAll("ul, ol, tbody")].map((list) => list.children.length)),
    diff: document.querySelector(".lines") !== null,
  }), [BADGE, NARROW, FEW_LINES]);
  const wrong = [];
  if (seen.wide !== 0) wrong.push(`${name} scrolls sideways by ${seen.wide}`);
  for (const text of seen.squeezed) wrong.push(`${name} squeezes “${text}”`);
  // Lines of a file are no list.
  if (!seen.diff && seen.rows > ROWS) wrong.push(`${name} has a list of ${seen.rows} rows`);
  // By evaluation: as a script of the page it would break the page's own policy.
  await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const found = await page.evaluate((options) => window.axe.run(options), options);
  for (const { id, help, nodes } of found.violations) {
    const at = nodes.slice(0, 3).map((node) => `${node.target.join(" ")}: ${node.failureSummary}`);
    wrong.push(`${name}: ${id}: ${help}: ${at.join("; ")}`);
  }
  return wrong;
}

/** What takes the focus by Tab and does not show that it has it. */
export async function tab(page, name) {
  const hidden = [];
  for (let presses = 0; presses < 400; presses += 1) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === document.body || element.dataset.seen) return undefined;
      element.dataset.seen = "yes";
      // The focus of a row is drawn around the row, by what its link lays over it.
      const drawn = [undefined, "::after"].map((part) => getComputedStyle(element, part));
      const visible = drawn.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
      return { visible, element: element.outerHTML.slice(0, 120) };
    });
    if (!at) break;
    if (!at.visible) hidden.push(at.element);
  }
  return hidden.map((element) => `${name}: focus that nobody sees: ${element}`);
}
