import { describe, expect, it } from "vitest";
import type {
  ListingRepository,
  ListingSnapshot,
  UsRow,
} from "../../../src/domain/market/listing-repository-port.ts";
import type { Listings } from "../../../src/market/symbols/listings.ts";
import {
  type ListingProvider,
  loadListings,
  type RefreshOptions,
  refreshDirectory,
} from "../../../src/market/symbols/refresh-directory.ts";
import { collectingLog } from "../../support/context.ts";
import { movingClock } from "../../support/store.ts";

const DAY = 86_400_000;
const row = (ticker: string): UsRow => ({
  ticker,
  name: `${ticker} Corp`,
  asset_class: "equity",
  exchange: "NYSE",
});
const coin = { base: "ZZQC", name: "Zed", id: "zed", rank: 3 };

/** An in-memory table; `reasons` are the reasons of the applied lists. */
function memoryTable<Row>() {
  const table = {
    stored: null as ListingSnapshot<Row> | null,
    reasons: [] as (string | undefined)[],
    read: async () => table.stored,
    async replace(list: ListingSnapshot<Row>, reason?: string) {
      if (reason === undefined && list.rows.length < 0.9 * (table.stored?.rows.length ?? 0)) return false;
      table.reasons.push(reason);
      table.stored = list;
      return true;
    },
  };
  return table;
}

function setup() {
  const clock = movingClock();
  const { log, lines } = collectingLog();
  const store = { us: memoryTable<UsRow>(), tokens: memoryTable<typeof coin>() } satisfies ListingRepository;
  const applied: Listings[] = [];
  const listed = { us: [row("ZZQA")] as readonly UsRow[], calls: 0 };
  const us: ListingProvider<UsRow> = {
    name: "lister",
    async list() {
      listed.calls++;
      return listed.us;
    },
  };
  const run = (over: Partial<RefreshOptions> = {}) =>
    refreshDirectory({
      us,
      tokens: { name: "coins", list: async () => [coin] },
      store,
      apply: (listings) => void applied.push(listings),
      clock,
      log,
      ...over,
    });
  return { clock, lines, store, applied, listed, run, log, events: () => lines.map(({ event }) => event) };
}

describe("the refresh of the directory", () => {
  it("stores both lists and applies them together", async () => {
    const { run, applied, store, clock, events } = setup();
    await run();
    expect(applied).toHaveLength(1);
    expect(applied[0]!.us.get("ZZQA")?.instrument.name).toBe("ZZQA Corp");
    expect(applied[0]!.tokens.has("ZZQC")).toBe(true);
    expect(applied[0]!.us.has("AAPL")).toBe(true);
    expect(store.us.stored).toEqual({
      rows: [row("ZZQA")],
      fetchedAt: clock.now().getTime(),
      source: "lister",
    });
    expect(events()).toEqual(["listings_refreshed", "listings_refreshed"]);
  });

  it("requests a list once a day", async () => {
    const { run, applied, listed, clock } = setup();
    await run();
    clock.pass(DAY - 1);
    await run();
    expect([listed.calls, applied.length]).toEqual([1, 1]);
    await run({ olderThanMs: 1_000 });
    expect(listed.calls).toBe(2);
    clock.pass(DAY);
    await run();
    expect([listed.calls, applied.length]).toEqual([3, 3]);
  });

  it("applies a list that another process has stored in the meantime", async () => {
    const { run, applied, listed, clock } = setup();
    const since = clock.now().getTime();
    clock.pass(1_000);
    await run();
    await run({ since });
    expect([listed.calls, applied.length]).toEqual([1, 2]);
    await run({ since: clock.now().getTime() });
    expect(applied).toHaveLength(2);
  });

  it("requests a list again if the stored one is dated in the future", async () => {
    const { run, listed, clock } = setup();
    await run();
    clock.pass(-400 * DAY);
    await run();
    expect(listed.calls).toBe(2);
  });

  it("keeps the stored list when a request fails, logs the failure, and refreshes the other list", async () => {
    const { run, applied, store, clock, events } = setup();
    await run();
    clock.pass(DAY);
    const failing: ListingProvider<UsRow> = { name: "lister", list: () => Promise.reject(new Error("down")) };
    await run({ us: failing });
    expect(store.us.stored?.rows).toEqual([row("ZZQA")]);
    expect(applied).toHaveLength(2);
    expect(applied[1]!.us.has("ZZQA")).toBe(true);
    expect(events().slice(2)).toEqual(["listings_not_refreshed", "listings_refreshed"]);
  });

  it("rejects a list with many rows missing until the stored one is more than a week old", async () => {
    const { run, store, listed, clock, events } = setup();
    listed.us = Array.from({ length: 10 }, (_, i) => row(`ZZQ${i}`));
    await run({ tokens: null });
    listed.us = listed.us.slice(0, 5);
    clock.pass(7 * DAY);
    await run({ tokens: null });
    expect(store.us.stored?.rows).toHaveLength(10);
    clock.pass(1);
    await run({ tokens: null });
    expect(store.us.stored?.rows).toHaveLength(5);
    expect(store.us.reasons).toEqual([undefined, "the stored list was more than a week old"]);
    expect(events()).toEqual(["listings_refreshed", "listings_shrunk", "listings_refreshed"]);
  });

  it("rejects an empty list, however old the stored one is", async () => {
    const { run, store, listed, clock } = setup();
    await run();
    listed.us = [];
    clock.pass(30 * DAY);
    await run();
    expect(store.us.stored?.rows).toHaveLength(1);
  });

  it("never throws, even if everything fails", async () => {
    const { run, store, events } = setup();
    const broken = () => {
      throw new Error("no disk");
    };
    await run({ apply: broken });
    await run({ store: { ...store, us: { read: broken, replace: broken } }, olderThanMs: 0 });
    expect(events()).toEqual([
      "listings_refreshed",
      "listings_refreshed",
      "listings_not_applied",
      "listings_not_refreshed",
      "listings_refreshed",
      "listings_not_read",
    ]);
  });

  it("requests nothing from a provider that is switched off", async () => {
    const { run, applied, lines } = setup();
    await run({ us: null, tokens: null });
    expect(applied).toEqual([]);
    expect(lines).toEqual([]);
  });

  it("passes on its abort signal", async () => {
    const { run } = setup();
    const leaving = new AbortController();
    const signals: AbortSignal[] = [];
    const us: ListingProvider<UsRow> = {
      name: "lister",
      async list({ signal }) {
        signals.push(signal);
        leaving.abort();
        return [row("ZZQA")];
      },
    };
    await run({ us, signal: leaving.signal });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe("the listings at startup", () => {
  it("are the embedded table merged with the stored lists", async () => {
    const { store, run, log } = setup();
    expect((await loadListings(store, log)).us.has("ZZQA")).toBe(false);
    await run();
    const listings = await loadListings(store, log);
    expect(["ZZQA", "AAPL"].every((ticker) => listings.us.has(ticker))).toBe(true);
    expect(listings.tokens.has("ZZQC")).toBe(true);
  });
});
