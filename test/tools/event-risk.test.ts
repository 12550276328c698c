import { expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { explainSignal } from "../../tools/explain-signal.ts";
import { getAnalysis } from "../../tools/get-analysis.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { getSignalCard } from "../../tools/get-signal-card.ts";
import { pro } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";

const { ports } = smallMarket();
const earnings: typeof ports.earnings = {
  ...ports.earnings,
  next: async () => ({
    next: { date: "2026-01-29", hour: "after_close", confirmed: true },
    reason: null,
  }),
};
const call = { ports: { ...ports, earnings }, principal: pro, transport: "test" };
const plain = (_: string, text: string) => text;

it("returns the same event risk in every answer with a single signal", async () => {
  const { event_risk } = (await invoke(getSignal, { symbol: "AAPL" }, call)).data;
  expect(event_risk).toMatchObject({
    horizon: "2026-02-13",
    earnings: { date: "2026-01-29", days: 14, within_horizon: true },
    holiday: { date: "2026-01-19" },
    within_horizon: true,
  });
  const card = await invoke(getSignalCard, { symbol: "AAPL" }, call);
  const explained = await invoke(explainSignal, { symbol: "AAPL" }, call);
  const analysed = await invoke(getAnalysis, { symbol: "AAPL" }, call);
  for (const told of [card.data.event_risk, explained.event_risk, analysed.event_risk])
    expect(told).toEqual(event_risk);
  const line = "2026-01-29: earnings, in 14 days, before the plan ends";
  expect(analysed.analysis).toMatchObject({ catalysts: [line], catalysts_reason: null });
  expect(explainSignal.terminal!(explained, plain)).toContain(`  upcoming: ${line}`);
  expect(getAnalysis.terminal!(analysed, plain)).toContain(`upcoming    ${line}`);
});

it("prints that no earnings date is known", async () => {
  const answer = await invoke(getSignal, { symbol: "AAPL" }, { ...call, ports });
  expect(answer.data.event_risk.earnings).toBeNull();
  expect(getSignal.terminal!(answer, plain)).toContain("no earnings date: CSV files hold no");
});
