import { expect, it } from "vitest";
import { drawnLevels } from "../../../src/store/drawn-levels/drawn-levels.ts";
import { testStore } from "../../support/store.ts";

const at = "2026-01-15T15:00:00.000Z";
const level = (price: number) => ({ price, label: null, created_at: at });

it("stores levels by account and market, and deletes the row of a symbol without any", async () => {
  const { db } = await testStore();
  const { find, save } = drawnLevels({ db, market: "test" });
  const saved = { levels: [level(180)], levels_saved_at: at, note: null, note_saved_at: null };
  expect(await save("ada", "AAPL", { levels: [level(180)], at })).toEqual(saved);
  expect(await find("ada", "AAPL")).toEqual(saved);
  expect(await find("bob", "AAPL")).toBeNull();
  expect(await drawnLevels({ db, market: "another" }).find("ada", "AAPL")).toBeNull();
  await save("ada", "AAPL", { levels: [], at });
  expect(await find("ada", "AAPL")).toBeNull();
});

it("stores levels on at most 1,000 symbols of an account; known symbols can still be changed", async () => {
  const { db } = await testStore();
  const { save } = drawnLevels({ db, market: "test" });
  for (let n = 0; n < 1_000; n++) await save("ada", `S${n}`, { note: "x", at });
  await expect(save("ada", "MORE", { note: "x", at })).rejects.toMatchObject({ code: "REFUSED" });
  expect(await save("ada", "S7", { note: "y", at })).toMatchObject({ note: "y" });
  expect(await save("bob", "MORE", { note: "x", at })).toMatchObject({ note: "x" });
});
