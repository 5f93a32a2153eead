// What a page does by itself: copying, menus, fresh times, the set-up link. Everything works without it.
const find = (selector, from = document) => from.querySelector(selector);

// Where the navigation is a line that moves sideways, the present page is in sight.
find(".nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

// Copy: to the clipboard where the browser allows it, else by selecting the text.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection().selectAllChildren(source);
    document.execCommand("copy");
  }
  button.classList.add("copied");
  setTimeout(() => button.classList.remove("copied"), 1600);
});

// A menu closes when one clicks elsewhere or presses Escape.
const menus = () => document.querySelectorAll("details.menu[open]");
document.addEventListener("click", (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    menu.open = false;
    find("summary", menu).focus();
  }
});

// Times: the same words as the server's, kept fresh.
function near(seconds) {
  const far = Math.abs(seconds);
  if (far < 45) return seconds > 0 ? "in a moment" : "just now";
  const words =
    far < 3570 ? `${Math.floor((far + 30) / 60)} min` : far < 129600 ? `${Math.floor((far + 1800) / 3600)} h` : `${Math.floor((far + 43200) / 86400)} d`;
  return seconds > 0 ? `in ${words}` : `${words} ago`;
}

setInterval(() => {
  for (const time of document.querySelectorAll("time[data-near]")) {
    const seconds = Math.floor((Date.parse(time.dateTime) - Date.now()) / 1000);
    if (Math.abs(seconds) < 2600000) time.textContent = near(seconds);
  }
}, 20000);

// One press, one request: a second click on a form under way does nothing.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) return event.preventDefault();
  event.target.dataset.sent = "yes";
});
addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));

// The link of a set-up or of an invitation carries its code after the #, where no server and no log sees it.
const code = document.getElementById("token");
if (code && location.hash.length > 1) {
  code.value = decodeURIComponent(location.hash.slice(1));
  code.closest(".field").hidden = true;
  history.replaceState(null, "", location.pathname);
  if ("goesOn" in code.form.dataset) code.form.requestSubmit();
}

// The short name of a workspace follows its name until one writes it oneself.
const slug = document.getElementById("workspace_slug");
const name = document.getElementById("workspace_name");
if (slug && name) {
  let own = slug.value !== "";
  slug.addEventListener("input", () => (own = true));
  name.addEventListener("input", () => {
    if (own) return;
    slug.value = name.value.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);
  });
}

// An address that names a fold opens it.
function open() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") target.open = true;
}
addEventListener("hashchange", open);
open();
