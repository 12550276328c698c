import { describe, expect, it } from "vitest";
import { DemoCard } from "../../src/domain/signal/card.ts";
import { type Call, invoke } from "../../src/kernel/invoke.ts";
import { getDemo } from "../../tools/get-demo.ts";
import { getSignalCard } from "../../tools/get-signal-card.ts";
import { anonymous, NOW, pro, unavailable } from "../support/context.ts";
import { marketOf, smallMarket } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

/** A small market whose time passes when told to. */
function passing(symbol?: string) {
  let at = NOW.getTime();
  const { ports, requests } = smallMarket({ clock: { now: () => new Date(at) } });
  const market = { ...ports.market, ...(symbol !== undefined && { demo: symbol }) };
  const call = (over: Partial<Call> = {}) =>
    invoke(getDemo, {}, { ports: { ...ports, market }, principal: anonymous, transport: "test", ...over });
  /** How often the card's own bars were asked for. */
  const made = () =>
    requests.filter(({ limit }) => limit === 500).filter((one) => one.symbol === "TSLA").length;
  const pass = (ms: number): void => {
    at += ms;
  };
  return { ports: { ...ports, market }, call, made, pass };
}

describe("get_demo", () => {
  it("shows the card of the market's demo symbol to anybody", async () => {
    const { ports, call } = passing("TSLA");
    const card = await invoke(getSignalCard, { sym: "TSLA" }, { ports, principal: pro, transport: "test" });
    // what lies ahead is asked for by whoever has a key
    const { event_risk: _, ...data } = card.data;
    expect(await call()).toEqual({
      ok: true,
      symbol: "TSLA",
      data,
      refreshed_at: "2026-01-15T15:00:00.000Z",
      refresh_seconds: 60,
    });
  });

  it("is what the first page shows to anybody without asking for anything", async () => {
    expect([getDemo.role, getDemo.plan]).toEqual(["demo", "open"]);
    expect(DemoCard.safeParse(await passing("TSLA").call()).error).toBeUndefined();
  });

  it("shows the market's first symbol where none is named", async () => {
    expect(await passing().call()).toMatchObject({ symbol: "AAPL" });
  });

  it("is made once a minute by the clock", async () => {
    const { call, made, pass } = passing("TSLA");
    const first = await call();
    pass(59_999);
    expect(await call()).toEqual(first);
    expect(made()).toBe(1);
    pass(1);
    expect(await call()).toMatchObject({ refreshed_at: "2026-01-15T15:01:00.000Z" });
    expect(made()).toBe(2);
  });

  it("is made once for all who ask at the same time", async () => {
    const { call, made } = passing("TSLA");
    const answers = await Promise.all(Array.from({ length: 20 }, () => call()));
    expect(made()).toBe(1);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it("does not depend on the patience of whoever asked first", async () => {
    const { call, made } = passing("TSLA");
    const leaving = new AbortController();
    const first = call({ signal: leaving.signal });
    const second = call();
    leaving.abort();
    await expect(first).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(second).resolves.toMatchObject({ symbol: "TSLA" });
    expect(made()).toBe(1);
  });

  it("does not keep a failure", async () => {
    const { ports, call } = passing("TSLA");
    const history = unavailable("No bars today");
    await expect(call({ ports: { ...ports, bars: { history } } })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    await expect(call()).resolves.toMatchObject({ ok: true });
  });

  it("says so where the market has no symbol at all", async () => {
    const { ports } = marketOf({ bars: {} });
    await expect(
      invoke(getDemo, {}, { ports, principal: anonymous, transport: "test" }),
    ).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      hint: "Set DEMO_SYMBOL.",
    });
  });
});

toolContract(getDemo, { ports: smallMarket().ports });

describe("the demo where prices cost calls", () => {
  const live = (demoFor: "beforehand" | "never") => {
    const fixture = passing("TSLA");
    const market = { ...fixture.ports.market, demoFor };
    return {
      ...fixture,
      call: (over: Partial<Call> = {}) => fixture.call({ ports: { ...fixture.ports, market }, ...over }),
    };
  };

  it("shows strangers what was made beforehand, however old, and asks for nothing", async () => {
    const { call, made, pass } = live("beforehand");
    await expect(call()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    expect(made()).toBe(0);
    const beforehand = await call({ principal: pro });
    pass(3_600_000);
    expect(await call()).toEqual(beforehand);
    expect(made()).toBe(1);
  });

  it("keeps what there was when making it anew fails", async () => {
    const { ports, call, pass } = live("beforehand");
    const beforehand = await call({ principal: pro });
    pass(3_600_000);
    const history = unavailable("No bars today");
    const failing = {
      ...ports,
      market: { ...ports.market, demoFor: "beforehand" as const },
      bars: { history },
    };
    await expect(call({ principal: pro, ports: failing })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await call()).toEqual(beforehand);
  });

  it("shows strangers nothing of prices that come by key", async () => {
    const { call } = live("never");
    await call({ principal: pro });
    await expect(call()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  });
});
