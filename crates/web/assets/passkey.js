// Passkeys. Where the browser has them, their buttons show; one asks the server what to ask the browser, and sends its
// form with the answer. The address to ask at is the button's `data-passkey`.
const passkeys = globalThis.PublicKeyCredential;

const call = {
  create: async (asked) => navigator.credentials.create({ publicKey: passkeys.parseCreationOptionsFromJSON(asked) }),
  get: async (asked) => navigator.credentials.get({ publicKey: passkeys.parseRequestOptionsFromJSON(asked) }),
};

const failures = {
  NotAllowedError: "No passkey was used: it was cancelled, or took too long.",
  InvalidStateError: "This device or provider has a passkey of yours already.",
  SecurityError: "The browser has no passkeys at this address. Open the app at its public address.",
};

async function ask(button) {
  const csrf = button.form.elements.csrf.value;
  const answer = await fetch(button.dataset.passkey, { method: "POST", body: new URLSearchParams({ csrf }) });
  if (answer.ok) return answer.json();
  const problem = await answer.json().catch(() => null);
  throw new Error(problem ? `${problem.detail} ${problem.next_action}` : "Load the page again, then repeat the step.");
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-passkey]");
  if (!button || !passkeys) return;
  event.preventDefault();
  if (button.dataset.asking || (!button.formNoValidate && !button.form.reportValidity())) return;
  button.dataset.asking = "yes";
  const says = button.form.querySelector("[data-passkey-says]");
  says.hidden = true;
  try {
    const credential = await call[button.dataset.call](await ask(button));
    button.form.elements.credential.value = JSON.stringify(credential.toJSON());
    button.form.requestSubmit(button);
  } catch (error) {
    says.textContent = failures[error.name] ?? error.message;
    says.hidden = false;
  } finally {
    delete button.dataset.asking;
  }
});

if (passkeys?.parseCreationOptionsFromJSON && passkeys?.parseRequestOptionsFromJSON) {
  for (const hidden of document.querySelectorAll("[data-passkeys][hidden]")) hidden.hidden = false;
}
