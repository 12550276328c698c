import { describe, expect, it } from "vitest";
import { noContracts } from "../../../src/app/providers/not-connected.ts";
import type { Contracts, News, Ports } from "../../../src/domain/ports.ts";
import type { Contract } from "../../../src/domain/prediction-markets/contracts.ts";
import { edgeTrack, trackedQuestions } from "../../../src/features/prediction-markets/edge-track.ts";
import { createCache } from "../../../src/market/cache.ts";
import { stoppedClock } from "../../support/context.ts";
import { contract } from "../../support/contracts.ts";
import { climbingBars, fixedBars, marketOf } from "../../support/market.ts";

const DAY = 86_400_000;
const NOW = new Date("2026-07-01T14:00:00Z");
const UNTIL = Date.UTC(2026, 6, 1);
const clock = stoppedClock(NOW);
/** 1,000 days of closes alternating by 2%: 30 June 2026, the last, at 102.02. */
const swinging = (() => {
  const plain = climbingBars({ count: 1_000, zone: "UTC", end: UNTIL - DAY });
  const at = (i: number) => (i % 2 === 0 ? 100 : 100 * Math.exp(0.02));
  return {
    ...plain,
    close: plain.close.map((_, i) => at(i)),
    high: plain.close.map(() => 102.5),
    low: plain.close.map(() => 99),
  };
})();
const hours = climbingBars({ count: 24_000, timeframe: "1h", zone: "UTC", step: 0, end: UNTIL - DAY / 24 });
const { ports } = marketOf({ bars: { "BTC-USD": [swinging, hours] }, clock });
const { bars } = fixedBars({ bars: { "BTC-USD": [swinging, hours] } }, clock);
const { instrument } = ports.symbols.resolve("BTC-USD");
const { signal } = new AbortController();

/** Always one contract on the month's last close above 101, at 40%, and one on reaching 103, at 20%. */
const contracts: Contracts = {
  missing: null,
  supportsHistory: true,
  venues: () => [{ name: "acme", real_money: true }],
  async search({ asOf }) {
    const at = new Date(asOf ?? NOW);
    const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
    const last = new Date(end - DAY);
    const day = `${last.toLocaleString("en-US", { month: "long", timeZone: "UTC" })} ${last.getUTCDate()}, ${last.getUTCFullYear()}`;
    const of = (over: Partial<Contract>) =>
      contract({
        event_title: "BTC price?",
        close_time: new Date(end).toISOString(),
        as_of: at.toISOString(),
        ...over,
      });
    const all = [
      of({ id: "above", question: `Will BTC be above $101 on ${day}?`, probability: 0.4 }),
      of({ id: "touch", question: `Will BTC hit $103 by ${day}?`, probability: 0.2 }),
    ];
    return { contracts: all, coverage: [], stale: false, as_of: at.toISOString(), reason: null };
  },
};
/** One positive story a day, at noon. */
const news: News = {
  missing: null,
  headlines: async (_, { from, until }) => {
    const noon = Math.floor(from / DAY) * DAY + DAY / 2;
    const days = Array.from({ length: Math.ceil((until - from) / DAY) }, (_, i) => noon + i * DAY);
    return {
      headlines: days
        .filter((at) => at >= from && at <= until)
        .map((publishedAt) => ({
          id: `${publishedAt}`,
          publisher: "Desk",
          url: null,
          publishedAt,
          tags: ["BTC-USD"],
          title: `Bitcoin rallies on record trading volume of day ${publishedAt / DAY - 0.5}`,
        })),
      source: "acme",
      fetchedAt: until,
      asOf: until,
      completeFrom: null,
      stale: false,
      uncovered: null,
      tried: [],
    };
  },
};
const lent: Ports = { ...(ports as unknown as Ports), bars, contracts, news, cache: createCache(clock) };

