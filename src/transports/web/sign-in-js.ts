/** Script of the pages that sign a person in and ask for consent: a password, a passkey, and the answer to an app. */
export const SIGN_IN_JS = `"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const status = byId("status");
  const say = (text, failed = false) => {
    status.textContent = text;
    status.toggleAttribute("data-failed", failed);
  };
  // what a page says about itself after it was loaded again
  const reload = (text) => { history.replaceState({ said: text }, ""); location.reload(); };
  if (history.state?.said) {
    say(history.state.said);
    history.replaceState(null, "");
  }
  const query = location.search.slice(1);
  const asks = new URLSearchParams(query).has("client_id");

  const send = async (path, body) => {
    const response = await fetch(path, body === undefined ? {} : {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    throw new Error(response.status === 429
      ? answer.detail ?? "Too many attempts. Wait a minute, then try again."
      : answer.code === "INVALID_EMAIL_OR_PASSWORD"
      ? "The name or the password is wrong."
      : answer.code === "SESSION_NOT_FRESH"
      ? "Sign in again, then add the passkey."
      : answer.error_description ?? ([answer.detail, answer.hint].filter(Boolean).join(". ")
        || answer.message || "The server refused this."));
  };
  const form = byId("password-form");
  const go = (answer) => { location.assign(answer.url ?? answer.redirect_uri ?? form?.dataset.next ?? "/"); };
  const attempt = async (button, task) => {
    button.disabled = true;
    say("One moment ...");
    try { await task(); } catch (error) { say(error.message, true); button.disabled = false; }
  };

  const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const known = (list) => (list ?? []).map((entry) => ({ ...entry, id: bytes(entry.id) }));
  const credential = (key, response) =>
    ({ id: key.id, rawId: key.id, type: key.type, clientExtensionResults: {}, response });

  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const { name, password } = form.elements;
    const typed = name.value.trim().toLowerCase();
    void attempt(form.querySelector("button"), async () => go(await send("/auth/sign-in/email", {
      email: typed.includes("@") ? typed : typed + form.dataset.domain,
      password: password.value,
      ...(asks && { oauth_query: query }),
    })));
  });

  const passkey = byId("passkey");
  passkey?.addEventListener("click", () => void attempt(passkey, async () => {
    const options = await send("/auth/passkey/generate-authenticate-options");
    if (/^[\\d.]+$|^\\[/.test(location.hostname))
      throw new Error("Browsers keep passkeys for names only, not for this address. On the machine of the server open localhost.");
    const key = await navigator.credentials.get({ publicKey: {
      ...options, challenge: bytes(options.challenge), allowCredentials: known(options.allowCredentials),
    } });
    const { clientDataJSON, authenticatorData, signature, userHandle } = key.response;
    go(await send("/auth/passkey/verify-authentication", {
      response: credential(key, {
        clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData), signature: text(signature),
        ...(userHandle && { userHandle: text(userHandle) }),
      }),
      ...(asks && { oauth_query: query }),
    }));
  }));

  const setPassword = byId("set-password");
  setPassword?.addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt(setPassword.querySelector("button"), async () => {
      await send("/api/v1/sign-in/password", { password: setPassword.elements.password.value });
      reload(setPassword.dataset.done);
    });
  });

  const addPasskey = byId("add-passkey");
  addPasskey?.addEventListener("click", () => void attempt(addPasskey, async () => {
    const options = await send("/auth/passkey/generate-register-options");
    const key = await navigator.credentials.create({ publicKey: {
      ...options, challenge: bytes(options.challenge), user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: known(options.excludeCredentials),
    } });
    const { clientDataJSON, attestationObject } = key.response;
    await send("/auth/passkey/verify-registration", {
      response: credential(key, {
        clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject),
        transports: key.response.getTransports?.() ?? [],
      }),
      name: new Date().toISOString().slice(0, 10),
    });
    reload("The passkey is added.");
  }));

  // to the external issuer of identities
  for (const button of document.querySelectorAll("button[data-go]"))
    button.addEventListener("click", () => void attempt(button, async () => go(await send(
      button.dataset.go,
      "asks" in button.dataset ? { next: form.dataset.next, ...(asks && { oauth_query: query }) } : {},
    ))));

  for (const button of document.querySelectorAll("button[data-remove]"))
    button.addEventListener("click", () => void attempt(button, async () => {
      await send(button.dataset.remove, JSON.parse(button.dataset.body));
      reload(button.dataset.done);
    }));

  for (const [id, accept] of [["allow", true], ["refuse", false]])
    byId(id)?.addEventListener("click", (event) =>
      void attempt(event.target, async () => go(await send("/auth/oauth2/consent", { accept, oauth_query: query }))));
})();
`;
