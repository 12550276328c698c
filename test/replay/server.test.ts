import { describe, expect, it, onTestFinished } from "vitest";
import { FAULTS, type Fault, type FaultPlan, faultOf, latencyOf } from "./faults.ts";
import { NOTICE, type ReplayOptions } from "./replay.ts";
import { startReplay } from "./server.ts";
import { createWorld } from "./shared-world.ts";
import { json, type Vendor } from "./vendor.ts";

const NOW = Date.parse("2026-11-20T15:07:13.500Z");

/** Returns name and price for `/price/AAPL`, the price alone for `/figure/AAPL`. */
const acme: Vendor = {
  name: "acme",
  key: "sesame",
  latency: { p50: 80, p95: 400 },
  answer({ path, query, headers }, world) {
    if (headers.get("x-key") !== "sesame") return acme.unauthorised[0]!;
    const [, kind, symbol = query.get("symbol") ?? ""] = path.split("/");
    const price = world.trade(symbol)?.price;
    if (price === undefined) return json({ error: "unknown" }, 404);
    return json(kind === "figure" ? { price } : { symbol, price });
  },
  limits: [json({ error: "slow down" }), { status: 429, headers: { "retry-after": "7" }, body: "" }],
  unauthorised: [json({ error: "key" }, 401)],
  blocks: [{ status: 200, headers: { "content-type": "text/html" }, body: "<html>Are you human?</html>" }],
};
const other: Vendor = { ...acme, name: "other" };

