import { expect, it } from "vitest";
import { subscriptionRepository } from "../../../src/store/alerts/subscriptions.ts";
import { watchlists } from "../../../src/store/alerts/watchlists.ts";
import { testStore } from "../../support/store.ts";
import { subscribed } from "../../support/watch.ts";

const saved_at = "2026-01-15T15:00:00.000Z";
const list = (name: string, symbols: readonly string[] = ["AAPL"]) => ({
  name,
  symbols: [...symbols],
  saved_at,
});
const openRepository = async () => {
  const { db } = await testStore();
  return { db, ...watchlists({ db, market: "test" }) };
};

it("stores watchlists by account and market", async () => {
  const { db, save, find } = await openRepository();
  expect(await save("ada", list("tech", ["AAPL", "MSFT"]))).toEqual({ replaced: false });
  await save("bob", list("tech"));
  expect(await find("ada", "tech")).toEqual(list("tech", ["AAPL", "MSFT"]));
  expect(await find("bob", "tech")).toEqual(list("tech"));
  expect(await watchlists({ db, market: "another" }).list("ada")).toEqual([]);
  expect(await save("bob", list("tech", []))).toEqual({ replaced: true });
  expect(await find("bob", "tech")).toBeNull();
  expect(await find("ada", "tech")).not.toBeNull();
});

it("stores at most twenty watchlists of an account", async () => {
  const { save, list: all } = await openRepository();
  for (let n = 0; n < 20; n++) await save("ada", list(`list ${n}`));
  await expect(save("ada", list("another"))).rejects.toMatchObject({ code: "REFUSED" });
  await save("ada", list("list 0", ["MSFT"]));
  await save("bob", list("another"));
  expect(await all("ada")).toHaveLength(20);
});

it("rejects deleting a watchlist in use, and more symbols than a subscription may have", async () => {
  const { db, save, find } = await openRepository();
  await save("ada", list("tech"));
  await subscriptionRepository({ db, market: "test" }).add("ada", {
    subscription: subscribed(1, { watchlist: "tech" }),
    seen: {},
  });
  const many = Array.from({ length: 51 }, (_, n) => `S${n}`);
  for (const symbols of [[], many])
    await expect(save("ada", list("tech", symbols))).rejects.toMatchObject({ code: "REFUSED" });
  expect(await save("ada", list("tech", many.slice(1)))).toEqual({ replaced: true });
  expect((await find("ada", "tech"))?.symbols).toHaveLength(50);
});
