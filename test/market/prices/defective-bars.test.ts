import { describe, expect, it } from "vitest";
import type { Timeframe } from "../../../src/domain/market/bars.ts";
import { type ProviderBar, ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { liveHistory } from "../../../src/market/prices/history.ts";
import { fixed, fixedWorld } from "../../support/fixed-world.ts";
import { fakeProvider, settableClock, shortMemory } from "../../support/providers.ts";

const DAY = 86_400_000;
const apple = fixed("AAPL");
type Spoil = (bars: readonly ProviderBar[]) => readonly ProviderBar[];

/** A first provider of the fixed world changed by `spoil`, and a second one that is correct. */
function setup({
  spoil = (bars) => bars,
  now = "2025-12-03T15:42:30Z",
}: {
  spoil?: Spoil;
  now?: string;
} = {}) {
  const clock = settableClock(now);
  const called: string[] = [];
  let failing: ProviderFailure | null = null;
  const provider = (name: string, change: Spoil) =>
    fakeProvider(name, {
      clock,
      history: async ({ timeframe, from, until }) => {
        called.push(name);
        if (failing !== null) throw failing;
        const bars = fixedWorld(clock.at()).bars("AAPL", timeframe, { from, until });
        return {
          bars: change(bars),
          adjustment: "split",
          hours: "regular",
          volumeScope: "all_venues",
          venue: "US",
        };
      },
    });
  const guards = [provider("odd", spoil), provider("right", (bars) => bars)];
  const { memory, bars: stored } = shortMemory();
  const open = () => liveHistory({ chain: () => guards, memory, clock });
  const port = open();
  const ask = (timeframe: Timeframe = "1d", limit = 400, from = port) =>
    from.history(apple, { timeframe, limit });
  return {
    clock,
    called,
    stored,
    open,
    ask,
    fail: (failure: ProviderFailure | null) => {
      failing = failure;
    },
  };
}

describe("defective bars", () => {
  it.each<[string, Spoil]>([
    ["dated a day early", (bars) => bars.map((bar) => ({ ...bar, time: bar.time - DAY }))],
    ["dated a day late", (bars) => bars.map((bar) => ({ ...bar, time: bar.time + DAY }))],
    ["with a hole of a hundred sessions", (bars) => bars.filter((_, i) => i < 100 || i >= 200)],
    ["that end weeks ago", (bars) => bars.slice(0, -20)],
    [
      "not adjusted for a split",
      (bars) =>
        bars.map((bar, i) =>
          i > 300
            ? bar
            : {
                ...bar,
                open: bar.open! * 10,
                high: bar.high! * 10,
                low: bar.low! * 10,
                close: bar.close! * 10,
              },
        ),
    ],
  ])("are replaced by the next provider's: %s", async (_, spoil) => {
    const { ask, called } = setup({ spoil });
    const { source, bars, as_of } = await ask();
    expect([source, bars.time.length, as_of]).toEqual(["right", 400, "2025-12-02T21:00:00.000Z"]);
    expect(called).toEqual(["odd", "right"]);
  });

  it("are returned with their own time if there are no better ones", async () => {
    const { ask } = setup({ spoil: (bars) => bars.slice(0, -20) });
    const halved: Spoil = (bars) => bars.slice(0, -40);
    const worse = setup({ spoil: halved });
    expect((await ask()).source).toBe("right");
    const alone = liveHistory({
      chain: () => [
        fakeProvider("only", {
          clock: worse.clock,
          history: async ({ timeframe, from, until }) => ({
            bars: halved(fixedWorld(worse.clock.at()).bars("AAPL", timeframe, { from, until })),
            adjustment: "split",
            hours: "regular",
            volumeScope: "all_venues",
            venue: "US",
          }),
        }),
      ],
      memory: shortMemory().memory,
      clock: worse.clock,
    });
    const { as_of } = await alone.history(apple, { timeframe: "1d", limit: 5 });
    expect(Date.parse(as_of!)).toBeLessThan(Date.parse("2025-10-15T00:00:00Z"));
  });

  it("may lack hours of a thin stock", async () => {
    const { ask } = setup({ spoil: (bars) => bars.filter((_, i) => i % 3 !== 0) });
    expect(await ask("1h", 50)).toMatchObject({ source: "odd" });
  });
});

describe("bars of a provider with a short history", () => {
  function reaching() {
    const clock = settableClock("2025-12-03T15:42:30Z");
    const called: string[] = [];
    const provider = (name: string, days: number) =>
      fakeProvider(name, {
        clock,
        reaches: { "1d": days },
        history: async ({ timeframe, from, until }) => {
          called.push(name);
          return {
            bars: fixedWorld(clock.at()).bars("AAPL", timeframe, { from, until }),
            adjustment: "split",
            hours: "regular",
            volumeScope: "all_venues",
            venue: "US",
          };
        },
      });
    const port = liveHistory({
      chain: () => [provider("short", 60), provider("long", Number.POSITIVE_INFINITY)],
      memory: shortMemory().memory,
      clock,
    });
    return { called, ask: (limit: number) => port.history(apple, { timeframe: "1d", limit }) };
  }

  it("answer a short request but not a longer one after it", async () => {
    const { called, ask } = reaching();
    expect(await ask(5)).toMatchObject({ source: "short" });
    const long = await ask(300);
    expect([long.source, long.bars.time.length]).toEqual(["long", 300]);
    expect((await ask(5)).source).toBe("long");
    expect(called).toEqual(["short", "long"]);
  });

  it("do not shorten a concurrent request", async () => {
    const { ask } = reaching();
    const [short, long, longest] = await Promise.all([ask(5), ask(300), ask(700)]);
    expect([short, long, longest].map(({ bars }) => bars.time.length)).toEqual([5, 300, 700]);
  });
});

describe("bars and clocks", () => {
  it("close by the provider's clock if ours is ahead", async () => {
    const clock = settableClock("2025-12-03T21:12:00Z"); // in truth 20:52, eight minutes before the close
    const truth = () => clock.at() - 20 * 60_000;
    const { memory } = shortMemory();
    const skewed = fakeProvider("skewed", {
      clock,
      history: async ({ timeframe, from, until }) => ({
        bars: fixedWorld(truth()).bars("AAPL", timeframe, { from, until }),
        adjustment: "split",
        hours: "regular",
        volumeScope: "all_venues",
        venue: "US",
      }),
    });
    const guarded = { ...skewed, state: () => ({ ...skewed.state(), skewMs: -20 * 60_000 }) };
    const series = await liveHistory({ chain: () => [guarded], memory, clock }).history(apple, {
      timeframe: "1d",
      limit: 1,
    });
    expect(series).toMatchObject({ as_of: "2025-12-02T21:00:00.000Z" });
    expect(series.forming).not.toBeNull();
  });

  it("cached under a clock that was ahead are not returned", async () => {
    const { ask, clock, stored, open, called } = setup();
    clock.move(DAY);
    await ask();
    clock.move(-DAY);
    expect(stored.size).toBe(1);
    for (const from of [open(), undefined])
      expect(await ask("1d", 400, from)).toMatchObject({
        as_of: "2025-12-02T21:00:00.000Z",
        origin: { kept: "asked" },
      });
    expect(called).toHaveLength(3);
  });

  it("are requested again only once the provider can have seen the close", async () => {
    const { ask, called, clock } = setup({ now: "2025-12-03T21:03:00Z" });
    for (let i = 0; i < 5; i++) {
      await ask("1d", 5);
      clock.move(1_000);
    }
    expect(called).toHaveLength(1);
    clock.move(8 * 60_000);
    expect(await ask("1d", 5)).toMatchObject({ as_of: "2025-12-03T21:00:00.000Z" });
  });

  it("aggregated from shorter ones wait for the last part", async () => {
    const late: Spoil = (bars) => bars.slice(0, -2); // the hours from 14:30 and 15:30 New York
    const { ask, clock } = setup({ spoil: late, now: "2025-12-03T21:00:10Z" });
    expect(await ask("4h", 1)).toMatchObject({ as_of: "2025-12-03T18:30:00.000Z" });
    clock.move(2 * 3_600_000);
    expect(await ask("4h", 1)).toMatchObject({ as_of: "2025-12-03T21:00:00.000Z" });
  });

  it("of an unlisted symbol are not requested every time", async () => {
    const { ask, called, clock, fail } = setup();
    fail(new ProviderFailure("unknown_symbol", "no"));
    for (let i = 0; i < 5; i++) expect(await ask()).toMatchObject({ as_of: null });
    expect(called).toHaveLength(2);
    clock.move(61_000);
    fail(null);
    expect(await ask()).toMatchObject({ source: "odd" });
  });
});