describe("tracked questions", () => {
  it("are as of the 15th, and decided by the bars after it", async () => {
    const all = await trackedQuestions(instrument, { until: UNTIL, signal }, lent);
    expect(all).toHaveLength(48);
    const above = all.filter(({ market }) => market === 0.4);
    const touch = all.filter(({ market }) => market === 0.2);
    expect(above[0]!.at).toBe(Date.UTC(2024, 6, 15));
    expect(above.at(-1)!.at).toBe(Date.UTC(2026, 5, 15));
    // the last day of a month closes at 102.02 when it is an even number of days before 30 June 2026
    const closed = above.map(({ at }) => {
      const end = new Date(at);
      return ((UNTIL - Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 1)) / DAY) % 2 === 0;
    });
    expect(above.map(({ happened }) => happened)).toEqual(closed);
    expect(closed.filter(Boolean).length).toBeGreaterThan(5);
    // no high is above 102.5
    expect(touch.map(({ happened }) => happened)).toEqual(Array(24).fill(false));
    // the same stories before each 15th: one shift of the logarithm of the odds everywhere
    const shifts = all.map(
      ({ news: sentiment, neutral }) =>
        Math.log(sentiment / (1 - sentiment)) - Math.log(neutral / (1 - neutral)),
    );
    expect(shifts[0]).toBeGreaterThan(0.1);
    for (const shift of shifts) expect(shift).toBeCloseTo(shifts[0]!, 9);
  });

  it("do not change with later bars", async () => {
    const until = Date.UTC(2026, 0, 1);
    const early = await trackedQuestions(instrument, { until, signal }, lent);
    const short = fixedBars({ bars: { "BTC-USD": [swinging, hours] } }, stoppedClock(new Date(until))).bars;
    expect(await trackedQuestions(instrument, { until, signal }, { ...lent, bars: short })).toEqual(early);
    const late = await trackedQuestions(instrument, { until: UNTIL, signal }, lent);
    const both = early.filter(({ at }) => at >= late[0]!.at);
    expect(late.slice(0, both.length)).toEqual(both);
  });
});

describe("the record of both sides", () => {
  it("equals scores computed by hand", async () => {
    const all = await trackedQuestions(instrument, { until: UNTIL, signal }, lent);
    const track = await edgeTrack(instrument, { at: NOW.getTime() }, lent);
    const came = all.filter(({ happened }) => happened).length;
    // of 24 at 40%, `came` happened: .36 each, .16 the others; 24 at 20% did not: .04 each
    expect(track.brier_market).toBeCloseTo((came * 0.36 + (24 - came) * 0.16 + 24 * 0.04) / 48, 4);
    expect(track).toMatchObject({
      resolved: 48,
      since: "2024-07-15T00:00:00.000Z",
      until: "2026-07-01T00:00:00.000Z",
      reason: null,
    });
  });

  it("is computed once a day", async () => {
    let asked = 0;
    const counted: Contracts = {
      ...contracts,
      search(request) {
        asked++;
        return contracts.search(request);
      },
    };
    const ported = { ...lent, contracts: counted, cache: createCache(clock) };
    const first = await edgeTrack(instrument, { at: NOW.getTime() }, ported);
    expect(asked).toBe(24);
    expect(await edgeTrack(instrument, { at: NOW.getTime() - 3_600_000 }, ported)).toEqual(first);
    expect(asked).toBe(24);
  });

  it("is null without markets or outside the simulated market, with the reason", async () => {
    const none = await edgeTrack(instrument, { at: NOW.getTime() }, { ...lent, contracts: noContracts });
    const { missing: reason } = noContracts;
    expect(none).toMatchObject({ brier_market: null, brier_news: null, resolved: 0, reason });
    const live = { ...lent, market: { mode: "live", id: "live" } as const };
    const young = await edgeTrack(instrument, { at: NOW.getTime() }, live);
    expect(young).toMatchObject({ brier_market: null, resolved: 0, since: null });
    expect(young.reason).toContain("No snapshot of BTC-USD existed then");
  });
});
