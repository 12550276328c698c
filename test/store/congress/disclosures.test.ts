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
const scan = (doc_id: string, filing_date: string, retryable: boolean) => ({
  doc_id,
  member: "Member Two",
  chamber: "house" as const,
  filing_date,
  doc_url: null,
  why: "a scan",
  retryable,
});
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

async function openRepository() {
  const { db } = await testStore();
  return { db, repository: disclosureRepository(db, "live") };
}

describe("stored disclosures", () => {
  it("are listed newest filing first, filtered by date and ticker", async () => {
    const { repository } = await openRepository();
    const trades = [
      disclosure({ id: "a", filing_date: "2026-01-02" }),
      disclosure({ id: "b", filing_date: "2026-01-10", ticker: null }),
      disclosure({ id: "c", filing_date: "2026-01-12", ticker: "MSFT" }),
    ];
    await repository.save({ ...nothing, trades });
    expect(await repository.trades(HOUSE, ALL)).toEqual([trades[2], trades[1], trades[0]]);
    expect(idsOf(await repository.trades(HOUSE, { ...ALL, from: "2026-01-10" }))).toEqual(["c", "b"]);
    expect(idsOf(await repository.trades(HOUSE, { ...ALL, until: "2026-01-10" }))).toEqual(["b", "a"]);
    expect(idsOf(await repository.trades(HOUSE, { ...ALL, ticker: "MSFT" }))).toEqual(["c"]);
    expect((await repository.state(HOUSE)).newest).toBe("2026-01-12");
  });

  it("are replaced under the same id", async () => {
    const { repository } = await openRepository();
    const many = Array.from({ length: 450 }, (_, i) => disclosure({ id: `${i}`, member_id: null }));
    await repository.save({ ...nothing, trades: many });
    await repository.save({
      ...nothing,
      trades: many.map((trade) => ({ ...trade, member_id: "M1", party: "R" })),
    });
    const stored = await repository.trades(HOUSE, ALL);
    expect(stored).toHaveLength(450);
    expect(new Set(stored.map(({ party }) => party))).toEqual(new Set(["R"]));
    expect(await repository.unmatched(HOUSE, "2020-01-01")).toEqual([]);
  });

  it("list trades without a matched member", async () => {
    const { repository } = await openRepository();
    const trades = [disclosure({ id: "a", member_id: null }), disclosure({ id: "b" })];
    await repository.save({ ...nothing, trades });
    expect(idsOf(await repository.unmatched(HOUSE, "2026-01-01"))).toEqual(["a"]);
    expect(await repository.unmatched(HOUSE, "2026-01-11")).toEqual([]);
  });

  it("return the filings that were read, and which to retry", async () => {
    const { repository } = await openRepository();
    await repository.save({
      ...nothing,
      read: ["1", "2", "3", "4"],
      unread: [scan("2", "2026-01-09", false), scan("3", "2026-01-09", true), scan("4", "2025-01-09", true)],
    });
    expect([...(await repository.known(HOUSE, "2026-01-01"))].sort()).toEqual(["1", "2", "4"]);
    const unread = await repository.unread(HOUSE, ALL);
    expect(unread.map(({ doc_id }) => doc_id)).toEqual(["3", "2", "4"]);
    expect(unread[0]).not.toHaveProperty("retryable");
    await repository.save({ ...nothing, read: ["3"], trades: [disclosure({ id: "3:0" })] });
    expect((await repository.unread(HOUSE, ALL)).map(({ doc_id }) => doc_id)).toEqual(["2", "4"]);
    expect((await repository.known(HOUSE, "2026-01-01")).has("3")).toBe(true);
  });

  it("return their coverage, and keep values that are not updated", async () => {
    const { repository } = await openRepository();
    expect(await repository.state(HOUSE)).toEqual({
      answeredAt: null,
      refreshedAt: null,
      completeFrom: null,
      newest: null,
    });
    await repository.save({ ...nothing, completeFrom: "2026-01-05", answeredAt: Date.UTC(2026, 0, 14) });
    expect(await repository.state(HOUSE)).toMatchObject({
      refreshedAt: null,
      completeFrom: "2026-01-05",
    });
    await repository.save({ ...nothing, refreshedAt: Date.UTC(2026, 0, 15) });
    await repository.save(nothing);
    expect(await repository.state(HOUSE)).toEqual({
      answeredAt: Date.UTC(2026, 0, 14),
      refreshedAt: Date.UTC(2026, 0, 15),
      completeFrom: "2026-01-05",
      newest: null,
    });
  });

  it("belong to one market, provider and chamber", async () => {
    const { db } = await testStore();
    await disclosureRepository(db, "live").save({ ...nothing, trades: [disclosure()], read: ["1"] });
    const elsewhere = disclosureRepository(db, "live-elsewhere-1");
    expect(await elsewhere.trades(HOUSE, ALL)).toEqual([]);
    expect((await elsewhere.known(HOUSE, "2020-01-01")).size).toBe(0);
    const repository = disclosureRepository(db, "live");
    expect(await repository.trades({ ...HOUSE, source: "other" }, ALL)).toEqual([]);
    expect(await repository.trades({ ...HOUSE, chamber: "senate" }, ALL)).toEqual([]);
  });

  it("ignore an invalid row", async () => {
    const { db, repository } = await openRepository();
    await repository.save({ ...nothing, trades: [disclosure({ id: "a" }), disclosure({ id: "b" })] });
    await db.updateTable("disclosures").set({ json: "{" }).where("id", "=", "a").execute();
    expect(idsOf(await repository.trades(HOUSE, ALL))).toEqual(["b"]);
  });
});
