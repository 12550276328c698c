import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { getCongressTrades } from "../../tools/get-congress-trades.ts";
import { disclosure, fixedCongress } from "../support/congress.ts";
import { pro } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
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
const ask = (input: unknown) =>
  invoke(getCongressTrades, input, { ports, principal: { ...pro, plan: "founding" }, door: "test" });

describe("get_congress_trades", () => {
  it("tells every row in the filing's own words, what no signal counts too", async () => {
    const { trades, total } = await ask({});
    expect(total).toBe(2);
    expect(trades).toMatchObject([
      { id: "b", ticker: null, type: "exchange", as_filed: { type: "E", amount: "$15,001 -", owner: "JT" } },
      { id: "a", amended: true },
    ]);
  });

  it("lists filings that could not be read, and how many there are", async () => {
    const answer = await ask({});
    expect(answer.unread).toHaveLength(50);
    expect(answer.unread_total).toBe(60);
    expect(answer.notes[0]).toBe("60 filings of these days could not be read: Scanned (60)");
  });

  it("takes no party: raw rows have none of their own", async () => {
    await expect(ask({ party: "D" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

toolContract(getCongressTrades, { ports });
