import { describe, expect, it } from "vitest";
import type { Chamber, Disclosure } from "../../../../src/domain/congress/congress.ts";
import type {
  DisclosureProvider,
  Filings,
  FilingsRequest,
} from "../../../../src/domain/congress/provider.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { liveCongress } from "../../../../src/features/congress/live/congress.ts";
import { createDisclosureRefresher } from "../../../../src/features/congress/live/disclosure-refresher.ts";
import { unjoined } from "../../../../src/features/congress/live/roster.ts";
import { guard } from "../../../../src/market/failover/guard.ts";
import { resourceOf } from "../../../../src/market/failover/resource.ts";
import { disclosureRepository } from "../../../../src/store/congress/disclosures.ts";
import { disclosure } from "../../../support/congress.ts";
import { collectingLog } from "../../../support/context.ts";
import { directoryOf } from "../../../support/market.ts";
import { settableClock } from "../../../support/providers.ts";
import { testStore } from "../../../support/store.ts";

const HOUR = 3_600_000;
const YEAR = { from: "2025-06-01", until: "2026-01-15" };
const filings = (over: Partial<Filings> = {}): Filings => ({
  trades: [],
  unread: [],
  read: [],
  completeFrom: null,
  more: false,
  ...over,
});
const filed = (id: string, over: Partial<Disclosure> = {}) => disclosure({ id, ...over });

/** A provider that responds by a function, and its requests. */
function source(name: string, answer: (question: FilingsRequest, nth: number) => Filings) {
  const requests: FilingsRequest[] = [];
  const provider: DisclosureProvider = {
    name,
    budget: { calls: 1_000, perMs: 60_000, atOnce: 10 },
    call: async (question) => {
      requests.push(question);
      return answer(question, requests.length - 1);
    },
  };
  return { provider, requests };
}
const down = () => {
  throw new ProviderFailure("down", "no connection");
};

interface Staged {
  readonly house?: readonly DisclosureProvider[];
  readonly senate?: readonly DisclosureProvider[];
  readonly byTicker?: DisclosureProvider;
  readonly waitMs?: number;
}
async function stage({ house = [], senate = [], byTicker, waitMs }: Staged) {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const { log, lines } = collectingLog();
  const { db } = await testStore();
  const store = disclosureRepository(db, "live");
  const guarded = (provider: DisclosureProvider) => guard(() => provider, { fetch, clock });
  const sources = { house: house.map(guarded), senate: senate.map(guarded) };
  const join = async () => (trade: Disclosure) =>
    trade.member === "Known" ? { ...trade, member_id: "K000001", party: "I" as const } : unjoined(trade);
  const refresher = createDisclosureRefresher({ providers: sources, repository: store, join, clock, log });
  const ask =
    byTicker === undefined
      ? null
      : resourceOf<FilingsRequest, Filings>({
          about: () => "disclosures",
          providers: [guarded(byTicker)],
          clock,
          keyOf: ({ chamber, ticker }) => `${chamber} ${ticker}`,
          freshMs: HOUR,
          staleMs: HOUR,
        });
  const of = (chamber: Chamber) => ({
    stored: sources[chamber].map(({ provider: { name } }) => name),
    byTicker: ask,
    missing: `A key would connect the ${chamber}.`,
  });
  const congress = liveCongress({
    repository: store,
    refresher: refresher,
    join,
    clock,
    ...(waitMs !== undefined && { waitMs }),
    providers: { house: of("house"), senate: of("senate") },
    symbols: directoryOf(["AAPL", "MSFT", "BTC-USD", "BTC.US"]),
  });
  return { clock, congress, refresher, store, lines };
}
const idsOf = ({ trades }: { readonly trades: readonly Disclosure[] }) => trades.map(({ id }) => id);

