/**
 * Script of the home page: enables the copy buttons, polls /status every 2 s and refreshes the card once a minute. A hidden
 * tab sends no requests. If the server does not respond, the polling interval grows to at most one minute.
 */
export const HOME_JS = `"use strict";
(() => {
  const OFTEN = 2000, SELDOM = 60000, CARD = 60000, PATIENCE = 10000;
  const byId = (id) => document.getElementById(id);
  const moment = (iso) => iso.slice(0, 10) + " " + iso.slice(11, 19) + " UTC";
  const put = (id, text) => { const at = byId(id); if (at.textContent !== text) at.textContent = text; };

  for (const button of document.querySelectorAll("button.copy")) {
    const code = button.parentElement.querySelector("code");
    const name = button.getAttribute("aria-label");
    let timer;
    const call = (text, spoken) => {
      button.textContent = text;
      button.setAttribute("aria-label", spoken);
    };
    const say = (text) => {
      call(text, text);
      clearTimeout(timer);
      timer = setTimeout(call, 3000, "Copy", name);
    };
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        say("Copied");
      } catch {
        getSelection().selectAllChildren(code);
        say("Selected: copy it now");
      }
    });
  }

  const get = async (path) => {
    const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer;
  };

  const show = ({ ready, started_at, providers, agent }) => {
    put("ready", ready ? "ready" : "shutting down");
    put("since", moment(started_at));
    put("providers", providers.map((one) => one.name + (one.healthy ? " answers" : " fails")).join(", ") || "no requests yet");
    byId("ready").dataset.ready = String(ready);
    byId("sign").classList.toggle("on", agent !== null);
    put("sign-text", agent === null
      ? "Waiting for an agent's first call"
      : "Connected: " + agent.tool + " over " + agent.transport + ", " + moment(agent.at));
  };

  const lost = () => {
    put("ready", "does not answer");
    byId("ready").dataset.ready = "false";
  };

  let drawn = Date.now();
  const renewCard = async () => {
    drawn = Date.now();
    const page = new DOMParser().parseFromString(await (await get("/")).text(), "text/html");
    const card = page.getElementById("card");
    if (card !== null) byId("card").replaceWith(document.adoptNode(card));
  };

  let wait = OFTEN, timer, asking = false;
  const ask = async () => {
    if (asking || document.hidden) return;
    asking = true;
    try {
      show(await (await get("/status")).json());
      wait = OFTEN;
      if (Date.now() - drawn >= CARD) await renewCard();
    } catch {
      lost();
      wait = Math.min(SELDOM, 2 * wait);
    }
    asking = false;
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(ask, wait);
  };
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    wait = OFTEN;
    ask();
  });
  ask();
})();
`;
