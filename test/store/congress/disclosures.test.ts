import { describe, expect, it } from "vitest";
import { disclosureRepository } from "../../../src/store/congress/disclosures.ts";
import { disclosure } from "../../support/congress.ts";
import { testStore } from "../../support/store.ts";

const HOUSE = { source: "clerk", chamber: "house" } as const;
const ALL = { from: "2020-01-01", until: "2030-01-01", ticker: null };
const nothing = {
  ...HOUSE,
  trades: [],
  unread: [],
  read: [],
  completeFrom: null,
  answeredAt: null,
  refreshedAt: null,
};
const scan = (doc_id: string, filing_date: string, again: boolean) => ({
  doc_id,
  member: "Member Two",
  chamber: "house" as const,
  filing_date,
  doc_url: null,
  why: "a scan",
  again,
});
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

describe("stored disclosures", () => {
  it("are listed newest filing first, filtered by date and ticker", async () => {
    const { db } = await testStore();
    const openRepository = disclosureRepository(db, "live");
    const trades = [
      disclosure({ id: "a", filing_date: "2026-01-02" }),
      disclosure({ id: "b", filing_date: "2026-01-10", ticker: null }),
      disclosure({ id: "c", filing_date: "2026-01-12", ticker: "MSFT" }),
    ];
    await openRepository.save({ ...nothing, trades });
    expect(await openRepository.trades(HOUSE, ALL)).toEqual([trades[2], trades[1], trades[0]]);
    expect(idsOf(await openRepository.trades(HOUSE, { ...ALL, from: "2026-01-10" }))).toEqual(["c", "b"]);
    expect(idsOf(await openRepository.trades(HOUSE, { ...ALL, until: "2026-01-10" }))).toEqual(["b", "a"]);
    expect(idsOf(await openRepository.trades(HOUSE, { ...ALL, ticker: "MSFT" }))).toEqual(["c"]);
    expect((await openRepository.state(HOUSE)).newest).toBe("2026-01-12");
  });

  it("are replaced under the same name", async () => {
    const { db } = await testStore();
    const openRepository = disclosureRepository(db, "live");
    const many = Array.from({ length: 450 }, (_, i) => disclosure({ id: `${i}`, member_id: null }));
    await openRepository.save({ ...nothing, trades: many });
    await openRepository.save({
      ...nothing,
      trades: many.map((trade) => ({ ...trade, member_id: "M1", party: "R" })),
    });
    const stored = await openRepository.trades(HOUSE, ALL);
    expect(stored).toHaveLength(450);
    expect(new Set(stored.map(({ party }) => party))).toEqual(new Set(["R"]));
    expect(await openRepository.unmatched(HOUSE, "2020-01-01")).toEqual([]);
  });

  it("list trades without a matched member", async () => {
    const { db } = await testStore();
    const openRepository = disclosureRepository(db, "live");
    const trades = [disclosure({ id: "a", member_id: null }), disclosure({ id: "b" })];
    await openRepository.save({ ...nothing, trades });
    expect(idsOf(await openRepository.unmatched(HOUSE, "2026-01-01"))).toEqual(["a"]);
    expect(await openRepository.unmatched(HOUSE, "2026-01-11")).toEqual([]);
  });

  it("know which filings were read, and which to try again", async () => {
    const { db } = await testStore();
    const openRepository = disclosureRepository(db, "live");
    await openRepository.save({
      ...nothing,
      read: ["1", "2", "3", "4"],
      unread: [scan("2", "2026-01-09", false), scan("3", "2026-01-09", true), scan("4", "2025-01-09", true)],
    });
    expect([...(await openRepository.known(HOUSE, "2026-01-01"))].sort()).toEqual(["1", "2", "4"]);
    const unread = await openRepository.unread(HOUSE, ALL);
    expect(unread.map(({ doc_id }) => doc_id)).toEqual(["3", "2", "4"]);
    expect(unread[0]).not.toHaveProperty("again");
    await openRepository.save({ ...nothing, read: ["3"], trades: [disclosure({ id: "3:0" })] });
    expect((await openRepository.unread(HOUSE, ALL)).map(({ doc_id }) => doc_id)).toEqual(["2", "4"]);
    expect((await openRepository.known(HOUSE, "2026-01-01")).has("3")).toBe(true);
  });

  it("say how far they go, and keep what is not said anew", async () => {
    const { db } = await testStore();
    const openRepository = disclosureRepository(db, "live");
    expect(await openRepository.state(HOUSE)).toEqual({
      answeredAt: null,
      refreshedAt: null,
      completeFrom: null,
      newest: null,
    });
    await openRepository.save({ ...nothing, completeFrom: "2026-01-05", answeredAt: Date.UTC(2026, 0, 14) });
    expect(await openRepository.state(HOUSE)).toMatchObject({
      refreshedAt: null,
      completeFrom: "2026-01-05",
    });
    await openRepository.save({ ...nothing, refreshedAt: Date.UTC(2026, 0, 15) });
    await openRepository.save(nothing);
    expect(await openRepository.state(HOUSE)).toEqual({
      answeredAt: Date.UTC(2026, 0, 14),
      refreshedAt: Date.UTC(2026, 0, 15),
      completeFrom: "2026-01-05",
      newest: null,
    });
  });

  it("of one market, source and chamber are not another's", async () => {
    const { db } = await testStore();
    await disclosureRepository(db, "live").save({ ...nothing, trades: [disclosure()], read: ["1"] });
    const elsewhere = disclosureRepository(db, "live-elsewhere-1");
    expect(await elsewhere.trades(HOUSE, ALL)).toEqual([]);
    expect((await elsewhere.known(HOUSE, "2020-01-01")).size).toBe(0);
    const openRepository = disclosureRepository(db, "live");
    expect(await openRepository.trades({ ...HOUSE, source: "other" }, ALL)).toEqual([]);
    expect(await openRepository.trades({ ...HOUSE, chamber: "senate" }, ALL)).toEqual([]);
  });

  it("leave out a spoiled row", async () => {
    const { db } = await testStore();
    const openRepository = disclosureRepository(db, "live");
    await openRepository.save({ ...nothing, trades: [disclosure({ id: "a" }), disclosure({ id: "b" })] });
    await db.updateTable("disclosures").set({ said: "{" }).where("id", "=", "a").execute();
    expect(idsOf(await openRepository.trades(HOUSE, ALL))).toEqual(["b"]);
  });
});