async function replayOf(options: Partial<ReplayOptions> = {}) {
  const world = createWorld({ now: () => NOW });
  const replay = await startReplay({ world, vendors: [acme, other], ...options });
  onTestFinished(() => replay.close());
  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${replay.url("acme")}${path}`, { headers: { "x-key": "sesame" }, ...init });
  return { replay, world, get };
}
const only = (fault: Fault): { faults: FaultPlan } => ({ faults: { rate: 1, kinds: [fault] } });

describe("a replay", () => {
  it("responds over HTTP as the vendor does, by the clock of the world", async () => {
    const { get, world } = await replayOf({ skewMs: 90_000 });
    const answer = await get("/price/BRK%2EB");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("date")).toBe("Fri, 20 Nov 2026 15:08:43 GMT");
    expect(answer.headers.get("x-replay")).toBe("simulated prices");
    expect(await answer.json()).toEqual({ symbol: "BRK.B", price: world.trade("BRK.B")!.price });
    expect((await get("/price/ZZZZ")).status).toBe(404);
    expect((await get("/price/AAPL", { headers: {} })).status).toBe(401);
  });

  it("describes itself for a request to no vendor", async () => {
    const { replay, get } = await replayOf();
    const base = replay.url("acme").replace("/acme", "");
    for (const answer of [
      await fetch(base),
      await fetch(`${base}/unknown/x`),
      await get("/price/AAPL", { method: "POST" }),
    ]) {
      expect(answer.status).toBe(404);
      expect(await answer.text()).toBe(NOTICE);
    }
  });

  it("provides its addresses as settings of the program", async () => {
    const { replay } = await replayOf();
    expect(replay.url("acme")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/acme$/);
    expect(replay.env).toEqual({
      PROVIDER_URL_ACME: replay.url("acme"),
      PROVIDER_URL_OTHER: replay.url("other"),
    });
  });

  it("records every request by the clock of the world", async () => {
    const { replay, get } = await replayOf();
    await get("/price?symbol=AAPL");
    await get("/price/MSFT");
    expect(replay.calls()).toEqual({
      acme: [
        { at: NOW, path: "/price?symbol=AAPL", fault: null },
        { at: NOW, path: "/price/MSFT", fault: null },
      ],
      other: [],
    });
  });

  it("disconnects vendors that are off until the plan changes", async () => {
    const { replay, get } = await replayOf({ faults: { off: new Set(["acme"]) } });
    await expect(get("/price/AAPL")).rejects.toThrow("fetch failed");
    expect((await fetch(replay.url("other"))).status).toBe(401);
    replay.set({});
    expect((await get("/price/AAPL")).status).toBe(200);
    expect(replay.calls().acme!.map(({ fault }) => fault)).toEqual(["off", null]);
  });

  it("responds with each of the vendor's rate-limit responses", async () => {
    const { get } = await replayOf(only("rate_limit"));
    expect(await (await get("/price/AAPL")).json()).toEqual({ error: "slow down" });
    const second = await get("/price/AAPL");
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "7"]);
  });

  it("responds with server errors and with HTML pages instead of data", async () => {
    const { replay, get } = await replayOf(only("server_error"));
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await get("/price/AAPL")).status);
    expect(statuses).toEqual([500, 502, 503, 504]);
    replay.set(only("block").faults);
    expect(await (await get("/price/AAPL")).text()).toBe("<html>Are you human?</html>");
  });

  it("responds with invalid JSON, or with JSON in another format", async () => {
    const { get } = await replayOf(only("malformed"));
    const bodies = [];
    for (let i = 0; i < 4; i++) bodies.push(await (await get("/price/AAPL")).text());
    expect(bodies).toEqual([
      expect.stringMatching(/}{$/),
      expect.stringMatching(/^{"symbol/),
      "null",
      '"OK"',
    ]);
    for (const body of bodies.slice(0, 2)) expect(() => JSON.parse(body)).toThrow();
  });

  it("ends the response within the body, or before it", async () => {
    const { replay, get } = await replayOf(only("truncated"));
    const answer = await get("/price/AAPL");
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow("terminated");
    replay.set(only("reset").faults);
    await expect(get("/price/AAPL")).rejects.toThrow("fetch failed");
  });

  it("returns the correct response about another instrument", async () => {
    const { get, world } = await replayOf(only("wrong_symbol"));
    const bodyOf = async (path: string) => (await get(path)).json();
    const truth = (symbol: string) => ({ symbol, price: world.trade(symbol)!.price });
    expect(await bodyOf("/price/AAPL")).toEqual(truth("MSFT"));
    expect(await bodyOf("/price?symbol=MSFT")).toEqual(truth("AAPL"));
    expect(await bodyOf("/price/BTC-USD")).toEqual(truth("ETH-USD"));
  });

  it("returns malformed JSON instead if the response names no instrument", async () => {
    const { get } = await replayOf(only("wrong_symbol"));
    await expect((await get("/figure/AAPL")).json()).rejects.toThrow(SyntaxError);
  });

  it("never responds until the client disconnects or the hold time is over", async () => {
    const { get } = await replayOf({ ...only("timeout"), holdMs: 60_000 });
    await expect(get("/price/AAPL", { signal: AbortSignal.timeout(30) })).rejects.toThrow("timeout");
    const brief = await replayOf({ ...only("timeout"), holdMs: 1 });
    await expect(brief.get("/price/AAPL")).rejects.toThrow("fetch failed");
  });

  it("responds correctly but late when slow", async () => {
    const { get, world } = await replayOf({ ...only("slow"), slowMs: 1, latency: true });
    expect(await (await get("/price/AAPL")).json()).toEqual({
      symbol: "AAPL",
      price: world.trade("AAPL")!.price,
    });
  });
});

describe("faults", () => {
  const drawn = (plan: FaultPlan, vendor: string, seed: number) =>
    Array.from({ length: 1_000 }, (_, nth) => faultOf(plan, { vendor, path: "/", nth }, seed));

  it("depend only on seed, vendor and request number", () => {
    const first = drawn({ rate: 0.3 }, "acme", 1);
    expect(drawn({ rate: 0.3 }, "acme", 1)).toEqual(first);
    expect(drawn({ rate: 0.3 }, "other", 1)).not.toEqual(first);
    expect(drawn({ rate: 0.3 }, "acme", 2)).not.toEqual(first);
  });

  it("happen as often as planned, in every planned kind", () => {
    const faults = drawn({ rate: 0.3 }, "acme", 1);
    const share = faults.filter((fault) => fault !== null).length / faults.length;
    expect(share).toBeGreaterThan(0.26);
    expect(share).toBeLessThan(0.34);
    expect(new Set(faults)).toEqual(new Set([null, ...FAULTS]));
    expect(new Set(drawn({ rate: 1, kinds: ["slow", "reset"] }, "acme", 1))).toEqual(
      new Set(["slow", "reset"]),
    );
    expect(new Set(drawn({}, "acme", 1))).toEqual(new Set([null]));
  });

  it("can be chosen request by request", () => {
    const each: FaultPlan["each"] = ({ nth }) => (nth === 0 ? "reset" : nth === 1 ? null : undefined);
    const plan: FaultPlan = { rate: 1, kinds: ["slow"], each };
    expect(drawn(plan, "acme", 1).slice(0, 3)).toEqual(["reset", null, "slow"]);
  });

  it("have the latency distribution of the vendor", () => {
    const times = Array.from({ length: 4_001 }, (_, nth) => latencyOf(acme, nth, 1)).sort((a, b) => a - b);
    // within 10% of the vendor's 80 and 400 ms
    expect(Math.abs(times[2_000]! / 80 - 1)).toBeLessThan(0.1);
    expect(Math.abs(times[3_800]! / 400 - 1)).toBeLessThan(0.1);
  });
});
