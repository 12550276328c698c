import { expect, it } from "vitest";
import { tradeNotes } from "../../../src/store/trading/trade-notes.ts";
import { testStore } from "../../support/store.ts";

const note = (n: number, order = "or_1") => ({
  id: `tn_${n}`,
  order,
  note: `note ${n}`,
  at: new Date(Date.UTC(2026, 0, 15, 15, n)).toISOString(),
});

it("lists notes in the order they were written, by account and market", async () => {
  const { db } = await testStore();
  const notes = tradeNotes({ db, market: "test" });
  await notes.add("ada", note(2));
  await notes.add("ada", note(1, "or_2"));
  await notes.add("bob", note(1));
  expect(await notes.list("ada")).toEqual([note(1, "or_2"), note(2)]);
  expect(await notes.list("bob")).toEqual([note(1)]);
  expect(await tradeNotes({ db, market: "another" }).list("ada")).toEqual([]);
});

it("stores at most fifty notes of an order, and changes none", async () => {
  const notes = tradeNotes({ db: (await testStore()).db, market: "test" });
  for (let n = 1; n <= 50; n++) await notes.add("ada", note(n));
  await expect(notes.add("ada", note(51))).rejects.toMatchObject({ code: "REFUSED" });
  await notes.add("ada", note(52, "or_2"));
  await expect(notes.add("ada", { ...note(52, "or_3"), note: "another" })).rejects.toThrow();
  expect((await notes.list("ada")).map(({ note }) => note)).not.toContain("another");
});
