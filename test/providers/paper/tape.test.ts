import { expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import type { BarHistory } from "../../../src/domain/ports.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { paperExchange } from "../../../src/providers/paper/exchange.ts";
import { intent } from "../broker-contract.ts";
import { paperBench } from "./bench.ts";

const DAY = 86_400_000;
const BITCOIN: Instrument = {
  symbol: "BTC-USD",
  name: "Bitcoin",
  sector: null,
  currency: "USD",
  asset_class: "crypto",
};

/** A paper account in a market whose provider of five-minute bars fails. */
async function without(failure: ToolError) {
  const bench = await paperBench();
  const bars: BarHistory = {
    history: (instrument, request) =>
      request.timeframe === "5m" ? Promise.reject(failure) : bench.bars.history(instrument, request),
  };
  const symbols = { find: () => ({ instrument: BITCOIN, alternatives: [] }) };
  const { repository, quotes, clock } = bench;
  const broker = paperExchange({
    account: "ada",
    connection: "cn_1",
    repository,
    symbols,
    quotes,
    bars,
    clock,
  });
  return { ...bench, broker };
}

const resting = intent("BTC-USD", { type: "limit", limit_price: "95", quantity: "1", time_in_force: "gtc" });

it("matches working orders against daily bars if the market has no finer ones", async () => {
  const { broker, clock, day } = await without(new ToolError("NOT_ENOUGH_DATA", "There are no 5m bars"));
  await broker.submit({ clientOrderId: "a", intent: resting });
  day(Date.UTC(2026, 0, 16), { open: 97, low: 94, high: 98 });
  clock.pass(3 * DAY);
  expect(await broker.find("a")).toMatchObject({ status: "filled", averagePrice: "95" });
});

it("fails if the provider of five-minute bars is unavailable", async () => {
  const { broker, clock } = await without(new ToolError("UPSTREAM_UNAVAILABLE", "No provider responds"));
  await broker.submit({ clientOrderId: "a", intent: resting });
  clock.pass(3 * DAY);
  await expect(broker.find("a")).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
});
