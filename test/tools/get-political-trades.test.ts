import { describe, expect, it } from "vitest";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { getPoliticalTrades } from "../../tools/get-political-trades.ts";
import { coverageOf, disclosure, fixedCongress } from "../support/congress.ts";
import { smallMarket } from "../support/market.ts";
import { callerOf, invalidAmongOthers } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const founding: Principal = { account: "founding", plan: "founding", scopes: ["read"] };
const held = [
  disclosure({ id: "d", filing_date: "2026-01-12", member_id: "M1" }),
  disclosure({ id: "c", filing_date: "2026-01-10", member_id: "M2", party: "R", type: "sell" }),
  disclosure({ id: "b", filing_date: "2026-01-10", member_id: "M3", chamber: "senate", ticker: "MSFT" }),
  disclosure({ id: "a", filing_date: "2026-01-02", member_id: "M4", party: "I" }),
];
const { ports: market } = smallMarket();
const ports = { ...market, congress: fixedCongress(held).congress };
const ask = callerOf(getPoliticalTrades, ports, founding);
const ids = async (input: unknown) => (await ask(input)).trades.map(({ id }) => id);

describe("get_political_trades", () => {
  it("returns trades newest filing first, with totals and net sentiment", async () => {
    const answer = await ask({});
    expect(answer).toMatchObject({
      count: 4,
      total: 4,
      members: 4,
      from: "2025-01-16",
      to: "2026-01-15",
      next_cursor: null,
      reason: null,
      source: "fixture",
      net_sentiment: { signal: "BUYING", members: { buying: 3, selling: 1 } },
    });
    expect(answer.trades.map(({ id }) => id)).toEqual(["d", "c", "b", "a"]);
    expect(answer.trades[0]).not.toHaveProperty("as_filed");
  });

  it.each([
    [{ ticker: "msft" }, ["b"]],
    [{ chamber: "senate" }, ["b"]],
    [{ party: "R" }, ["c"]],
    [{ type: "sell" }, ["c"]],
    [{ party: "D", type: "buy", chamber: "house" }, ["d"]],
    [{ from: "2026-01-03" }, ["d", "c", "b"]],
    [{ to: "2026-01-10" }, ["c", "b", "a"]],
    [{ from: "2026-01-10", to: "2026-01-10" }, ["c", "b"]],
    [{ ticker: "NVDA" }, []],
  ])("filters by %j", async (input, expected) => {
    expect(await ids(input)).toEqual(expected);
  });

  it("pages without losing or repeating a row, with the sentiment of the whole list", async () => {
    const pages: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await ask({ limit: 1, ...(cursor && { cursor }) });
      expect(page.net_sentiment.members).toEqual({ buying: 3, selling: 1, even: 0 });
      expect(page.total).toBe(4);
      pages.push(...page.trades.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual(["d", "c", "b", "a"]);
  });

  it("continues from a page after newer filings arrived", async () => {
    const { next_cursor } = await ask({ limit: 2 });
    const newer = disclosure({ id: "e", filing_date: "2026-01-15" });
    const { congress } = fixedCongress([newer, ...held]);
    const { trades } = await ask({ limit: 2, cursor: next_cursor }, { congress });
    expect(trades.map(({ id }) => id)).toEqual(["b", "a"]);
  });

  it("states why there are no trades", async () => {
    expect(await ask({ ticker: "NVDA" })).toMatchObject({
      trades: [],
      reason: "No disclosure filed in these days matches",
      net_sentiment: { signal: "NEUTRAL", lean: null },
    });
  });

  it("computes the sentiment from both sides when one side is requested", async () => {
    const answer = await ask({ type: "sell" });
    expect(answer).toMatchObject({
      total: 1,
      members: 1,
      net_sentiment: { signal: "BUYING", members: { buying: 3, selling: 1 } },
    });
  });

  it("notes how many rows a party filter omits because the party is unknown", async () => {
    const { congress } = fixedCongress([...held, disclosure({ id: "e", party: null, member_id: null })]);
    const { total, notes } = await ask({ party: "R" }, { congress });
    expect([total, notes[0]]).toEqual([1, "One row was omitted: the party of the filer is unknown"]);
    expect((await ask({}, { congress })).notes[0]).not.toContain("omitted");
  });

  it("has neither totals nor a sentiment when no filings of the days are stored", async () => {
    const { congress } = fixedCongress([], coverageOf({ house: "2026-01-11", senate: null }));
    expect(await ask({ to: "2026-01-10" }, { congress })).toMatchObject({
      count: 0,
      total: null,
      members: null,
      held: "none",
      net_sentiment: { signal: null, lean: null, members: null, trades: null, usd: null, left_out: null },
      reason:
        "No filings of these days are stored: those of the House are stored from 2026-01-11 on; fixture does not state since when its filings of the Senate are complete",
    });
  });

  it("has no sentiment without a provider, and names the setting that connects one", async () => {
    const answer = await ask({}, { congress: smallMarket().ports.congress });
    expect(answer).toMatchObject({
      trades: [],
      source: null,
      total: null,
      members: null,
      net_sentiment: { signal: null, lean: null, usd: null },
    });
    expect(answer.reason).toContain("MARKET_DATA=live");
    expect(answer.coverage.senate.covered).toBe(false);
  });

  it.each([
    [{ chamber: "lords" }, "/chamber"],
    [{ party: "Q" }, "/party"],
    [{ type: "exchange" }, "/type"],
    [{ limit: 0 }, "/limit"],
    [{ limit: 201 }, "/limit"],
    [{ limit: 1.5 }, "/limit"],
    [{ from: "2026-02-30" }, "/from"],
    [{ to: "01/02/2025" }, "/to"],
    [{ from: "2026-01-10", to: "2026-01-09" }, "/from"],
    [{ from: "2015-01-01" }, "/from"],
    [{ from: "2026-01-16" }, "/from"],
  ])("refuses %j", async (input, pointer) => {
    await expect(ask(input)).rejects.toMatchObject(invalidAmongOthers(pointer));
  });

  it("reads the end next week as a date in the future, and cuts it", async () => {
    expect(await ask({ to: "next week", limit: 1 })).toMatchObject({
      to: "2026-01-15",
      understood: [
        'to: "next week" was read as 2026-01-22.',
        "to: 2026-01-22 is in the future; the list ends at 2026-01-15T15:00:00.000Z.",
      ],
    });
  });

  it("cuts an end in the future to today, and says so", async () => {
    const answer = await ask({ to: "2026-02-16", limit: 1 });
    expect(answer).toMatchObject({
      to: "2026-01-15",
      understood: ["to: 2026-02-16 is in the future; the list ends at 2026-01-15T15:00:00.000Z."],
    });
    const next = await ask({ to: "2026-02-16", limit: 1, cursor: answer.next_cursor });
    expect(next.trades[0]!.id).not.toBe(answer.trades[0]!.id);
  });

  it("rejects a cursor of another list or an invalid one", async () => {
    const { next_cursor } = await ask({ limit: 1 });
    for (const input of [{ cursor: next_cursor, party: "D" }, { cursor: "AAAA" }])
      await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("rejects an unknown ticker", async () => {
    await expect(ask({ ticker: "ZZZZQ" })).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
  });

  it("prints the period and the rule", async () => {
    const answer = await ask({});
    const lines = getPoliticalTrades.terminal!(answer, (_, text) => text).split("\n");
    expect(lines.at(-2)).toBe(`${answer.count} of ${answer.total} rows filed ${answer.from} to ${answer.to}`);
    expect(lines.at(-1)).toBe(answer.net_sentiment.rule);
  });

  it("strips control characters of names on a terminal", async () => {
    const { congress } = fixedCongress([disclosure({ member: "\u001b[31mM\u202eember" })]);
    const shown = getPoliticalTrades.terminal!(await ask({}, { congress }), (_, text) => text);
    expect(shown).not.toContain("\u001b");
    expect(shown).not.toMatch(/\p{Cf}/u);
    expect(shown).toContain("2026-01-10");
  });
});

toolContract(getPoliticalTrades, { ports });
