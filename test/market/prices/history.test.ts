import { describe, expect, it, vi } from "vitest";
import { type BarTimeframe, barRows } from "../../../src/domain/market/bars.ts";
import {
  type PriceProvider,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../../src/domain/providers/price-provider.ts";
import { liveHistory } from "../../../src/market/prices/history.ts";
import { type ChangeBars, fixed, fixedHistory, fixedWorld } from "../../support/fixed-world.ts";
import { fakeProvider, providerBars, settableClock, shortMemory } from "../../support/providers.ts";

const apple = fixed("AAPL");
const bitcoin = fixed("BTC-USD");

/** Providers of the fixed world on a settable clock; each can be made to fail. */
function setup({
  names = ["one", "two"],
  now = "2025-12-03T15:42:30Z",
  facts = {},
}: {
  readonly names?: readonly string[];
  readonly now?: string;
  readonly facts?: Readonly<Record<string, Partial<Omit<PriceProvider, "latest" | "history">>>>;
} = {}) {
  const clock = settableClock(now);
  const failing = new Map<string, ProviderFailure>();
  const calls: { readonly name: string; readonly request: ProviderBarsRequest }[] = [];
  const serve = fixedHistory(clock.at, { symbol: () => requested.symbol });
  const guards = names.map((name) =>
    fakeProvider(name, {
      clock,
      history: async (sent) => {
        calls.push({ name, request: sent });
        const failure = failing.get(name);
        if (failure !== undefined) throw failure;
        return serve(sent);
      },
      ...facts[name],
    }),
  );
  let requested = apple;
  const cache = shortMemory();
  const open = () => liveHistory({ chain: () => guards, memory: cache.memory, clock });
  const port = open();
  const request = (timeframe: BarTimeframe, limit: number, asOf?: number, of = apple, from = port) => {
    requested = of;
    return from.history(of, { timeframe, limit, ...(asOf !== undefined && { asOf }) });
  };
  return { ...cache, clock, failing, calls, request, open };
}

const RATE = new ProviderFailure("rate_limited", "no", { retryAfterMs: 0 });

describe("live bars", () => {
  it("are the newest closed ones, with the forming bar separate and their provenance", async () => {
    const { request } = setup();
    const { bars, forming, ...rest } = await request("1d", 3);
    // The bar of Wednesday 3 December is still forming; the previous Thursday was Thanksgiving.
    const days = Array.from(bars.time, (time) => new Date(time).toISOString().slice(0, 10));
    expect(days).toEqual(["2025-11-28", "2025-12-01", "2025-12-02"]);
    expect(new Date(forming!.time).toISOString()).toBe("2025-12-03T00:00:00.000Z");
    expect(rest).toMatchObject({
      source: "one",
      venue: "US",
      adjustment: "split",
      as_of: "2025-12-02T21:00:00.000Z",
      origin: {
        fetched_at: "2025-12-03T15:42:30.000Z",
        session: "regular",
        stale: false,
        served_from: "provider",
        volume_unit: "shares",
        volume_scope: "all_venues",
      },
    });
  });

  it("of minutes are fetched for the sessions that hold the requested number", async () => {
    const clock = settableClock("2025-12-03T15:42:30Z");
    const calls: ProviderBarsRequest[] = [];
    const minute = (time: string, close: number) => ({
      time: Date.parse(time),
      open: close,
      high: close + 1,
      low: close - 1,
      close,
      volume: 10,
    });
    const provider = fakeProvider("one", {
      clock,
      reaches: { "1m": 7 },
      history: async (request) => {
        calls.push(request);
        const rows = [
          minute("2025-12-02T20:59:00Z", 100),
          minute("2025-12-02T21:00:00Z", 999), // after the close
          minute("2025-12-03T15:41:00Z", 101),
          minute("2025-12-03T15:42:00Z", 102),
        ];
        return providerBars(rows);
      },
    });
    const port = liveHistory({ chain: () => [provider], memory: shortMemory().memory, clock });
    const { bars, forming, as_of } = await port.history(apple, { timeframe: "1m", limit: 391 });
    expect([...bars.close]).toEqual([100, 101]);
    expect(forming).toMatchObject({ close: 102 });
    expect(as_of).toBe("2025-12-03T15:42:00.000Z");
    // by hand: up to 510 minutes are fetched, which need two sessions, plus one
    expect(calls.map(({ timeframe, from }) => [timeframe, new Date(from).toISOString()])).toEqual([
      ["1m", "2025-12-01T00:00:00.000Z"],
    ]);
  });

  it("of weeks are built from daily bars, and close with the last session of the week", async () => {
    const { request, calls } = setup();
    const { bars, forming, as_of } = await request("1w", 2);
    const daily = (await request("1d", 10)).bars;
    const rows = barRows(daily);
    // By hand: Thanksgiving 2025-11-27 has no session; Friday 2025-11-28 closes at 13:00 New York time.
    const week = (from: number, to: number, time: string) => {
      const own = rows.slice(from, to);
      return {
        time: Date.parse(time),
        open: own[0]!.open,
        high: Math.max(...own.map(({ high }) => high)),
        low: Math.min(...own.map(({ low }) => low)),
        close: own.at(-1)!.close,
        volume: own.reduce((sum, { volume }) => sum + volume, 0),
      };
    };
    const dates = rows.map(({ time }) => new Date(time).toISOString().slice(5, 10));
    expect(dates).toEqual([
      "11-18",
      "11-19",
      "11-20",
      "11-21",
      "11-24",
      "11-25",
      "11-26",
      "11-28",
      "12-01",
      "12-02",
    ]);
    expect(barRows(bars)[1]).toEqual(week(4, 8, "2025-11-24"));
    expect(bars.time[0]).toBe(Date.parse("2025-11-17"));
    expect(as_of).toBe("2025-11-28T18:00:00.000Z");
    expect(forming).toMatchObject({ time: Date.parse("2025-12-01"), open: rows[8]!.open });
    expect(calls.map(({ request: sent }) => sent.timeframe)).toEqual(["1d", "1d"]);
    expect(new Date(calls[0]!.request.from).getUTCDay()).toBe(1);
  });

  it("of weeks never contain anything later than the requested time", async () => {
    const { request } = setup();
    const before = await request("1w", 1, Date.parse("2025-11-28T17:59:59Z"));
    expect(before).toMatchObject({ as_of: "2025-11-21T21:00:00.000Z", forming: null });
    const after = await request("1w", 1, Date.parse("2025-11-28T18:00:00Z"));
    expect(after.as_of).toBe("2025-11-28T18:00:00.000Z");
    expect(after.bars.time[0]).toBe(Date.parse("2025-11-24"));
    const all = await request("1w", 2);
    expect(barRows(all.bars).slice(0, 1)).toEqual(barRows(before.bars));
    expect(barRows(all.bars).slice(1)).toEqual(barRows(after.bars));
  });

  it("of weeks omit a week whose last day is not published yet", async () => {
    // Friday's bar is final ten minutes after the close
    const late = setup({ now: "2025-12-05T21:05:00Z" });
    expect((await late.request("1w", 1)).as_of).toBe("2025-11-28T18:00:00.000Z");
    const settled = setup({ now: "2025-12-05T21:10:00Z" });
    expect((await settled.request("1w", 1)).as_of).toBe("2025-12-05T21:00:00.000Z");
  });

  it("of weeks of a token last from Monday to Sunday", async () => {
    const { request } = setup();
    const { bars, as_of } = await request("1w", 1, undefined, bitcoin);
    expect(new Date(bars.time[0]!).toISOString()).toBe("2025-11-24T00:00:00.000Z");
    expect(as_of).toBe("2025-12-01T00:00:00.000Z");
  });

  it("are cached until a minute passes or a bar closes", async () => {
    const { request, calls, clock } = setup();
    await request("1h", 5);
    clock.move(59_000);
    expect((await request("1h", 400)).origin).toMatchObject({ served_from: "memory" });
    expect(calls).toHaveLength(1);
    clock.move(1_000);
    await request("1h", 5);
    expect(calls).toHaveLength(2);
    clock.move(Date.parse("2025-12-03T16:29:50Z") - clock.at());
    await request("1h", 5);
    clock.move(15_000); // the hour from 15:30 has closed and settled
    const { as_of } = await request("1h", 5);
    expect(calls).toHaveLength(4);
    expect(as_of).toBe("2025-12-03T16:30:00.000Z");
  });

  it("show a daily bar as closed only after it has settled", async () => {
    const { request, clock } = setup({ now: "2025-12-03T21:05:00Z" });
    expect(await request("1d", 1)).toMatchObject({ as_of: "2025-12-02T21:00:00.000Z" });
    clock.move(16 * 60_000);
    expect(await request("1d", 1)).toMatchObject({ as_of: "2025-12-03T21:00:00.000Z", forming: null });
  });

  it("close a delayed provider's bar only when the provider has seen its end", async () => {
    const { request, clock } = setup({
      now: "2025-12-03T16:35:00Z",
      facts: { one: { barDelayMinutes: 16 } },
    });
    expect(await request("1h", 1)).toMatchObject({ as_of: "2025-12-03T15:30:00.000Z" });
    clock.move(12 * 60_000);
    expect(await request("1h", 1)).toMatchObject({ as_of: "2025-12-03T16:30:00.000Z" });
  });

  it("as of a past time contain nothing later, and come from the cache if it reaches back far enough", async () => {
    const { request, calls } = setup();
    const asOf = Date.parse("2025-11-28T17:59:59Z"); // a second before the half day's close
    expect(await request("1d", 2, asOf)).toMatchObject({ as_of: "2025-11-26T21:00:00.000Z", forming: null });
    expect(await request("1d", 2, asOf + 1_000)).toMatchObject({ as_of: "2025-11-28T18:00:00.000Z" });
    expect(calls).toHaveLength(1);
    const old = Date.parse("2023-06-30T20:00:00Z");
    expect(await request("1d", 400, old)).toMatchObject({ as_of: "2023-06-30T20:00:00.000Z" });
    expect(calls.at(-1)!.request.until).toBe(old);
    await request("1d", 400, old);
    expect(calls).toHaveLength(2);
  });

  it("as of a past time come from bars that were fetched after it, for twelve hours", async () => {
    const { request, calls, clock } = setup();
    const asOf = Date.parse("2025-12-02T21:00:00Z");
    const first = await request("1d", 3, asOf);
    clock.move(11 * 3_600_000);
    expect((await request("1d", 3, asOf)).bars).toEqual(first.bars);
    expect(calls).toHaveLength(1);
    await request("1d", 3);
    expect(calls).toHaveLength(2);
    clock.move(13 * 3_600_000);
    await request("1d", 3, asOf);
    expect(calls).toHaveLength(3);
  });

  it("are aggregated on session boundaries, 09:30 and 13:30, if a provider lacks the timeframe", async () => {
    const { request, calls } = setup();
    const { bars } = await request("4h", 2);
    expect(calls[0]!.request.timeframe).toBe("1h");
    expect(Array.from(bars.time, (time) => new Date(time).toISOString())).toEqual([
      "2025-12-02T14:30:00.000Z",
      "2025-12-02T18:30:00.000Z",
    ]);
    const [truth] = fixedWorld().bars("AAPL", "4h", { from: bars.time[0]!, until: bars.time[0]! });
    expect(barRows(bars)[0]).toEqual(truth);
  });

  it("come first from providers that have the timeframe and reach far enough back", async () => {
    const reaches = { "1d": Infinity, "4h": 700 } as const;
    const { request, calls } = setup({ facts: { two: { reaches } } });
    expect(await request("4h", 5)).toMatchObject({ source: "two" });
    const short = setup({ facts: { one: { reaches: { "1d": 30 } } } });
    expect(await short.request("1d", 500)).toMatchObject({ source: "two" });
    expect(await short.request("1d", 10, undefined, fixed("SPY"))).toMatchObject({ source: "one" });
    short.failing.set("two", RATE);
    // Few bars are better than none.
    expect((await short.request("1d", 500, undefined, fixed("BRK.B"))).bars.time).toHaveLength(20);
    expect(calls).toHaveLength(1);
  });

  it("contain 501 closed bars in every timeframe", async () => {
    for (const [of, timeframe] of [
      [apple, "1d"],
      [apple, "1h"],
      [apple, "4h"],
      [bitcoin, "4h"],
      [bitcoin, "1h"],
    ] as const) {
      const { bars } = await setup().request(timeframe, 501, undefined, of);
      expect(bars.time, `${of.symbol} ${timeframe}`).toHaveLength(501);
    }
  });

  it("come from the next provider if one fails, and are the cached ones as stale if all fail", async () => {
    const { request, failing, clock, open } = setup();
    failing.set("one", RATE);
    expect(await request("1d", 3)).toMatchObject({ source: "two", origin: { stale: false } });
    failing.set("two", RATE);
    clock.move(3_600_000);
    for (const [from, served_from] of [
      [undefined, "memory"],
      [open(), "store"],
    ] as const)
      expect(await request("1d", 3, undefined, apple, from)).toMatchObject({
        as_of: "2025-12-02T21:00:00.000Z",
        forming: null,
        origin: {
          stale: true,
          ...(served_from === "store" && { served_from }),
          fetched_at: "2025-12-03T15:42:30.000Z",
        },
      });
    await expect(request("1h", 3)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("name the rows left out, after the newest bar too, but none after a past time", async () => {
    const clock = settableClock("2025-11-30T15:00:00Z"); // a Sunday
    const saturday = Date.parse("2025-11-29");
    const change: ChangeBars = (bars) => [...bars, { ...bars.at(-1)!, time: saturday }];
    const odd = fakeProvider("odd", { clock, history: fixedHistory(clock.at, { change }) });
    const port = liveHistory({ chain: () => [odd], memory: shortMemory().memory, clock });
    const omittedAt = async (asOf?: number) =>
      (await port.history(apple, { timeframe: "1d", limit: 3, ...(asOf !== undefined && { asOf }) })).omitted;
    expect(await omittedAt()).toEqual([{ time: saturday, reason: "no_session" }]);
    expect(await omittedAt(saturday)).toEqual([]);
  });

  it("are empty if no provider knows the symbol", async () => {
    const { request, failing } = setup();
    for (const name of ["one", "two"]) failing.set(name, new ProviderFailure("unknown_symbol", "no"));
    expect(await request("1d", 3)).toMatchObject({ as_of: null, source: "none" });
  });

  it("are never malformed: the next provider is called instead", async () => {
    const clock = settableClock("2025-12-03T15:42:30Z");
    const provider = (name: string, factor: number) => {
      const change: ChangeBars = (bars) => bars.map((bar) => ({ ...bar, high: bar.high! * factor }));
      return fakeProvider(name, { clock, history: fixedHistory(clock.at, { change }) });
    };
    const { memory } = shortMemory();
    const chain = () => [provider("wrong", 0.5), provider("right", 1)];
    const series = await liveHistory({ chain, memory, clock }).history(apple, { timeframe: "1d", limit: 3 });
    expect(series).toMatchObject({ source: "right", origin: { tried: [{ outcome: "malformed" }, {}] } });
  });
});

it("fetches up to the current time after waiting for a shared fetch that covers too little", async () => {
  const clock = settableClock("2025-12-03T16:29:00Z");
  const serve = fixedHistory(clock.at, { symbol: () => "AAPL" });
  const ends: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const provider = fakeProvider("one", {
    clock,
    async history(series) {
      ends.push(new Date(series.until).toISOString());
      if (ends.length === 1) await gate;
      return serve(series);
    },
  });
  const { background } = liveHistory({ chain: () => [provider], memory: shortMemory().memory, clock });
  const short = background.history(fixed("AAPL"), { timeframe: "1h", limit: 5 });
  await vi.waitFor(() => expect(ends).toHaveLength(1));
  const long = background.history(fixed("AAPL"), { timeframe: "1h", limit: 1500 });
  await new Promise(setImmediate); // it joins the first fetch
  clock.move(40 * 60_000);
  open();
  await short;
  expect((await long).as_of).toBe("2025-12-03T16:30:00.000Z");
  expect(ends).toEqual(["2025-12-03T16:29:00.000Z", "2025-12-03T17:09:00.000Z"]);
});
