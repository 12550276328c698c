import { describe, expect, it } from "vitest";
import type { Timeframe } from "../../../src/domain/market/bars.ts";
import { type ProviderBar, ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { liveHistory } from "../../../src/market/prices/history.ts";
import { type ChangeBars, fixed, fixedHistory } from "../../support/fixed-world.ts";
import { fakeProvider, settableClock, shortMemory } from "../../support/providers.ts";

const DAY = 86_400_000;
const apple = fixed("AAPL");
/** A first provider of the fixed world whose bars are changed by `change`, and a second, correct one. */
function setup({ change, now = "2025-12-03T15:42:30Z" }: { change?: ChangeBars; now?: string } = {}) {
  const clock = settableClock(now);
  const called: string[] = [];
  let failing: ProviderFailure | null = null;
  const provider = (name: string, spoil?: ChangeBars) => {
    const serve = fixedHistory(clock.at, spoil && { change: spoil });
    return fakeProvider(name, {
      clock,
      history: async (request) => {
        called.push(name);
        if (failing !== null) throw failing;
        return serve(request);
      },
    });
  };
  const guards = [provider("odd", change), provider("right")];
  const { memory, bars: stored } = shortMemory();
  const open = () => liveHistory({ chain: () => guards, memory, clock });
  const port = open();
  const request = (timeframe: Timeframe = "1d", limit = 400, from = port) =>
    from.history(apple, { timeframe, limit });
  const fail = (failure: ProviderFailure | null) => {
    failing = failure;
  };
  return { clock, called, stored, open, request, fail };
}

const tenfold: (bar: ProviderBar) => ProviderBar = ({ open, high, low, close, ...bar }) => ({
  ...bar,
  open: open! * 10,
  high: high! * 10,
  low: low! * 10,
  close: close! * 10,
});

describe("defective bars", () => {
  it.each<[string, ChangeBars]>([
    ["dated a day early", (bars) => bars.map((bar) => ({ ...bar, time: bar.time - DAY }))],
    ["dated a day late", (bars) => bars.map((bar) => ({ ...bar, time: bar.time + DAY }))],
    ["with a hole of a hundred sessions", (bars) => bars.filter((_, i) => i < 100 || i >= 200)],
    ["that end weeks ago", (bars) => bars.slice(0, -20)],
    ["not adjusted for a split", (bars) => [...bars.slice(0, 301).map(tenfold), ...bars.slice(301)]],
  ])("are replaced by the next provider's: %s", async (_, change) => {
    const { request, called } = setup({ change });
    const { source, bars, as_of } = await request();
    expect([source, bars.time.length, as_of]).toEqual(["right", 400, "2025-12-02T21:00:00.000Z"]);
    expect(called).toEqual(["odd", "right"]);
  });

  it("are returned with their own time if there are no better ones", async () => {
    const clock = settableClock("2025-12-03T15:42:30Z");
    const change: ChangeBars = (bars) => bars.slice(0, -40);
    const only = fakeProvider("only", { clock, history: fixedHistory(clock.at, { change }) });
    const { memory } = shortMemory();
    const alone = liveHistory({ chain: () => [only], memory, clock });
    const { as_of } = await alone.history(apple, { timeframe: "1d", limit: 5 });
    expect(Date.parse(as_of!)).toBeLessThan(Date.parse("2025-10-15T00:00:00Z"));
  });

  it("may lack hours of an illiquid stock", async () => {
    const { request } = setup({ change: (bars) => bars.filter((_, i) => i % 3 !== 0) });
    expect(await request("1h", 50)).toMatchObject({ source: "odd" });
  });
});

describe("bars of a provider with a short history", () => {
  function reaching() {
    const clock = settableClock("2025-12-03T15:42:30Z");
    const called: string[] = [];
    const serve = fixedHistory(clock.at);
    const provider = (name: string, days: number) =>
      fakeProvider(name, {
        clock,
        reaches: { "1d": days },
        history: async (request) => {
          called.push(name);
          return serve(request);
        },
      });
    const port = liveHistory({
      chain: () => [provider("short", 60), provider("long", Number.POSITIVE_INFINITY)],
      memory: shortMemory().memory,
      clock,
    });
    return { called, request: (limit: number) => port.history(apple, { timeframe: "1d", limit }) };
  }

  it("serve a short request, but not a longer one after it", async () => {
    const { called, request } = reaching();
    expect(await request(5)).toMatchObject({ source: "short" });
    const long = await request(300);
    expect([long.source, long.bars.time.length]).toEqual(["long", 300]);
    expect((await request(5)).source).toBe("long");
    expect(called).toEqual(["short", "long"]);
  });

  it("do not truncate a concurrent request", async () => {
    const { request } = reaching();
    const [short, long, longest] = await Promise.all([request(5), request(300), request(700)]);
    expect([short, long, longest].map(({ bars }) => bars.time.length)).toEqual([5, 300, 700]);
  });
});

describe("bars and clocks", () => {
  it("close by the provider's clock if ours is ahead", async () => {
    const clock = settableClock("2025-12-03T21:12:00Z"); // in truth 20:52, eight minutes before the close
    const truth = () => clock.at() - 20 * 60_000;
    const { memory } = shortMemory();
    const skewed = fakeProvider("skewed", { clock, history: fixedHistory(truth) });
    const guarded = { ...skewed, state: () => ({ ...skewed.state(), skewMs: -20 * 60_000 }) };
    const series = await liveHistory({ chain: () => [guarded], memory, clock }).history(apple, {
      timeframe: "1d",
      limit: 1,
    });
    expect(series).toMatchObject({ as_of: "2025-12-02T21:00:00.000Z" });
    expect(series.forming).not.toBeNull();
  });

  it("cached under a clock that was ahead are not returned", async () => {
    const { request, clock, stored, open, called } = setup();
    clock.move(DAY);
    await request();
    clock.move(-DAY);
    expect(stored.size).toBe(1);
    for (const from of [open(), undefined])
      expect(await request("1d", 400, from)).toMatchObject({
        as_of: "2025-12-02T21:00:00.000Z",
        origin: { served_from: "provider" },
      });
    expect(called).toHaveLength(3);
  });

  it("are requested again only after the provider can have seen the close", async () => {
    const { request, called, clock } = setup({ now: "2025-12-03T21:03:00Z" });
    for (let i = 0; i < 5; i++) {
      await request("1d", 5);
      clock.move(1_000);
    }
    expect(called).toHaveLength(1);
    clock.move(8 * 60_000);
    expect(await request("1d", 5)).toMatchObject({ as_of: "2025-12-03T21:00:00.000Z" });
  });

  it("aggregated from a shorter timeframe wait for the last part", async () => {
    const late: ChangeBars = (bars) => bars.slice(0, -2); // the hours from 14:30 and 15:30 New York
    const { request, clock } = setup({ change: late, now: "2025-12-03T21:00:10Z" });
    expect(await request("4h", 1)).toMatchObject({ as_of: "2025-12-03T18:30:00.000Z" });
    clock.move(2 * 3_600_000);
    expect(await request("4h", 1)).toMatchObject({ as_of: "2025-12-03T21:00:00.000Z" });
  });

  it("of an unlisted symbol are not requested every time", async () => {
    const { request, called, clock, fail } = setup();
    fail(new ProviderFailure("unknown_symbol", "no"));
    for (let i = 0; i < 5; i++) expect(await request()).toMatchObject({ as_of: null });
    expect(called).toHaveLength(2);
    clock.move(61_000);
    fail(null);
    expect(await request()).toMatchObject({ source: "odd" });
  });
});
