import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { HOME_JS } from "../../../src/transports/web/home-js.ts";

const QUIET = {
  ready: true,
  started_at: "2026-01-15T15:00:00.000Z",
  providers: [{ name: "files", healthy: false }],
  agent: null as object | null,
};

/** Minimal browser for the script, with manual timers and a configurable server response. */
function browser({ clipboard }: { readonly clipboard?: { writeText(text: string): Promise<void> } } = {}) {
  const element = () => ({ textContent: "", dataset: {} as Record<string, string> });
  const parts = Object.fromEntries(["ready", "since", "providers", "sign-text"].map((id) => [id, element()]));
  const sign = {
    on: false,
    classList: { toggle: (_: string, on: boolean) => void Object.assign(sign, { on }) },
  };
  const cards: unknown[] = [];
  const card = { replaceWith: (next: unknown) => void cards.push(next) };
  const code = { textContent: "npm start" };
  const names = { "aria-label": "Copy the command" };
  const button = {
    hidden: true,
    textContent: "Copy",
    parentElement: { querySelector: () => code },
    getAttribute: () => names["aria-label"],
    setAttribute: (_: string, name: string) => void Object.assign(names, { "aria-label": name }),
    click: async () => {},
    addEventListener: (_: string, click: () => Promise<void>) => void Object.assign(button, { click }),
  };
  const state = { hidden: false, now: 0, changed: () => {}, answer: (): object | null => QUIET };
  const timers = new Map<number, { readonly run: () => void; readonly ms: number }>();
  const requests: string[] = [];
  const selected: unknown[] = [];
  let last = 0;
  runInNewContext(HOME_JS, {
    document: {
      get hidden() {
        return state.hidden;
      },
      getElementById: (id: string) => ({ ...parts, sign, card })[id],
      querySelectorAll: () => [button],
      addEventListener: (_: string, changed: () => void) => void Object.assign(state, { changed }),
      adoptNode: (node: unknown) => node,
    },
    navigator: { clipboard },
    getSelection: () => ({ selectAllChildren: (node: unknown) => selected.push(node) }),
    AbortSignal: { timeout: () => undefined },
    Date: { now: () => state.now },
    DOMParser: class {
      parseFromString(text: string) {
        return { getElementById: () => `card of ${text}` };
      }
    },
    setTimeout: (run: (...args: unknown[]) => void, ms: number, ...args: unknown[]) => {
      timers.set(++last, { run: () => run(...args), ms });
      return last;
    },
    clearTimeout: (id: number) => timers.delete(id),
    fetch: async (path: string) => {
      requests.push(path);
      const body = state.answer();
      if (body === null) throw new TypeError("Failed to fetch");
      return { ok: true, json: async () => body, text: async () => path };
    },
  });
  const settle = () => new Promise((done) => setImmediate(done));
  /** Runs the only timer and returns its delay. */
  const wait = async () => {
    const [[id, { run, ms }]] = [...timers] as [[number, { run: () => void; ms: number }]];
    timers.delete(id);
    run();
    await settle();
    return ms;
  };
  return { state, timers, requests, selected, cards, parts, sign, button, names, code, settle, wait };
}

describe("the page's script", () => {
  it("polls every two seconds, and shows an agent's call", async () => {
    const { state, parts, sign, requests, settle, wait } = browser();
    await settle();
    expect([sign.on, parts["sign-text"]!.textContent]).toEqual([false, "Waiting for an agent's first call"]);
    expect(parts.providers!.textContent).toBe("files failing");
    state.answer = () => ({
      ...QUIET,
      ready: false,
      agent: { transport: "MCP", tool: "get_echo", at: "2026-01-15T15:00:07.123Z" },
    });
    expect(await wait()).toBe(2_000);
    expect([sign.on, parts["sign-text"]!.textContent]).toEqual([
      true,
      "Connected: get_echo over MCP, 2026-01-15 15:00:07 UTC",
    ]);
    expect(parts.ready).toMatchObject({ textContent: "shutting down", dataset: { ready: "false" } });
    expect(requests).toEqual(["/status", "/status"]);
  });

  it("polls less often while the server does not respond, and every two seconds again afterwards", async () => {
    const { state, parts, settle, wait } = browser();
    state.answer = () => null;
    await settle();
    const waits = [];
    for (let i = 0; i < 7; i++) waits.push(await wait());
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(parts.ready).toMatchObject({ textContent: "does not respond", dataset: { ready: "false" } });
    state.answer = () => QUIET;
    await wait();
    expect(await wait()).toBe(2_000);
    expect(parts.ready).toMatchObject({ textContent: "ready", dataset: { ready: "true" } });
  });

  it("does not poll while the tab is hidden, and polls at once when it becomes visible", async () => {
    const { state, timers, requests, settle } = browser();
    await settle();
    state.hidden = true;
    state.changed();
    await settle();
    expect([timers.size, requests.length]).toEqual([0, 1]);
    state.hidden = false;
    state.changed();
    state.changed();
    await settle();
    expect([timers.size, requests.length]).toEqual([1, 2]);
  });

  it("refreshes the card once a minute", async () => {
    const { state, requests, cards, settle, wait } = browser();
    await settle();
    state.now = 59_999;
    await wait();
    expect(cards).toEqual([]);
    state.now = 60_000;
    await wait();
    await wait();
    expect(cards).toEqual(["card of /"]);
    expect(requests.filter((path) => path === "/")).toHaveLength(1);
  });

  it("copies the text and shows the result for three seconds", async () => {
    const copied: string[] = [];
    const { button, names, timers, settle } = browser({
      clipboard: { writeText: async (text) => void copied.push(text) },
    });
    await settle();
    expect(button.hidden).toBe(false);
    await button.click();
    expect([copied, button.textContent, names["aria-label"]]).toEqual([["npm start"], "Copied", "Copied"]);
    for (const { run, ms } of [...timers.values()]) if (ms === 3_000) run();
    expect([button.textContent, names["aria-label"]]).toEqual(["Copy", "Copy the command"]);
  });

  it("selects the text when the browser has no clipboard", async () => {
    const { button, selected, code, settle } = browser();
    await settle();
    await button.click();
    expect([selected, button.textContent]).toEqual([[code], "Selected: copy it manually"]);
  });
});
