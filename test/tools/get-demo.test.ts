import { describe, expect, it } from "vitest";
import { ODDS_BARS } from "../../src/analytics/odds/range-model.ts";
import { DemoCard } from "../../src/domain/signal/card.ts";
import { type Call, invoke } from "../../src/kernel/invoke.ts";
import { getDemo } from "../../tools/get-demo.ts";
import { getSignalCard } from "../../tools/get-signal-card.ts";
import { anonymous, NOW, pro, unavailable } from "../support/context.ts";
import { marketOf, smallMarket } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

/** A small market with a manual clock. */
function passing(symbol?: string) {
  let at = NOW.getTime();
  const { ports, requests } = smallMarket({ clock: { now: () => new Date(at) } });
  const market = { ...ports.market, ...(symbol !== undefined && { demo: symbol }) };
  const call = (over: Partial<Call> = {}) =>
    invoke(getDemo, {}, { ports: { ...ports, market }, principal: anonymous, transport: "test", ...over });
  /** Number of requests for the card's own bars. */
  const made = () => requests.filter(({ symbol, limit }) => symbol === "TSLA" && limit === ODDS_BARS).length;
  const pass = (ms: number): void => {
    at += ms;
  };
  return { ports: { ...ports, market }, call, made, pass };
}

describe("get_demo", () => {
  it("returns the card of the market's demo symbol to anonymous callers", async () => {
    const { ports, call } = passing("TSLA");
    const card = await invoke(
      getSignalCard,
      { symbol: "TSLA" },
      { ports, principal: pro, transport: "test" },
    );
    // event risk is only for callers with a key
    const { event_risk: _, ...data } = card.data;
    expect(await call()).toEqual({
      ok: true,
      symbol: "TSLA",
      data,
      refreshed_at: "2026-01-15T15:00:00.000Z",
      refresh_seconds: 60,
      label: "SAMPLE (simulated)",
    });
  });

  it("is open to anonymous callers, and matches the schema of the card", async () => {
    expect([getDemo.role, getDemo.plan]).toEqual(["demo", "open"]);
    expect(DemoCard.safeParse(await passing("TSLA").call()).error).toBeUndefined();
  });

  it("uses the market's first symbol by default", async () => {
    expect(await passing().call()).toMatchObject({ symbol: "AAPL" });
  });

  it("is computed once a minute", async () => {
    const { call, made, pass } = passing("TSLA");
    const first = await call();
    pass(59_999);
    expect(await call()).toEqual(first);
    expect(made()).toBe(1);
    pass(1);
    expect(await call()).toMatchObject({ refreshed_at: "2026-01-15T15:01:00.000Z" });
    expect(made()).toBe(2);
  });

  it("is computed once for concurrent callers", async () => {
    const { call, made } = passing("TSLA");
    const answers = await Promise.all(Array.from({ length: 20 }, () => call()));
    expect(made()).toBe(1);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it("continues for other callers when the first one cancels", async () => {
    const { call, made } = passing("TSLA");
    const leaving = new AbortController();
    const first = call({ signal: leaving.signal });
    const second = call();
    leaving.abort();
    await expect(first).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(second).resolves.toMatchObject({ symbol: "TSLA" });
    expect(made()).toBe(1);
  });

  it("does not cache a failure", async () => {
    const { ports, call } = passing("TSLA");
    const history = unavailable("No bars today");
    await expect(call({ ports: { ...ports, bars: { history } } })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    await expect(call()).resolves.toMatchObject({ ok: true });
  });

  it("fails with a hint when the market has no symbols", async () => {
    const { ports } = marketOf({ bars: {} });
    await expect(callerOf(getDemo, ports, anonymous)({})).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      hint: "The owner of the server sets DEMO_SYMBOL.",
    });
  });
});

toolContract(getDemo, { ports: smallMarket().ports });

describe("the demo when prices cost provider calls", () => {
  const live = (demoFor: "beforehand" | "never") => {
    const fixture = passing("TSLA");
    const market = { ...fixture.ports.market, demoFor };
    return {
      ...fixture,
      /** Computes the card in the background, from providers whose data may be shown to anyone. */
      prepare: (over: Partial<Call> = {}) => fixture.call({ principal: pro, ...over }),
      call: (over: Partial<Call> = {}) => fixture.call({ ports: { ...fixture.ports, market }, ...over }),
    };
  };

  it("returns the stored card to anonymous callers, however old, without a request", async () => {
    const { call, prepare, made, pass } = live("beforehand");
    await expect(call()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    expect(made()).toBe(0);
    const beforehand = await prepare();
    pass(3_600_000);
    expect(await call()).toEqual(beforehand);
    expect(made()).toBe(1);
  });

  it("keeps the stored card when a refresh fails", async () => {
    const { ports, call, prepare, pass } = live("beforehand");
    const beforehand = await prepare();
    pass(3_600_000);
    const failing = { ...ports, bars: { history: unavailable("No bars today") } };
    await expect(prepare({ ports: failing })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await call()).toEqual(beforehand);
  });

  it("never shows anonymous callers the card of a caller with a key, whose data may be licensed to the operator", async () => {
    const { call, prepare } = live("beforehand");
    await expect(call({ principal: pro })).resolves.toMatchObject({ symbol: "TSLA" });
    await expect(call()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    await prepare();
    await expect(call()).resolves.toMatchObject({ symbol: "TSLA" });
  });

  it("returns nothing to anonymous callers when no provider may be shown", async () => {
    const { call } = live("never");
    await call({ principal: pro });
    await expect(call()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  });
});
