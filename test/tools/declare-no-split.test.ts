import { describe, expect, it } from "vitest";
import type { Bars } from "../../src/domain/market/bars.ts";
import { withRealMoves } from "../../src/features/signal/real-moves.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { noSplits } from "../../src/store/market/no-splits.ts";
import { declareNoSplit } from "../../tools/declare-no-split.ts";
import { getOdds } from "../../tools/get-odds.ts";
import { pro } from "../support/context.ts";
import { climbingBars, marketOf, withPrices } from "../support/market.ts";
import { testStore } from "../support/store.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const climbing: Bars = { ...climbingBars(), adjustment: "unknown" };
const fallen = withPrices(climbing, (price, i) => (i < 200 ? price : price / 2));
const date = new Date(fallen.time[200]!).toISOString().slice(0, 10);
const owner = { ...pro, account: "owner" };

async function market() {
  const { ports } = marketOf({ bars: { AAPL: fallen, SPY: climbing } });
  const { db } = await testStore();
  const declared = noSplits({ db, market: "test" });
  const deps = { ...ports, noSplits: declared };
  const all = { ...deps, bars: withRealMoves(ports.bars, deps) };
  const call = (input: object, principal: typeof pro = owner) =>
    invoke(declareNoSplit, input, { ports: all, principal, transport: "test" });
  return { all, call };
}

describe("declare_no_split", () => {
  it("makes answers use the bars across the change, until it is removed", async () => {
    const { all, call } = await market();
    const odds = () => callerOf(getOdds, all)({ symbol: "AAPL" });
    await expect(odds()).rejects.toMatchObject({ code: "NOT_ENOUGH_DATA" });
    expect(await call({ symbol: "aapl", date })).toMatchObject({
      changed: true,
      hint: "Signals and odds of all accounts use the bars across that day from now on.",
      declared: [{ symbol: "AAPL", date }],
    });
    expect((await odds()).notes).toContainEqual(expect.stringContaining("declared that it is no split"));
    expect(await call({ symbol: "AAPL", date })).toMatchObject({ changed: false });
    expect(await call({})).toMatchObject({ changed: false, declared: [{ symbol: "AAPL", date }] });
    expect(await call({ symbol: "AAPL", date, remove: true })).toMatchObject({ changed: true, declared: [] });
    expect(await call({ symbol: "AAPL", date, remove: true })).toMatchObject({ changed: false });
    await expect(odds()).rejects.toMatchObject({ code: "NOT_ENOUGH_DATA" });
  });

  it("rejects a day without such a change, naming the days that have one, and stores nothing", async () => {
    const { call } = await market();
    await expect(call({ symbol: "AAPL", date: "2026-01-12" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "The daily bars of AAPL have no change like a split on 2026-01-12",
      hint: `Pass date ${date}: the first session at the new price.`,
      data: { errors: [{ pointer: "/date" }] },
    });
    expect((await call({})).declared).toEqual([]);
    await expect(call({ symbol: "SPY", date })).rejects.toMatchObject({
      message: `The daily bars of SPY have no change like a split on ${date}`,
      hint: "There is none to declare: no day of these bars looks like a split.",
    });
    await expect(call({ symbol: "NOSUCH", date })).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
    // a day before the bars that signals read cannot be compared
    expect(await call({ symbol: "AAPL", date: "1999-01-04" })).toMatchObject({ changed: true });
  });

  it("rejects other accounts without the admin scope, a symbol without date, and a future date", async () => {
    const { call } = await market();
    const input = { symbol: "AAPL", date };
    await expect(call(input, { ...pro, account: "ada" })).rejects.toMatchObject({ code: "SCOPE_REQUIRED" });
    const admin = { ...pro, account: "ada", scopes: [...pro.scopes, "admin"] } as typeof pro;
    expect(await call(input, admin)).toMatchObject({ changed: true });
    await expect(call({ symbol: "AAPL" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(call({ symbol: "AAPL", date: "2026-01-17" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});

toolContract(declareNoSplit, { ports: marketOf({ bars: { AAPL: fallen } }).ports });