describe("disclosures of the live market", () => {
  it("say what the provider notes on its filings, until it no longer does", async () => {
    const notes: (string | undefined)[] = ["no list of 2026 yet", undefined];
    const house = source("clerk", () => {
      const note = notes.shift();
      return filings({ completeFrom: "2025-01-01", ...(note !== undefined && { note }) });
    });
    const { congress, refresher } = await stage({ house: [house.provider] });
    const coverage = async () => (await congress.disclosures(YEAR)).coverage.house;
    expect(await coverage()).toMatchObject({ covered: true, reason: "no list of 2026 yet" });
    await refresher.refresh("house");
    expect(await coverage()).toMatchObject({ covered: true, reason: null });
  });

  it("are downloaded at the first request, then returned from the store", async () => {
    const house = source("clerk", () =>
      filings({
        trades: [filed("a", { member: "Known", member_id: null, party: null })],
        completeFrom: "2025-01-01",
      }),
    );
    const { congress } = await stage({ house: [house.provider] });
    const first = await congress.disclosures(YEAR);
    expect(first).toMatchObject({
      trades: [{ id: "a", member_id: "K000001", party: "I" }],
      source: "clerk",
      fetched_at: "2026-01-15T15:00:00.000Z",
      as_of: "2026-01-10",
      stale: false,
      reason: null,
      coverage: {
        house: { covered: true, source: "clerk", since: "2025-01-01" },
        senate: { covered: false, reason: "A key would connect the senate." },
      },
    });
    expect(await congress.disclosures(YEAR)).toEqual(first);
    expect(house.requests).toHaveLength(1);
  });

  it("continue after a partial answer, without reading a filing twice", async () => {
    const docs = ["3", "2", "1"];
    const house = source("clerk", ({ known }) => {
      const [next, ...rest] = docs.filter((doc) => !known.has(doc));
      return filings({
        trades: [filed(next!, { filing_date: `2026-01-0${next}` })],
        read: [next!],
        completeFrom: `2026-01-0${rest.length + 1}`,
        more: rest.length > 0,
      });
    });
    const { congress, refresher } = await stage({ house: [house.provider] });
    const first = await congress.disclosures(YEAR);
    expect(idsOf(first)).toEqual(["3"]);
    expect(first).toMatchObject({
      fetched_at: "2026-01-15T15:00:00.000Z",
      stale: false,
      coverage: { house: { since: "2026-01-03", reason: expect.stringContaining("still being read") } },
    });
    await refresher.refresh("house");
    const whole = await congress.disclosures(YEAR);
    expect(whole.coverage.house.reason).toBeNull();
    expect([idsOf(whole), whole.coverage.house.since]).toEqual([["3", "2", "1"], "2026-01-01"]);
    expect(house.requests.map(({ known }) => known.size)).toEqual([0, 1, 2]);
  });

  it("are returned at once and refreshed in the background after a day", async () => {
    const house = source("clerk", (_, nth) =>
      filings({ trades: [filed(`${nth}`)], completeFrom: "2025-01-01" }),
    );
    const { congress, clock, refresher } = await stage({ house: [house.provider] });
    await congress.disclosures(YEAR);
    clock.move(21 * HOUR);
    expect(idsOf(await congress.disclosures(YEAR))).toEqual(["0"]);
    await refresher.refresh("house");
    expect(idsOf(await congress.disclosures(YEAR))).toEqual(["1", "0"]);
    expect(house.requests).toHaveLength(2);
    expect(house.requests[1]!.since).toBe("2026-01-03");
  });

  it("are stale if no provider refreshes them, without repeated requests", async () => {
    let works = true;
    const house = source("clerk", () => (works ? filings({ trades: [filed("a")] }) : down()));
    const { congress, clock, lines } = await stage({ house: [house.provider] });
    await congress.disclosures(YEAR);
    works = false;
    clock.move(49 * HOUR);
    for (let again = 0; again < 5; again++) {
      expect(await congress.disclosures(YEAR)).toMatchObject({ trades: [{ id: "a" }], stale: true });
      await new Promise(setImmediate);
    }
    expect(house.requests).toHaveLength(2);
    expect(lines.map(({ event }) => event)).toContain("disclosures_not_taken");
  });

  it("fail in an outage without stored filings, instead of being empty", async () => {
    const house = source("clerk", down);
    const { congress } = await stage({ house: [house.provider] });
    const tried = { provider: "clerk", outcome: "down", ms: 0 };
    await expect(congress.disclosures(YEAR)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "Disclosures are unavailable. house: No provider responds now: clerk (no response)",
      hint: "Retry in a minute: the download continues in the background.",
      command: "market-signal doctor --live",
      data: { tried: [tried, tried] },
    });
  });

  it("come from the second request after a transient failure", async () => {
    const house = source("clerk", (_, nth) => (nth === 0 ? down() : filings({ trades: [filed("a")] })));
    const { congress } = await stage({ house: [house.provider] });
    expect(idsOf(await congress.disclosures(YEAR))).toEqual(["a"]);
  });

  it("of one chamber are returned in an outage of the other, with the failed providers", async () => {
    const house = source("clerk", down);
    const senate = source("other", () => filings({ trades: [filed("s", { chamber: "senate" })] }));
    const { congress } = await stage({ house: [house.provider], senate: [senate.provider] });
    expect(await congress.disclosures(YEAR)).toMatchObject({
      trades: [{ id: "s" }],
      coverage: { house: { reason: "No provider responds now: clerk (no response)" } },
    });
  });

  it("are awaited for a limited time, and stored when they arrive later", async () => {
    let answer = (_: Filings) => {};
    const slow: DisclosureProvider = {
      ...source("clerk", () => filings()).provider,
      call: () => new Promise<Filings>((resolve) => (answer = resolve)),
    };
    const { congress, refresher } = await stage({ house: [slow], waitMs: 10 });
    await expect(congress.disclosures(YEAR)).rejects.toMatchObject({
      message: expect.stringContaining("clerk (timeout)"),
      data: { tried: [{ provider: "clerk", outcome: "timeout", ms: 10 }] },
    });
    const taken = refresher.refresh("house", { once: true });
    answer(filings({ trades: [filed("a")] }));
    await taken;
    expect(idsOf(await congress.disclosures(YEAR))).toEqual(["a"]);
  });

  it("are none without a provider, with the setting that connects one", async () => {
    const { congress } = await stage({});
    expect(await congress.disclosures({ ...YEAR, chamber: "senate" })).toMatchObject({
      trades: [],
      source: null,
      fetched_at: null,
      reason: "A key would connect the senate.",
      coverage: { house: { covered: false, reason: "Not requested" } },
    });
  });

  it("come from the next provider if the first fails, never from two at once", async () => {
    let works = true;
    const first = source("first", () => (works ? filings({ trades: [filed("a")] }) : down()));
    const second = source("second", () => filings({ trades: [filed("b"), filed("c")] }));
    const { congress, clock, refresher } = await stage({ house: [first.provider, second.provider] });
    expect(await congress.disclosures(YEAR)).toMatchObject({ source: "first", trades: [{ id: "a" }] });
    works = false;
    clock.move(50 * HOUR);
    await refresher.refreshAll();
    const fallen = await congress.disclosures(YEAR);
    expect([fallen.source, idsOf(fallen)]).toEqual(["second", ["c", "b"]]);
  });

  it("of two providers are returned once, from the provider that was read", async () => {
    const same = { filing_date: "2026-01-10", ticker: "AAPL" };
    let works = true;
    const first = source("first", () => (works ? filings({ trades: [filed("first:1", same)] }) : down()));
    const second = source("second", () => filings({ trades: [filed("second:1", same)] }));
    const paid = source("paid", () => filings({ trades: [filed("paid:1", same)] }));
    const house = [first.provider, second.provider];
    const { congress, clock, refresher } = await stage({ house, byTicker: paid.provider });
    await congress.disclosures(YEAR);
    works = false;
    clock.move(50 * HOUR);
    await refresher.refreshAll();
    expect(idsOf(await congress.disclosures(YEAR))).toEqual(["second:1"]);
    const ofTicker = await congress.disclosures({ ...YEAR, chamber: "house", symbol: "AAPL" });
    expect(idsOf(ofTicker)).toEqual(["paid:1"]);
  });

  it("are stale if their provider fails during the first download", async () => {
    let works = true;
    const house = source("clerk", () =>
      works ? filings({ trades: [filed("a")], read: ["a"], more: true }) : down(),
    );
    const { congress, clock } = await stage({ house: [house.provider] });
    expect(await congress.disclosures(YEAR)).toMatchObject({ stale: false });
    works = false;
    clock.move(49 * HOUR);
    const fetched_at = "2026-01-15T15:00:00.000Z";
    expect(await congress.disclosures(YEAR)).toMatchObject({ stale: true, fetched_at });
  });

  it("of both chambers are returned together, each with its provider", async () => {
    const house = source("clerk", () => filings({ trades: [filed("h")] }));
    const senate = source("other", () => filings({ trades: [filed("s", { chamber: "senate" })] }));
    const { congress } = await stage({ house: [house.provider], senate: [senate.provider] });
    const both = await congress.disclosures(YEAR);
    expect([both.source, idsOf(both)]).toEqual(["clerk+other", ["h", "s"]]);
    expect(idsOf(await congress.disclosures({ ...YEAR, chamber: "senate" }))).toEqual(["s"]);
  });

  it("of one ticker are requested if nothing is stored, or not that far back", async () => {
    const byTicker = source("paid", ({ ticker, chamber }) =>
      filings({ trades: [filed("old", { ticker, chamber, filing_date: "2025-07-01" })] }),
    );
    const house = source("clerk", () => filings({ trades: [filed("new")], completeFrom: "2026-01-01" }));
    const { congress } = await stage({ house: [house.provider], byTicker: byTicker.provider });
    const near = { from: "2026-01-02", until: "2026-01-15", chamber: "house" as const, symbol: "AAPL" };
    expect(idsOf(await congress.disclosures(near))).toEqual(["new"]);
    expect(byTicker.requests).toHaveLength(0);
    expect(idsOf(await congress.disclosures({ ...near, from: "2025-06-01" }))).toEqual(["old"]);
    expect(await congress.disclosures({ ...YEAR, chamber: "senate", symbol: "AAPL" })).toMatchObject({
      source: "paid",
      trades: [{ id: "old", chamber: "senate" }],
    });
    const all = await congress.disclosures({ ...YEAR, chamber: "senate" });
    expect(all.reason).toBe("Its provider requires a ticker. A key would connect the senate.");
  });

  it("stay stored if the provider of one ticker fails, and are uncovered without any", async () => {
    const byTicker = source("paid", down);
    const house = source("clerk", () => filings({ trades: [filed("new")], completeFrom: "2026-01-01" }));
    const { congress } = await stage({ house: [house.provider], byTicker: byTicker.provider });
    const answer = await congress.disclosures({ ...YEAR, symbol: "AAPL" });
    expect(idsOf(answer)).toEqual(["new"]);
    expect(answer.coverage.senate.covered).toBe(false);
    expect(answer.coverage.senate.reason).toContain("no response");
  });

  it("of a token are those of its pair, of a fund those of its bare ticker", async () => {
    const trades = [filed("coin", { ticker: "BTC-USD" }), filed("fund", { ticker: "BTC" })];
    const house = source("clerk", () => filings({ trades, completeFrom: "2025-01-01" }));
    const { congress } = await stage({ house: [house.provider] });
    expect(idsOf(await congress.disclosures({ ...YEAR, symbol: "BTC-USD" }))).toEqual(["coin"]);
    expect(idsOf(await congress.disclosures({ ...YEAR, symbol: "BTC.US" }))).toEqual(["fund"]);
  });

  it("are joined again if the roster was unavailable before", async () => {
    const house = source("clerk", (_, nth) =>
      filings({ trades: nth === 0 ? [filed("a", { member: "Other", member_id: null, party: null })] : [] }),
    );
    const { congress, refresher, store } = await stage({ house: [house.provider] });
    await congress.disclosures(YEAR);
    const place = { source: "clerk", chamber: "house" as const };
    const [stored] = await store.trades(place, { ...YEAR, ticker: null });
    expect(stored!.missing).toContain("the roster of members is unavailable");
    const known = filings({ trades: [{ ...stored!, member: "Known" }] });
    await store.save({ ...place, ...known, answeredAt: null, refreshedAt: null });
    await refresher.refresh("house");
    expect((await congress.disclosures(YEAR)).trades).toMatchObject([{ member_id: "K000001", party: "I" }]);
  });

  it("are not requested after the refresher closes", async () => {
    const house = source("clerk", () => filings({ more: true, read: ["x"] }));
    const { refresher } = await stage({ house: [house.provider] });
    refresher.refreshInBackground("house");
    await refresher.close();
    const before = house.requests.length;
    refresher.refreshInBackground("house");
    await refresher.refreshAll();
    expect(house.requests.length).toBe(before);
  });
});
