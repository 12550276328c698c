import { describe, expect, it } from "vitest";
import type { Chamber, Disclosure } from "../../../../src/domain/congress/congress.ts";
import type { Filings, FilingsProvider, FilingsRequest } from "../../../../src/domain/congress/provider.ts";
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
const told = (over: Partial<Filings> = {}): Filings => ({
  trades: [],
  unread: [],
  read: [],
  completeFrom: null,
  more: false,
  ...over,
});
const filed = (id: string, over: Partial<Disclosure> = {}) => disclosure({ id, ...over });

/** A source that answers what it is told to; `asked` keeps its questions. */
function source(name: string, answer: (question: FilingsRequest, nth: number) => Filings) {
  const asked: FilingsRequest[] = [];
  const provider: FilingsProvider = {
    name,
    budget: { calls: 1_000, perMs: 60_000, atOnce: 10 },
    call: async (question) => {
      asked.push(question);
      return answer(question, asked.length - 1);
    },
  };
  return { provider, asked };
}
const down = () => {
  throw new ProviderFailure("down", "no connection");
};

interface Staged {
  readonly house?: readonly FilingsProvider[];
  readonly senate?: readonly FilingsProvider[];
  readonly byTicker?: FilingsProvider;
  readonly waitMs?: number;
}
async function stage({ house = [], senate = [], byTicker, waitMs }: Staged) {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const { log, lines } = collectingLog();
  const { db } = await testStore();
  const shelf = disclosureRepository(db, "live");
  const guarded = (provider: FilingsProvider) => guard(() => provider, { fetch, clock });
  const sources = { house: house.map(guarded), senate: senate.map(guarded) };
  const join = async () => (trade: Disclosure) =>
    trade.member === "Known" ? { ...trade, member_id: "K000001", party: "I" as const } : unjoined(trade);
  const keeper = createDisclosureRefresher({ providers: sources, repository: shelf, join, clock, log });
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
    repository: shelf,
    refresher: keeper,
    join,
    clock,
    ...(waitMs !== undefined && { waitMs }),
    providers: { house: of("house"), senate: of("senate") },
    symbols: directoryOf(["AAPL", "MSFT", "BTC-USD", "BTC.US"]),
  });
  return { clock, congress, keeper, shelf, lines };
}
const idsOf = ({ trades }: { readonly trades: readonly Disclosure[] }) => trades.map(({ id }) => id);

