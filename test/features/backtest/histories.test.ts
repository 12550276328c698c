import { expect, it } from "vitest";
import { readHistories } from "../../../src/features/backtest/histories.ts";
import { climbingBars, marketOf, YESTERDAY } from "../../support/market.ts";

const DAY = 86_400_000;
const { ports, requests } = marketOf({
  bars: {
    AAPL: climbingBars({ count: 30 }),
    MSFT: climbingBars({ count: 10 }),
    "BTC-USD": climbingBars({ count: 30, zone: "UTC" }),
  },
});
const { signal } = new AbortController();
const read = (symbols: readonly string[], more: { readonly from?: number; readonly to?: number } = {}) =>
  readHistories({ symbols, timeframe: "1d", signal, ...more }, ports);

it("reads each instrument once, in request order, and lists repeated names", async () => {
  requests.length = 0;
  const all = await read(["msft", "AAPL", "MSFT", "aapl"]);
  expect(all.read.map(({ instrument }) => instrument.symbol)).toEqual(["MSFT", "AAPL"]);
  expect(all.repeated).toEqual(["MSFT", "aapl"]);
  expect(requests.map(({ symbol, limit }) => [symbol, limit])).toEqual([
    ["MSFT", 6_500],
    ["AAPL", 6_500],
  ]);
});

it("reads closed bars only, including those before `from`", async () => {
  const to = YESTERDAY - 5 * DAY;
  const [one] = (await read(["BTC-USD"], { from: to - 3 * DAY, to })).read;
  const { time } = one!.series.bars;
  // of 30 days the last five are later, and the bar of `to` itself closes a day after it
  expect([time.length, time.at(-1)]).toEqual([24, to - DAY]);
  expect(one!.series.as_of).toBe(new Date(to).toISOString());
});

it("names the available days when none is in the requested period", async () => {
  const late = { code: "NOT_ENOUGH_DATA", data: { symbol: "MSFT", available: 10 } };
  await expect(read(["MSFT"], { from: YESTERDAY + DAY })).rejects.toMatchObject({
    ...late,
    message: "MSFT has no 1d bars in the requested period; available: bars from 2026-01-01 to 2026-01-14",
    hint: "Choose from and to in that range.",
  });
  await expect(read(["MSFT"], { to: Date.UTC(2020, 0, 1) })).rejects.toMatchObject(late);
});

it("states when there are no bars of that timeframe", async () => {
  await expect(readHistories({ symbols: ["MSFT"], timeframe: "1h", signal }, ports)).rejects.toMatchObject({
    code: "NOT_ENOUGH_DATA",
    message: "MSFT has no 1h bars in the requested period; available: none",
  });
  await expect(read(["AAPL", "nonesuch"])).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
});
