import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { saveWatchlist } from "../../tools/save-watchlist.ts";
import { pro } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";
import { alertMarket, NO_RECEIVER, subscribed } from "../support/watch.ts";

const { ports } = await alertMarket();
const save = (account: string, name: string, symbols: string[]) =>
  invoke(saveWatchlist, { name, symbols }, { ports, principal: { ...pro, account }, transport: "test" });

describe("save_watchlist", () => {
  it("stores canonical symbols once each, and replaces the list of that name", async () => {
    expect(await save("ada", " Tech ", ["aapl", "MSFT", "AAPL"])).toMatchObject({
      watchlist: { name: "tech", symbols: ["AAPL", "MSFT"], saved_at: "2026-01-15T15:00:00.000Z" },
      count: 2,
      replaced: false,
      deleted: false,
      market: "sample",
    });
    expect(await save("ada", "TECH", ["NVDA"])).toMatchObject({ replaced: true, count: 1 });
    expect(await ports.watchlists.find("ada", "tech")).toMatchObject({ symbols: ["NVDA"] });
    expect(await ports.watchlists.find("bob", "tech")).toBeNull();
  });

  it("lists the alternatives of an ambiguous name", async () => {
    const { watchlist, alternatives } = await save("ada", "links", ["LINK"]);
    expect(watchlist.symbols).toEqual(["LINK"]);
    expect(alternatives).toMatchObject([{ symbol: "LINK-USD" }]);
  });

  it("deletes with an empty list, but not a list of another account", async () => {
    await save("cleo", "old", ["AAPL"]);
    await expect(save("dan", "old", [])).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await save("cleo", "old", [])).toMatchObject({ deleted: true, count: 0 });
    await expect(save("cleo", "old", [])).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("rejects invalid names, unknown symbols and symbols without data", async () => {
    await expect(save("ada", "../x", ["AAPL"])).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(save("ada", "x", ["QQQQQQ"])).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
    await expect(save("ada", "x", ["KO"])).rejects.toMatchObject({ code: "NOT_ENOUGH_DATA" });
    expect(await ports.watchlists.find("ada", "x")).toBeNull();
  });

  it("does not delete a list that a subscription watches", async () => {
    await save("eve", "coins", ["BTC-USD"]);
    const subscription = subscribed(1, { watchlist: "coins" });
    await ports.subscriptions.add("eve", { subscription, seen: {}, receiver: NO_RECEIVER });
    await expect(save("eve", "coins", [])).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining(subscription.subscription_id),
    });
    await ports.subscriptions.remove("eve", subscription.subscription_id);
    expect(await save("eve", "coins", [])).toMatchObject({ deleted: true });
  });
});

toolContract(saveWatchlist, { ports });
