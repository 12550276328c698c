import { describe, expect, it } from "vitest";
import { listingRepository } from "../../../src/store/market/listings.ts";
import { testStore } from "../../support/store.ts";

const AT = Date.UTC(2026, 10, 20, 3);
const us = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ticker: `Q${i}`,
    name: `Company ${i}`,
    asset_class: "equity" as const,
    exchange: "NYSE",
  }));
const list = (count: number, fetchedAt = AT) => ({ rows: us(count), fetchedAt, source: "lister" });

async function openRepository() {
  const { db } = await testStore();
  return { db, repository: listingRepository(db, "live") };
}

describe("stored listings", () => {
  it("return the last stored list, null before the first", async () => {
    const { db, repository } = await openRepository();
    expect(await repository.us.read()).toBeNull();
    expect(await repository.us.replace(list(20))).toBe(true);
    expect(await repository.us.replace(list(18, AT + 1))).toBe(true);
    expect(await listingRepository(db, "live").us.read()).toEqual(list(18, AT + 1));
    expect(await repository.tokens.read()).toBeNull();
  });

  it("are not replaced by a list of less than 90 percent without a reason", async () => {
    const { db, repository } = await openRepository();
    await repository.us.replace(list(20));
    expect(await repository.us.replace(list(17, AT + 1))).toBe(false);
    expect(await repository.us.read()).toEqual(list(20));
    expect(await repository.us.replace(list(17, AT + 1), "half the exchange closed")).toBe(true);
    expect(await repository.us.read()).toEqual(list(17, AT + 1));
    expect(await db.selectFrom("listings").select(["kind", "count", "reason"]).execute()).toEqual([
      { kind: "us", count: 17, reason: "half the exchange closed" },
    ]);
  });

  it("belong to one market", async () => {
    const { db } = await testStore();
    await listingRepository(db, "live-elsewhere-1").us.replace(list(20));
    expect(await listingRepository(db, "live").us.read()).toBeNull();
    expect(await listingRepository(db, "live").us.replace(list(2))).toBe(true);
    expect((await listingRepository(db, "live-elsewhere-1").us.read())?.rows).toHaveLength(20);
  });

  it("store tokens separately", async () => {
    const { repository } = await openRepository();
    const { tokens } = repository;
    const coins = {
      rows: [{ base: "BTC", name: "Bitcoin", id: "bitcoin", rank: 1 }],
      fetchedAt: AT,
      source: "c",
    };
    await repository.us.replace(list(20));
    expect(await tokens.replace(coins)).toBe(true);
    expect(await tokens.read()).toEqual(coins);
    expect((await repository.us.read())?.rows).toHaveLength(20);
  });

  it.each(["not JSON", "null", '[{"ticker":"A"}]'])(
    "are null when the stored value is %s",
    async (listed) => {
      const { db, repository } = await openRepository();
      await repository.us.replace(list(2));
      await db.updateTable("listings").set({ listed }).execute();
      expect(await repository.us.read()).toBeNull();
    },
  );
});
