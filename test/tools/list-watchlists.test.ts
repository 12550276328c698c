import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { listWatchlists } from "../../tools/list-watchlists.ts";
import { pro } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";
import { alertMarket } from "../support/watch.ts";

const { ports } = await alertMarket();
const list = (account: string) =>
  invoke(listWatchlists, {}, { ports, principal: { ...pro, account }, transport: "test" });

describe("list_watchlists", () => {
  it("lists only the account's own, by name, with a hint before the first", async () => {
    expect(await list("ada")).toMatchObject({ watchlists: [], count: 0, hint: /save_watchlist/ });
    for (const name of ["tech", "coins"])
      await ports.watchlists.save("ada", { name, symbols: ["AAPL"], saved_at: "2026-01-15T15:00:00.000Z" });
    const { watchlists, hint } = await list("ada");
    expect(watchlists.map(({ name }) => name)).toEqual(["coins", "tech"]);
    expect(hint).toBeNull();
    expect((await list("bob")).count).toBe(0);
    const shown = listWatchlists.terminal!(await list("ada"), (_, text) => text);
    expect(shown).toBe("coins AAPL\ntech AAPL");
  });
});

toolContract(listWatchlists, { ports });
