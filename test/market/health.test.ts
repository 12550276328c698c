import { describe, expect, it } from "vitest";
import { type ErrorCode, ToolError } from "../../src/kernel/errors.ts";
import { createHealth } from "../../src/market/health.ts";
import { climbingBars, directoryOf, fixedBars, fixedQuotes, quote } from "../support/market.ts";

const aapl = directoryOf(["AAPL"]).members()[0]!;

/** Monitored providers on a clock that moves 20 ms each time it is read. */
function setup() {
  let at = 0;
  const now = () => {
    at += 20;
    return new Date(at);
  };
  const health = createHealth({ now });
  const failing = (error: unknown) => health.quotes("quotes", { latest: () => Promise.reject(error) });
  return { ...health, failing, report: () => health.providerHealth.current() };
}

describe("health", () => {
  it("omits a provider that was never called", () => {
    const { quotes, bars, report } = setup();
    quotes("one", fixedQuotes({ AAPL: quote() }));
    bars("two", fixedBars({ bars: {} }).bars);
    expect(report()).toEqual([]);
  });

  it("returns responses and measures their latency", async () => {
    const { quotes, bars, report } = setup();
    const latest = await quotes("one", fixedQuotes({ AAPL: quote() })).latest(aapl);
    expect(latest.price).toBe(182.5);
    const history = bars("two", fixedBars({ bars: { AAPL: climbingBars() } }).bars).history;
    expect((await history(aapl, { timeframe: "1d", limit: 2 })).bars.time).toHaveLength(2);
    expect(report()).toEqual([
      { name: "one", healthy: true, latency_ms: 20, answering: true },
      { name: "two", healthy: true, latency_ms: 20, answering: true },
    ]);
  });

  it.each<[ErrorCode, boolean]>([
    ["NO_PRICE", true],
    ["UNKNOWN_SYMBOL", true],
    ["NOT_ENOUGH_DATA", true],
    ["CANCELLED", true],
    ["UPSTREAM_UNAVAILABLE", false],
    ["DEADLINE", false],
    ["INTERNAL", false],
  ])("rethrows %s, which leaves healthy %o", async (code, healthy) => {
    const { failing, report } = setup();
    const error = new ToolError(code, "No");
    await expect(failing(error).latest(aapl)).rejects.toBe(error);
    expect(report()).toMatchObject([{ name: "quotes", healthy }]);
  });

  it("counts an unknown error as a failure", async () => {
    const { failing, report } = setup();
    await expect(failing(new TypeError("no route")).latest(aapl)).rejects.toThrow("no route");
    expect(report()).toMatchObject([{ healthy: false }]);
  });

  it("combines the ports of one provider", async () => {
    const { failing, bars, report } = setup();
    await failing(new Error("down"))
      .latest(aapl)
      .catch(() => {});
    const { history } = bars("quotes", fixedBars({ bars: {} }).bars);
    await history(aapl, { timeframe: "1d", limit: 1 });
    expect(report()).toEqual([{ name: "quotes", healthy: false, latency_ms: 20, answering: true }]);
  });

  it("reports a failure for a minute despite later successes", async () => {
    let at = 0;
    const health = createHealth({ now: () => new Date(at) });
    const one = health.quotes("one", fixedQuotes({ AAPL: quote() }));
    const broken = health.quotes("one", {
      latest: () => Promise.reject(new ToolError("NOT_CONNECTED", "No")),
    });
    await expect(broken.latest(aapl)).rejects.toThrow();
    await one.latest(aapl);
    at = 59_999;
    expect(health.providerHealth.current()).toMatchObject([{ healthy: false }]);
    at = 60_000;
    expect(health.providerHealth.current()).toMatchObject([{ healthy: true }]);
  });
});
