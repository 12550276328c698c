/**
 * Script of the home page: enables the copy buttons, polls /status every 2 s and refreshes the card once a minute. A
 * hidden tab sends no requests. If the server does not respond, the polling interval grows to at most one minute.
 */
export const HOME_JS = `"use strict";
(() => {
  const MIN_POLL_MS = 2000, MAX_POLL_MS = 60000, CARD_MS = 60000, TIMEOUT_MS = 10000;
  const byId = (id) => document.getElementById(id);
  const formatTime = (iso) => iso.slice(0, 10) + " " + iso.slice(11, 19) + " UTC";
  const put = (id, text) => { const element = byId(id); if (element.textContent !== text) element.textContent = text; };

  for (const button of document.querySelectorAll("button.copy")) {
    const code = button.parentElement.querySelector("code");
    const name = button.getAttribute("aria-label");
    let timer;
    const setLabel = (text, ariaLabel) => {
      button.textContent = text;
      button.setAttribute("aria-label", ariaLabel);
    };
    const showResult = (text) => {
      setLabel(text, text);
      clearTimeout(timer);
      timer = setTimeout(setLabel, 3000, "Copy", name);
    };
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        showResult("Copied");
      } catch {
        getSelection().selectAllChildren(code);
        showResult("Selected: copy it manually");
      }
    });
  }

  const get = async (path) => {
    const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(String(response.status));
    return response;
  };

  const show = ({ ready, started_at, providers, agent }) => {
    put("ready", ready ? "ready" : "shutting down");
    put("since", formatTime(started_at));
    put("providers", providers.map((provider) => provider.name + (provider.healthy ? " available" : " failing")).join(", ") || "no requests yet");
    byId("ready").dataset.ready = String(ready);
    byId("sign").classList.toggle("on", agent !== null);
    put("sign-text", agent === null
      ? "Waiting for an agent's first call"
      : "Connected: " + agent.tool + " over " + agent.transport + ", " + formatTime(agent.at));
  };

  const showUnavailable = () => {
    put("ready", "does not respond");
    byId("ready").dataset.ready = "false";
  };

  let refreshedAt = Date.now();
  const refreshCard = async () => {
    refreshedAt = Date.now();
    const page = new DOMParser().parseFromString(await (await get("/")).text(), "text/html");
    const card = page.getElementById("card");
    if (card !== null) byId("card").replaceWith(document.adoptNode(card));
  };

  let interval = MIN_POLL_MS, timer, isPolling = false;
  const poll = async () => {
    if (isPolling || document.hidden) return;
    isPolling = true;
    try {
      show(await (await get("/status")).json());
      interval = MIN_POLL_MS;
      if (Date.now() - refreshedAt >= CARD_MS) await refreshCard();
    } catch {
      showUnavailable();
      interval = Math.min(MAX_POLL_MS, 2 * interval);
    }
    isPolling = false;
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(poll, interval);
  };
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    interval = MIN_POLL_MS;
    poll();
  });
  poll();
})();
`;
