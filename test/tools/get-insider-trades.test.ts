import { describe, expect, it } from "vitest";
import { noCompany } from "../../src/app/providers/not-connected.ts";
import type { InsiderRequest } from "../../src/domain/company/company-port.ts";
import type { InsiderFilings, InsiderTrade } from "../../src/domain/company/insiders.ts";
import type { Company } from "../../src/domain/ports.ts";
import { getInsiderTrades } from "../../tools/get-insider-trades.ts";
import { NOW } from "../support/context.ts";
import { simulatedMarket, smallMarket } from "../support/market.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const trade = (over: Partial<InsiderTrade> = {}): InsiderTrade => ({
  owner: "Doe Jane",
  relations: ["officer"],
  title: "CFO",
  joint_owners: 0,
  date: "2026-01-12",
  code: "S",
  direction: "disposed",
  security: "Common Stock",
  derivative: false,
  shares: 100,
  price: 20.5,
  held_after: 900,
  ownership: "direct",
  plan: true,
  form: "4",
  filed: "2026-01-14",
  accession: "0000000001-26-000001",
  ...over,
});
const trades = [
  trade(),
  trade({ shares: 10, price: 21 }),
  trade({ code: "P", direction: "acquired", shares: 5, price: null }),
  trade({ code: "P", direction: "acquired", derivative: true }),
  trade({ code: "A", direction: "acquired", price: null }),
];

/** A company with these filings; `requests` records the requests. */
function companyOf(over: Partial<InsiderFilings & { stale: boolean }> = {}) {
  const requests: InsiderRequest[] = [];
  const filings = { trades, read: 2, unread: 0, more: false, stale: false, ...over };
  const company: Company = {
    ...noCompany,
    async insiders(_, { openMarket, count, until }) {
      requests.push({ openMarket, count, until });
      return { ...filings, source: "sec", fetchedAt: NOW.toISOString(), tried: [] };
    },
  };
  return { company, requests };
}
const ports = { ...smallMarket().ports, company: companyOf().company };
const call = callerOf(getInsiderTrades, ports);

describe("get_insider_trades", () => {
  it("lists the transactions with the meaning of their codes, and sums purchases and sales of shares", async () => {
    const answer = await call({ symbol: "AAPL" });
    expect(answer).toMatchObject({
      symbol: "AAPL",
      coverage: { status: "covered", reason: null },
      as_of: NOW.toISOString(),
      trades,
      // 100 x 20.5 + 10 x 21
      sold: { trades: 2, shares: 110, value: 2260 },
      bought: { trades: 1, shares: 5, value: null },
      filings_read: 2,
      provenance: { provider: "sec", fetched_at: NOW.toISOString(), stale: false },
      notes: [],
    });
    expect(answer.codes).toEqual([
      { code: "A", meaning: "grant or award from the company" },
      { code: "P", meaning: "purchase on the open market or in private" },
      { code: "S", meaning: "sale on the open market or in private" },
    ]);
  });

  it("requests only what is asked for, as filed by then", async () => {
    const { company, requests } = companyOf();
    await call({ symbol: "AAPL", open_market: true, limit: 3, as_of: "2025-12-31" }, { company });
    expect(requests).toEqual([{ openMarket: true, count: 3, until: Date.parse("2026-01-01T00:00:00Z") }]);
    await call({ symbol: "AAPL", detail: "concise", limit: 100 }, { company });
    expect(requests[1]).toEqual({ openMarket: false, count: 30, until: undefined });
    await expect(call({ symbol: "AAPL", as_of: "2027-01-01" })).rejects.toMatchObject(invalidField("/as_of"));
  });

  it("notes what is old, unreadable or not listed", async () => {
    const { company } = companyOf({ stale: true, unread: 2 });
    const answer = await call({ symbol: "AAPL", limit: 1 }, { company });
    expect(answer.trades).toHaveLength(1);
    expect(answer.notes).toEqual([
      "No provider responds; these are the last known filings",
      "2 filings could not be read",
      "Older transactions are not listed",
    ]);
    const more = await call({ symbol: "AAPL" }, { company: companyOf({ more: true }).company });
    expect(more.notes).toEqual(["Older transactions are not listed"]);
  });

  it("gives the reason without a provider and for funds, and rejects if the provider fails", async () => {
    const without = { trades: [], bought: null, sold: null, filings_read: null, provenance: null };
    expect(await call({ symbol: "AAPL" }, { company: noCompany })).toMatchObject({
      ...without,
      coverage: { status: "not_connected", reason: expect.stringContaining("SEC_CONTACT") },
    });
    expect(await call({ symbol: "SPY" })).toMatchObject({
      ...without,
      coverage: { status: "not_covered", reason: "Only US companies file statements, not funds and coins" },
    });
    const failing: Company = { ...noCompany, insiders: async () => Promise.reject(new Error("down")) };
    await expect(call({ symbol: "AAPL" }, { company: failing })).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("takes about 1,500 tokens with detail concise in the simulated market", async () => {
    const market = simulatedMarket("2026-01-15T15:00:00.000Z");
    const answer = await call({ symbol: "AAPL", detail: "concise" }, market);
    expect(answer.trades).toHaveLength(8);
    // about four characters per token
    expect(JSON.stringify(answer).length).toBeLessThan(6_000);
  });
});

describe("get_insider_trades from and to", () => {
  const days = [14, 14, 14, 12, 12, 9, 9, 9, 9, 5, 2].map((day) => `2026-01-${String(day).padStart(2, "0")}`);
  const all = days.map((filed, i) => trade({ filed, shares: i }));
  /** A company whose filings are read newest first until there are enough. */
  const company: Company = {
    ...noCompany,
    async insiders(_, { count, until = NOW.getTime() }) {
      const known = all.filter(({ filed }) => Date.parse(filed) <= until);
      const read = known.slice(0, count);
      const filings = { read: 2, unread: 0, more: read.length < known.length, stale: false };
      return { ...filings, trades: read, source: "sec", fetchedAt: NOW.toISOString(), tried: [] };
    },
  };
  const call = callerOf(getInsiderTrades, { ...smallMarket().ports, company });
  const sharesOf = ({ trades }: { trades: readonly InsiderTrade[] }) => trades.map(({ shares }) => shares);

  it("returns the filings of a range of days", async () => {
    const answer = await call({ symbol: "AAPL", from: "2026-01-05", to: "2026-01-12" });
    expect(sharesOf(answer)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(answer).toMatchObject({ next_cursor: null, notes: [] });
  });

  it.each([1, 2, 3, 5, 20])("returns each transaction once, %i to a page", async (limit) => {
    const seen: (number | null)[] = [];
    let cursor: string | null | undefined;
    do {
      const answer: Awaited<ReturnType<typeof call>> = await callerOf(getInsiderTrades, {
        ...smallMarket().ports,
        company,
      })({ symbol: "AAPL", from: "2026-01-05", limit, ...(cursor && { cursor }) });
      seen.push(...sharesOf(answer));
      cursor = answer.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

toolContract(getInsiderTrades, { ports });
