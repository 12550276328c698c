import { describe, expect, it } from "vitest";
import { getCongressTrades } from "../../tools/get-congress-trades.ts";
import { coverageOf, disclosure, fixedCongress } from "../support/congress.ts";
import { pro } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const bond = disclosure({
  id: "b",
  ticker: null,
  asset: "A bond",
  asset_type: "bond",
  type: "exchange",
  as_filed: { type: "E", amount: "$15,001 -", owner: "JT" },
});
const { ports: market } = smallMarket();
const { congress } = fixedCongress([bond, disclosure({ id: "a", amended: true })]);
const unread = Array.from({ length: 60 }, (_, i) => ({
  doc_id: `${i}`,
  member: "Member Two",
  chamber: "house" as const,
  filing_date: "2026-01-09",
  doc_url: null,
  why: "Scanned",
}));
const ports = {
  ...market,
  congress: {
    disclosures: async (request: Parameters<typeof congress.disclosures>[0]) => ({
      ...(await congress.disclosures(request)),
      unread,
    }),
  },
};
const ask = callerOf(getCongressTrades, ports, { ...pro, plan: "founding" });

describe("get_congress_trades", () => {
  it("returns every row as filed, including those that no signal counts", async () => {
    const { trades, total } = await ask({});
    expect(total).toBe(2);
    expect(trades).toMatchObject([
      { id: "b", ticker: null, type: "exchange", as_filed: { type: "E", amount: "$15,001 -", owner: "JT" } },
      { id: "a", amended: true },
    ]);
  });

  it("lists unreadable filings, with their total", async () => {
    const answer = await ask({});
    expect(answer.unread).toHaveLength(50);
    expect(answer.unread_total).toBe(60);
    expect(answer.notes[0]).toBe("60 filings of these days (all tickers) could not be read: Scanned (60)");
  });

  it("has no totals when no filings of the days are stored", async () => {
    const held = coverageOf({ house: "2025-06-01", senate: false });
    const window = { from: "2025-01-01", to: "2025-05-31" };
    const none = await ask(window, fixedCongress([], held));
    expect(none).toMatchObject({
      trades: [],
      total: null,
      unread_total: null,
      held: "none",
      reason:
        "No filings of these days are stored: those of the House are stored from 2025-06-01 on; none of the Senate",
    });
    expect(
      await ask({ ...window, to: "2025-06-01", chamber: "house" }, fixedCongress([], held)),
    ).toMatchObject({
      total: 0,
      unread_total: 0,
      held: "part",
      reason:
        "No disclosure filed in these days matches. Not all filings of these days are stored: those of the House are stored from 2025-06-01 on",
    });
  });

  it("has notes only on the requested chamber", async () => {
    const { notes, held } = await ask(
      { chamber: "house" },
      fixedCongress([bond], coverageOf({ senate: false })),
    );
    expect([held, notes.filter((note) => note.startsWith("senate"))]).toEqual(["complete", []]);
  });

  it("rejects a party: raw rows have none", async () => {
    await expect(ask({ party: "D" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

toolContract(getCongressTrades, { ports });
