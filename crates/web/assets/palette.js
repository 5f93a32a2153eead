// The palette: the list of /go over the page one is on, asked for while one types.
const dialog = document.getElementById("palette");
const asked = dialog && find("input", dialog);
const found = document.getElementById("found");

function palette() {
  if (!dialog) return;
  asked.value = "";
  dialog.showModal();
  look();
}

// Only the answer to what stands there now is shown.
async function look() {
  const text = asked.value;
  const answer = await fetch(`/go?part&q=${encodeURIComponent(text)}`).catch(() => undefined);
  if (text !== asked.value) return;
  if (!answer?.ok || answer.redirected) return (found.textContent = "The server does not answer. Try again.");
  found.innerHTML = await answer.text();
}

// The arrows walk from where one types down the list and around; Enter there takes the first.
const links = () => [...found.querySelectorAll("a")];

function move(step) {
  const stops = [asked, ...links()];
  stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
}

let waiting;
asked?.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(look, 80);
});
dialog?.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const first = event.key === "Enter" && document.activeElement === asked && links()[0];
  if (!step && !first) return;
  event.preventDefault();
  if (step) move(step);
  else first.click();
});

// A dialog closes when one clicks beside it.
for (const open of document.querySelectorAll("dialog")) {
  open.addEventListener("click", (event) => event.target === open && open.close());
}
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-palette]")) return;
  event.preventDefault();
  palette();
});
