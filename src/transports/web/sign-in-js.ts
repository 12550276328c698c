import { RECENT_SIGN_IN } from "../../domain/accounts/people.ts";
import { REQUEST_TOO_OLD } from "./consent.ts";

/** Script of the pages that sign a person in and ask for consent: a password, a passkey, and the answer to an app. */
export const SIGN_IN_JS = `"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const status = byId("status");
  const say = (text, failed = false, again = false) => {
    status.textContent = text;
    status.toggleAttribute("data-failed", failed);
    if (!again) return;
    const link = document.createElement("a");
    link.href = "/sign-in" + (asks ? location.search : "?next=" + encodeURIComponent(location.pathname));
    link.textContent = "Sign in again";
    status.append(" ", link);
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
    const again = answer.reason === "${RECENT_SIGN_IN}" || answer.code === "SESSION_NOT_FRESH";
    const error = new Error(response.status === 429
      ? answer.detail ?? "Too many attempts. Wait a minute, then try again."
      : answer.code === "INVALID_EMAIL_OR_PASSWORD"
      ? "The name or the password is wrong."
      : again
      ? "This session began more than an hour ago."
      : body?.oauth_query && new URLSearchParams(query).get("exp") * 1000 < Date.now()
      ? "${REQUEST_TOO_OLD}"
      : answer.error_description ?? ([answer.detail, answer.hint].filter(Boolean).join(". ")
        || answer.message || "The server refused this."));
    throw Object.assign(error, { again });
  };
  const form = byId("password-form");
  const go = (answer) => { location.assign(answer.url ?? answer.redirect_uri ?? form?.dataset.next ?? "/"); };
  const attempt = async (button, task) => {
    button.disabled = true;
    say("One moment ...");
    try { await task(); } catch (error) { say(error.message, true, error.again); button.disabled = false; }
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

  const result = byId("result");
  const values = byId("result-value");
  // shows once what a change made; what changed without a result is seen on the page, loaded again
  const shown = ({ url, codes }, done) => {
    const made = codes?.join("\\n") ?? url;
    if (made === undefined) return reload(done);
    if (result === null) return location.assign(url);
    byId("result-about").textContent = done;
    values.textContent = made;
    result.hidden = false;
    say("");
    result.focus();
  };
  byId("result-done")?.addEventListener("click", () => location.reload());
  byId("result-copy")?.addEventListener("click", () => {
    getSelection().selectAllChildren(values);
    // a page at an address without https may not write the clipboard
    (navigator.clipboard?.writeText(values.textContent) ?? Promise.reject())
      .then(() => say("Copied."), () => say("Press Ctrl-C to copy the selected text."));
  });
  const sends = (button, { send: path, done }, body) => attempt(button, async () => {
    shown(await send(path, body()), done);
    button.disabled = false;
  });
  for (const button of document.querySelectorAll("button[data-send]")) {
    const { confirm, body } = button.dataset;
    const [label, name] = [button.textContent, button.ariaLabel];
    const call = (text, said) => { button.textContent = text; button.ariaLabel = said; };
    button.addEventListener("blur", () => call(label, name));
    button.addEventListener("click", () => {
      if (confirm && button.textContent !== confirm) return call(confirm, null);
      call(label, name);
      void sends(button, button.dataset, () => JSON.parse(body));
    });
  }
  for (const sent of document.querySelectorAll("form[data-send]"))
    sent.addEventListener("submit", (event) => {
      event.preventDefault();
      const filled = () => Object.fromEntries([...new FormData(sent)].filter(([, value]) => value !== ""));
      void sends(sent.querySelector("button"), sent.dataset, filled);
    });

  // an empty field is no limit; a field that is not shown stays as it is
  const limitsOf = ({ elements: { calls_daily: calls, live_usd_daily: usd } }) => ({
    calls_daily: calls.value === "" ? null : Number(calls.value),
    ...(usd && { live_usd_daily: usd.value === "" ? null : usd.value }),
  });
  for (const form of document.querySelectorAll("form[data-limits]"))
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void attempt(form.querySelector("button"), async () => {
        await send("/api/v1/sign-in/app-limits", { client_id: form.dataset.limits, ...limitsOf(form) });
        reload(form.dataset.done);
      });
    });
  const limits = byId("consent-limits");
  limits?.addEventListener("submit", (event) => event.preventDefault());

  for (const [id, accept] of [["allow", true], ["refuse", false]])
    byId(id)?.addEventListener("click", (event) =>
      void attempt(event.target, async () => {
        if (accept && !limits.reportValidity()) throw new Error("A limit is not valid.");
        go(await send("/auth/oauth2/consent",
          { accept, oauth_query: query, ...(accept && { limits: limitsOf(limits) }) }));
      }));
})();
`;
