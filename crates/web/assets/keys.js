// Keys. Never while one types, and never while a dialog is open: it has keys of its own.
const typing = (element) => element.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");

// j and k walk a list, or the queue where a page has its buttons; the pages of a list are turned by its own.
function walk(step) {
  const neighbour = find(`a[data-step="${step}"]`);
  if (neighbour) return neighbour.click();
  const links = [...document.querySelectorAll("main [data-walk]")];
  const at = links.indexOf(here());
  const next = links[at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

// The link of the row that one is in; the row's own when something else in it has the focus.
function here() {
  const row = document.activeElement.closest("main li");
  return row && find("[data-walk]", row);
}

// In a queue a leads to Approve of the proposal that one is at, or of the first, where the browser gives the button the
// focus; on its page it goes to the button.
function approve() {
  const button = find("[data-key=a]");
  if (button) return button.focus();
  const row = here() ?? find("main [data-walk][href^='/approvals/']");
  if (row?.pathname.startsWith("/approvals/")) location.assign(`${row.pathname}#approve-it`);
}

function decline() {
  const fold = find("details[data-key=d]");
  if (!fold) return;
  fold.open = true;
  find("textarea", fold)?.focus();
}

function select() {
  const box = find("input[type=checkbox]", here()?.closest("li") ?? document.createElement("li"));
  box?.click();
}

const keys = {
  j: () => walk(1),
  k: () => walk(-1),
  a: approve,
  d: decline,
  x: select,
  "/": () => palette(),
  "?": () => document.getElementById("shortcuts").showModal(),
};

// g, and within two seconds the key of a page.
let gone = 0;
const going = (key) => Date.now() - gone < 2000 && find(`a[data-go="${CSS.escape(key)}"]`);

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.isComposing || find("dialog[open]")) return;
  if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    return palette();
  }
  if (event.ctrlKey || event.metaKey || typing(event.target)) return;
  const page = going(event.key);
  gone = event.key === "g" ? Date.now() : 0;
  const act = page ? () => page.click() : keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
