import { describe, expect, it } from "vitest";
import type {
  ListingRepository,
  ListingSnapshot,
  ListingTable,
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

function shelf<Row>(): ListingTable<Row> & {
  kept: ListingSnapshot<Row> | null;
  readonly reasons: (string | undefined)[];
} {
  const self = {
    kept: null as ListingSnapshot<Row> | null,
    reasons: [] as (string | undefined)[],
    read: async () => self.kept,
    async replace(list: ListingSnapshot<Row>, reason?: string) {
      if (reason === undefined && list.rows.length < 0.9 * (self.kept?.rows.length ?? 0)) return false;
      self.reasons.push(reason);
      self.kept = list;
      return true;
    },
  };
  return self;
}

function setting() {
  const clock = movingClock();
  const { log, lines } = collectingLog();
  const store = { us: shelf<UsRow>(), tokens: shelf<typeof coin>() } satisfies ListingRepository;
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
  it("keeps both lists and takes them into use together", async () => {
    const { run, applied, store, clock, events } = setting();
    await run();
    expect(applied).toHaveLength(1);
    expect(applied[0]!.us.get("ZZQA")?.instrument.name).toBe("ZZQA Corp");
    expect(applied[0]!.tokens.has("ZZQC")).toBe(true);
    expect(applied[0]!.us.has("AAPL")).toBe(true);
    expect(store.us.kept).toEqual({
      rows: [row("ZZQA")],
      fetchedAt: clock.now().getTime(),
      source: "lister",
    });
    expect(events()).toEqual(["listings_refreshed", "listings_refreshed"]);
  });

  it("asks nobody within a day, and again after it", async () => {
    const { run, applied, listed, clock } = setting();
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

  it("takes into use what another process has kept meanwhile", async () => {
    const { run, applied, listed, clock } = setting();
    const since = clock.now().getTime();
    clock.pass(1_000);
    await run();
    await run({ since });
    expect([listed.calls, applied.length]).toEqual([1, 2]);
    await run({ since: clock.now().getTime() });
    expect(applied).toHaveLength(2);
  });

  it("asks again where the kept list is of the future", async () => {
    const { run, listed, clock } = setting();
    await run();
    clock.pass(-400 * DAY);
    await run();
    expect(listed.calls).toBe(2);
  });

  it("keeps the old one where a list cannot be had, says so, and still refreshes the other", async () => {
    const { run, applied, store, clock, events } = setting();
    await run();
    clock.pass(DAY);
    const failing: ListingProvider<UsRow> = { name: "lister", list: () => Promise.reject(new Error("down")) };
    await run({ us: failing });
    expect(store.us.kept?.rows).toEqual([row("ZZQA")]);
    expect(applied).toHaveLength(2);
    expect(applied[1]!.us.has("ZZQA")).toBe(true);
    expect(events().slice(2)).toEqual(["listings_not_refreshed", "listings_refreshed"]);
  });

  it("keeps the old one before one that lost rows, until it is more than a week old", async () => {
    const { run, store, listed, clock, events } = setting();
    listed.us = Array.from({ length: 10 }, (_, i) => row(`ZZQ${i}`));
    await run({ tokens: null });
    listed.us = listed.us.slice(0, 5);
    clock.pass(7 * DAY);
    await run({ tokens: null });
    expect(store.us.kept?.rows).toHaveLength(10);
    clock.pass(1);
    await run({ tokens: null });
    expect(store.us.kept?.rows).toHaveLength(5);
    expect(store.us.reasons).toEqual([undefined, "the stored list was more than a week old"]);
    expect(events()).toEqual(["listings_refreshed", "listings_shrunk", "listings_refreshed"]);
  });

  it("takes no empty list, however old the kept one is", async () => {
    const { run, store, listed, clock } = setting();
    await run();
    listed.us = [];
    clock.pass(30 * DAY);
    await run();
    expect(store.us.kept?.rows).toHaveLength(1);
  });

  it("never throws, whatever fails", async () => {
    const { run, store, events } = setting();
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

  it("asks nobody who is switched off", async () => {
    const { run, applied, lines } = setting();
    await run({ us: null, tokens: null });
    expect(applied).toEqual([]);
    expect(lines).toEqual([]);
  });

  it("gives a lister the signal that ends the asking", async () => {
    const { run } = setting();
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

describe("the listings at the start", () => {
  it("are the embedded table with what is kept", async () => {
    const { store, run, log } = setting();
    expect((await loadListings(store, log)).us.has("ZZQA")).toBe(false);
    await run();
    const listings = await loadListings(store, log);
    expect([listings.us.has("ZZQA"), listings.tokens.has("ZZQC"), listings.us.has("AAPL")]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