describe("disclosures of the live market", () => {
  it("are taken when first asked for, then told from what is kept", async () => {
    const house = source("clerk", () =>
      told({
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
    expect(house.asked).toHaveLength(1);
  });

  it("go on where an answer was a part, without reading a filing twice", async () => {
    const docs = ["3", "2", "1"];
    const house = source("clerk", ({ known }) => {
      const [next, ...rest] = docs.filter((doc) => !known.has(doc));
      const trades = next === undefined ? [] : [filed(next, { filing_date: `2026-01-0${next}` })];
      return told({
        trades,
        read: next === undefined ? [] : [next],
        completeFrom: `2026-01-0${rest.length + 1}`,
        more: rest.length > 0,
      });
    });
    const { congress, keeper } = await stage({ house: [house.provider] });
    const first = await congress.disclosures(YEAR);
    expect([idsOf(first), first.coverage.house.since, first.fetched_at, first.stale]).toEqual([
      ["3"],
      "2026-01-03",
      "2026-01-15T15:00:00.000Z",
      false,
    ]);
    expect(first.coverage.house.reason).toContain("still being read");
    await keeper.refresh("house");
    const whole = await congress.disclosures(YEAR);
    expect(whole.coverage.house.reason).toBeNull();
    expect([idsOf(whole), whole.coverage.house.since]).toEqual([["3", "2", "1"], "2026-01-01"]);
    expect(house.asked.map(({ known }) => known.size)).toEqual([0, 1, 2]);
  });

  it("are told at once and renewed beside the answer when a day has passed", async () => {
    const house = source("clerk", (_, nth) =>
      told({ trades: [filed(`${nth}`)], completeFrom: "2025-01-01" }),
    );
    const { congress, clock, keeper } = await stage({ house: [house.provider] });
    await congress.disclosures(YEAR);
    clock.move(21 * HOUR);
    expect(idsOf(await congress.disclosures(YEAR))).toEqual(["0"]);
    await keeper.refresh("house");
    expect(idsOf(await congress.disclosures(YEAR))).toEqual(["1", "0"]);
    expect(house.asked).toHaveLength(2);
    expect(house.asked[1]!.since).toBe("2026-01-03");
  });

  it("are called stale where nobody renews them, and nobody is asked over and over", async () => {
    let works = true;
    const house = source("clerk", () => (works ? told({ trades: [filed("a")] }) : down()));
    const { congress, clock, lines } = await stage({ house: [house.provider] });
    await congress.disclosures(YEAR);
    works = false;
    clock.move(49 * HOUR);
    for (let again = 0; again < 5; again++) {
      expect(await congress.disclosures(YEAR)).toMatchObject({ trades: [{ id: "a" }], stale: true });
      await new Promise(setImmediate);
    }
    expect(house.asked).toHaveLength(2);
    expect(lines.map(({ event }) => event)).toContain("disclosures_not_taken");
  });

  it("fail where nobody answers and nothing is kept: an outage is no empty list", async () => {
    const house = source("clerk", down);
    const { congress } = await stage({ house: [house.provider] });
    const tried = { provider: "clerk", outcome: "down", ms: 0 };
    await expect(congress.disclosures(YEAR)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "Disclosures are unavailable. house: No provider responds now: clerk (no response)",
      hint: expect.stringContaining("doctor --live"),
      data: { tried: [tried, tried] },
    });
  });

  it("come at the second asking where the first failed in passing", async () => {
    const house = source("clerk", (_, nth) => (nth === 0 ? down() : told({ trades: [filed("a")] })));
    const { congress } = await stage({ house: [house.provider] });
    expect(idsOf(await congress.disclosures(YEAR))).toEqual(["a"]);
  });

  it("of one chamber are told where nobody answers for the other, with whom was tried", async () => {
    const house = source("clerk", down);
    const senate = source("other", () => told({ trades: [filed("s", { chamber: "senate" })] }));
    const { congress } = await stage({ house: [house.provider], senate: [senate.provider] });
    expect(await congress.disclosures(YEAR)).toMatchObject({
      trades: [{ id: "s" }],
      coverage: { house: { reason: "No provider responds now: clerk (no response)" } },
    });
  });

  it("are not waited for longer than a person waits, and are taken all the same", async () => {
    let answer = (_: Filings) => {};
    const slow: FilingsProvider = {
      ...source("clerk", () => told()).provider,
      call: () => new Promise<Filings>((resolve) => (answer = resolve)),
    };
    const { congress, keeper } = await stage({ house: [slow], waitMs: 10 });
    await expect(congress.disclosures(YEAR)).rejects.toMatchObject({
      message: expect.stringContaining("clerk (timeout)"),
      data: { tried: [{ provider: "clerk", outcome: "timeout", ms: 10 }] },
    });
    const taken = keeper.refresh("house", { once: true });
    answer(told({ trades: [filed("a")] }));
    await taken;
    expect(idsOf(await congress.disclosures(YEAR))).toEqual(["a"]);
  });

  it("are none, with the setting that would connect a source, where none is connected", async () => {
    const { congress } = await stage({});
    expect(await congress.disclosures({ ...YEAR, chamber: "senate" })).toMatchObject({
      trades: [],
      source: null,
      fetched_at: null,
      reason: "A key would connect the senate.",
      coverage: { house: { covered: false, reason: "Not requested" } },
    });
  });

  it("come from the next source where the first fails, never from two at once", async () => {
    let works = true;
    const first = source("first", () => (works ? told({ trades: [filed("a")] }) : down()));
    const second = source("second", () => told({ trades: [filed("b"), filed("c")] }));
    const { congress, clock, keeper } = await stage({ house: [first.provider, second.provider] });
    expect(await congress.disclosures(YEAR)).toMatchObject({ source: "first", trades: [{ id: "a" }] });
    works = false;
    clock.move(50 * HOUR);
    await keeper.refreshAll();
    const fallen = await congress.disclosures(YEAR);
    expect([fallen.source, idsOf(fallen)]).toEqual(["second", ["c", "b"]]);
  });

  it("that two sources tell alike are told once, from the one that was read", async () => {
    const same = { filing_date: "2026-01-10", ticker: "AAPL" };
    let works = true;
    const first = source("first", () => (works ? told({ trades: [filed("first:1", same)] }) : down()));
    const second = source("second", () => told({ trades: [filed("second:1", same)] }));
    const paid = source("paid", () => told({ trades: [filed("paid:1", same)] }));
    const { congress, clock, keeper } = await stage({
      house: [first.provider, second.provider],
      byTicker: paid.provider,
    });
    await congress.disclosures(YEAR);
    works = false;
    clock.move(50 * HOUR);
    await keeper.refreshAll();
    expect(idsOf(await congress.disclosures(YEAR))).toEqual(["second:1"]);
    expect(idsOf(await congress.disclosures({ ...YEAR, chamber: "house", symbol: "AAPL" }))).toEqual([
      "paid:1",
    ]);
  });

  it("are stale where their source fell silent while it was read for the first time", async () => {
    let works = true;
    const house = source("clerk", () =>
      works ? told({ trades: [filed("a")], read: ["a"], more: true }) : down(),
    );
    const { congress, clock } = await stage({ house: [house.provider] });
    expect(await congress.disclosures(YEAR)).toMatchObject({ stale: false });
    works = false;
    clock.move(49 * HOUR);
    expect(await congress.disclosures(YEAR)).toMatchObject({
      stale: true,
      fetched_at: "2026-01-15T15:00:00.000Z",
    });
  });

  it("of both chambers are told together, each with its source", async () => {
    const house = source("clerk", () => told({ trades: [filed("h")] }));
    const senate = source("other", () => told({ trades: [filed("s", { chamber: "senate" })] }));
    const { congress } = await stage({ house: [house.provider], senate: [senate.provider] });
    const both = await congress.disclosures(YEAR);
    expect([both.source, idsOf(both)]).toEqual(["clerk+other", ["h", "s"]]);
    expect(idsOf(await congress.disclosures({ ...YEAR, chamber: "senate" }))).toEqual(["s"]);
  });

  it("of one ticker are asked for where nothing is kept, or not so far back", async () => {
    const byTicker = source("paid", ({ ticker, chamber }) =>
      told({ trades: [filed("old", { ticker, chamber, filing_date: "2025-07-01" })] }),
    );
    const house = source("clerk", () => told({ trades: [filed("new")], completeFrom: "2026-01-01" }));
    const { congress } = await stage({ house: [house.provider], byTicker: byTicker.provider });
    const near = { from: "2026-01-02", until: "2026-01-15", chamber: "house" as const, symbol: "AAPL" };
    expect(idsOf(await congress.disclosures(near))).toEqual(["new"]);
    expect(byTicker.asked).toHaveLength(0);
    expect(idsOf(await congress.disclosures({ ...near, from: "2025-06-01" }))).toEqual(["old"]);
    expect(await congress.disclosures({ ...YEAR, chamber: "senate", symbol: "AAPL" })).toMatchObject({
      source: "paid",
      trades: [{ id: "old", chamber: "senate" }],
    });
    const all = await congress.disclosures({ ...YEAR, chamber: "senate" });
    expect(all.reason).toBe("Its provider needs a ticker. A key would connect the senate.");
  });

  it("are kept where the source of one ticker fails, and covered by nobody where nothing is", async () => {
    const byTicker = source("paid", down);
    const house = source("clerk", () => told({ trades: [filed("new")], completeFrom: "2026-01-01" }));
    const { congress } = await stage({ house: [house.provider], byTicker: byTicker.provider });
    const answer = await congress.disclosures({ ...YEAR, symbol: "AAPL" });
    expect(idsOf(answer)).toEqual(["new"]);
    expect(answer.coverage.senate).toMatchObject({
      covered: false,
      reason: expect.stringContaining("no response"),
    });
  });

  it("of a token are those of its pair, of a fund those of its bare ticker", async () => {
    const trades = [filed("coin", { ticker: "BTC-USD" }), filed("fund", { ticker: "BTC" })];
    const house = source("clerk", () => told({ trades, completeFrom: "2025-01-01" }));
    const { congress } = await stage({ house: [house.provider] });
    expect(idsOf(await congress.disclosures({ ...YEAR, symbol: "BTC-USD" }))).toEqual(["coin"]);
    expect(idsOf(await congress.disclosures({ ...YEAR, symbol: "BTC.US" }))).toEqual(["fund"]);
  });

  it("are joined again where the roster could not be had before", async () => {
    const house = source("clerk", (_, nth) =>
      told({ trades: nth === 0 ? [filed("a", { member: "Other", member_id: null, party: null })] : [] }),
    );
    const { congress, keeper, shelf } = await stage({ house: [house.provider] });
    await congress.disclosures(YEAR);
    const place = { source: "clerk", chamber: "house" as const };
    const [kept] = await shelf.trades(place, { ...YEAR, ticker: null });
    expect(kept!.missing).toContain("the roster of members is unavailable");
    await shelf.save({
      ...place,
      trades: [{ ...kept!, member: "Known" }],
      unread: [],
      read: [],
      completeFrom: null,
      answeredAt: null,
      refreshedAt: null,
    });
    await keeper.refresh("house");
    expect(await congress.disclosures(YEAR)).toMatchObject({
      trades: [{ member_id: "K000001", party: "I" }],
    });
  });

  it("are let go when the keeper closes", async () => {
    const house = source("clerk", () => told({ more: true, read: ["x"] }));
    const { keeper } = await stage({ house: [house.provider] });
    keeper.refreshInBackground("house");
    await keeper.close();
    const before = house.asked.length;
    keeper.refreshInBackground("house");
    await keeper.refreshAll();
    expect(house.asked.length).toBe(before);
  });
});
