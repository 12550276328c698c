import { describe, expect, it } from "vitest";
import type { Timeframe } from "../../../src/domain/market/bars.ts";
import { type ProviderBar, ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { liveHistory } from "../../../src/market/prices/history.ts";
import { fixed, fixedWorld } from "../../support/fixed-world.ts";
import { fakeProvider, settableClock, shortMemory } from "../../support/providers.ts";

const DAY = 86_400_000;
const apple = fixed("AAPL");
type Spoil = (bars: readonly ProviderBar[]) => readonly ProviderBar[];

/** A first source that tells the fixed world as `spoil` has it, and a second one that tells it as it is. */
function stand({
  spoil = (bars) => bars,
  now = "2025-12-03T15:42:30Z",
}: {
  spoil?: Spoil;
  now?: string;
} = {}) {
  const clock = settableClock(now);
  const asked: string[] = [];
  let failing: ProviderFailure | null = null;
  const telling = (name: string, change: Spoil) =>
    fakeProvider(name, {
      clock,
      history: async ({ timeframe, from, until }) => {
        asked.push(name);
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
  const guards = [telling("odd", spoil), telling("right", (bars) => bars)];
  const { memory, bars: kept } = shortMemory();
  const open = () => liveHistory({ chain: () => guards, memory, clock });
  const port = open();
  const ask = (timeframe: Timeframe = "1d", limit = 400, from = port) =>
    from.history(apple, { timeframe, limit });
  return {
    clock,
    asked,
    kept,
    open,
    ask,
    fail: (failure: ProviderFailure | null) => {
      failing = failure;
    },
  };
}

describe("bars that another source knows better", () => {
  it.each<[string, Spoil]>([
    ["told a day early", (bars) => bars.map((bar) => ({ ...bar, time: bar.time - DAY }))],
    ["told a day late", (bars) => bars.map((bar) => ({ ...bar, time: bar.time + DAY }))],
    ["with a hole of a hundred sessions", (bars) => bars.filter((_, i) => i < 100 || i >= 200)],
    ["that end weeks ago", (bars) => bars.slice(0, -20)],
    [
      "that nobody adjusted for a split",
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
  ])("are not told: %s", async (_, spoil) => {
    const { ask, asked } = stand({ spoil });
    const { source: by, bars, as_of } = await ask();
    expect([by, bars.time.length, as_of]).toEqual(["right", 400, "2025-12-02T21:00:00.000Z"]);
    expect(asked).toEqual(["odd", "right"]);
  });

  it("are told where there are no better ones, with their own time", async () => {
    const { ask } = stand({ spoil: (bars) => bars.slice(0, -20) });
    const halved: Spoil = (bars) => bars.slice(0, -40);
    const worse = stand({ spoil: halved });
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

  it("may lack the hours of a thin stock", async () => {
    const { ask } = stand({ spoil: (bars) => bars.filter((_, i) => i % 3 !== 0) });
    expect(await ask("1h", 50)).toMatchObject({ source: "odd" });
  });
});

describe("bars of a source that does not reach far back", () => {
  function reaching() {
    const clock = settableClock("2025-12-03T15:42:30Z");
    const asked: string[] = [];
    const telling = (name: string, days: number) =>
      fakeProvider(name, {
        clock,
        reaches: { "1d": days },
        history: async ({ timeframe, from, until }) => {
          asked.push(name);
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
      chain: () => [telling("short", 60), telling("long", Number.POSITIVE_INFINITY)],
      memory: shortMemory().memory,
      clock,
    });
    return { asked, ask: (limit: number) => port.history(apple, { timeframe: "1d", limit }) };
  }

  it("answer a short question and not the long one after it", async () => {
    const { asked, ask } = reaching();
    expect(await ask(5)).toMatchObject({ source: "short" });
    const long = await ask(300);
    expect([long.source, long.bars.time.length]).toEqual(["long", 300]);
    expect((await ask(5)).source).toBe("long");
    expect(asked).toEqual(["short", "long"]);
  });

  it("do not shorten what somebody else asks for at the same time", async () => {
    const { ask } = reaching();
    const [short, long, longest] = await Promise.all([ask(5), ask(300), ask(700)]);
    expect([short, long, longest].map(({ bars }) => bars.time.length)).toEqual([5, 300, 700]);
  });
});

describe("bars and clocks", () => {
  it("are closed by the source's time where our clock is ahead", async () => {
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

  it("that a wrong clock kept for tomorrow are not told today", async () => {
    const { ask, clock, kept, open, asked } = stand();
    clock.move(DAY);
    await ask();
    clock.move(-DAY);
    expect(kept.size).toBe(1);
    for (const from of [open(), undefined])
      expect(await ask("1d", 400, from)).toMatchObject({
        as_of: "2025-12-02T21:00:00.000Z",
        origin: { kept: "asked" },
      });
    expect(asked).toHaveLength(3);
  });

  it("that close are asked for anew once the source can have seen it, and not at every question until then", async () => {
    const { ask, asked, clock } = stand({ now: "2025-12-03T21:03:00Z" });
    for (let i = 0; i < 5; i++) {
      await ask("1d", 5);
      clock.move(1_000);
    }
    expect(asked).toHaveLength(1);
    clock.move(8 * 60_000);
    expect(await ask("1d", 5)).toMatchObject({ as_of: "2025-12-03T21:00:00.000Z" });
  });

  it("made of shorter ones wait for the last of them", async () => {
    const late: Spoil = (bars) => bars.slice(0, -2); // the hours from 14:30 and 15:30 New York
    const { ask, clock } = stand({ spoil: late, now: "2025-12-03T21:00:10Z" });
    expect(await ask("4h", 1)).toMatchObject({ as_of: "2025-12-03T18:30:00.000Z" });
    clock.move(2 * 3_600_000);
    expect(await ask("4h", 1)).toMatchObject({ as_of: "2025-12-03T21:00:00.000Z" });
  });

  it("of what nobody lists are not asked for at every question", async () => {
    const { ask, asked, clock, fail } = stand();
    fail(new ProviderFailure("unknown_symbol", "no"));
    for (let i = 0; i < 5; i++) expect(await ask()).toMatchObject({ as_of: null });
    expect(asked).toHaveLength(2);
    clock.move(61_000);
    fail(null);
    expect(await ask()).toMatchObject({ source: "odd" });
  });
});
