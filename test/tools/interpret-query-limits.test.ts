import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { getCongressSignal } from "../../tools/get-congress-signal.ts";
import { getEarnings } from "../../tools/get-earnings.ts";
import { getNews } from "../../tools/get-news.ts";
import { getOptionsFlow } from "../../tools/get-options-flow.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { interpretQuery } from "../../tools/interpret-query.ts";
import { scanSymbols } from "../../tools/scan-symbols.ts";
import { screenUniverse } from "../../tools/screen-universe.ts";
import { pro } from "../support/context.ts";
import { climbingBars, taskMarket, YESTERDAY } from "../support/market.ts";

const climb = climbingBars();
const coin = [climbingBars({ zone: "UTC", timeframe: "1d", end: YESTERDAY })];
const ports = taskMarket(
  [getSignal, getNews, getEarnings, getOptionsFlow, getCongressSignal, scanSymbols, screenUniverse],
  {
    bars: {
      AAPL: climb,
      MSFT: climbingBars({ step: -0.125, first: 200 }),
      NVDA: climb,
      TSLA: climb,
      AMD: climb,
      ORCL: climb,
      SPY: climbingBars({ step: 0.03125 }),
      "BTC-USD": coin,
    },
  },
);
const ask = (query: string) =>
  invoke(interpretQuery, { query }, { ports, principal: pro, transport: "test" });

describe("interpret_query", () => {
  it("shows no list that ignores a filter: it asks for one that it has", async () => {
    const { answer, results } = await ask("momentum stocks");
    expect(answer).toMatch(
      /^The screener has no filter for momentum\. It filters by grade, bias, tier, stage, phase, score, sector, asset class and rules such as rsi\(14\) < 30: ask for a list by one of those\./,
    );
    expect(results).toEqual([]);
  });

  it("filters by rules on indicators and prices, and never scans without them", async () => {
    const { results } = await ask("oversold stocks");
    expect(results).toMatchObject([{ skill: "screen_universe", error: { code: "NOT_ENOUGH_DATA" } }]);
  });

  it("names a bar length that a list does not cover", async () => {
    expect((await ask("strongest stocks on the 4h")).answer).toMatch(/^Lists use daily bars, not 4h bars\./);
  });

  it("names no filter for a list that needs none", async () => {
    const { answer, notes } = await ask("best stocks");
    expect(answer).toMatch(/^No nightly run has finished/);
    expect(answer).not.toMatch(/Not filtered by/);
    expect(notes.join()).not.toMatch(/Not filtered by/);
  });

  it("filters the rows of a scan by the requested grade and side", async () => {
    const lines = async (query: string) =>
      ((await ask(query)).results[0]!.figures as { lines: readonly { grade: string; score: number }[] })
        .lines;
    const weakest = await lines("weakest stocks");
    expect(weakest.map(({ score }) => score)).toEqual(
      weakest.map(({ score }) => score).toSorted((a, b) => a - b),
    );
    expect(weakest[0]!.score).toBeLessThan((await lines("best stocks"))[0]!.score);
    const { grade } = weakest[0]!;
    expect(new Set((await lines(`stocks of grade ${grade}`)).map((line) => line.grade))).toEqual(
      new Set([grade]),
    );
  });

  it("covers the end of a long question", async () => {
    const { results } = await ask(
      `${"so it goes on and on ".repeat(140)} What was the signal on Apple on 2026-01-05?`,
    );
    expect(results[0]).toMatchObject({ symbol: "AAPL", skill: "get_signal" });
    expect(JSON.stringify(results)).toContain('"as_of":"2026-01-05"');
  });

  it("returns as many rows as requested, at most ten", async () => {
    const lines = async (query: string) =>
      ((await ask(query)).results[0]!.figures as { lines: readonly unknown[] }).lines.length;
    expect([await lines("top 3 stocks"), await lines("best stocks")]).toEqual([3, 5]);
    expect((await ask("top 50 stocks")).notes).toContain(
      "Lists show at most 10 rows; screen_universe returns up to 100",
    );
  });

  it("is as of the requested day, and states it", async () => {
    const { answer, results } = await ask("What was AAPL's signal yesterday?");
    expect(answer).toMatch(/^This is as of 2026-01-14, from data known by then\.\nAAPL is /);
    expect(results[0]!.figures!.as_of).toMatch(/^2026-01-14/);
    const old = await ask("What was AAPL's signal on 2020-03-15?");
    expect(old.answer).toMatch(/^This is as of 2020-03-15, /);
    expect(old.results[0]!.figures).toBeNull();
  });

  it.each(["was AAPL a buy last week?", "AAPL in 2008"])(
    "states that it is current when the question names a past time: %s",
    async (query) => {
      const { answer, notes } = await ask(query);
      expect(answer).toMatch(/^This is current; call get_signal with as_of for an earlier day\.[ \n]/);
      expect(notes).toContain("The question names a past time; the answer is current");
    },
  );

  it.each([
    "AAPL's last earnings",
    "latest news on AAPL",
    "AAPL earnings last quarter",
    "news of AAPL last week",
  ])("does not state that for tools that look back themselves: %s", async (query) => {
    expect((await ask(query)).answer).not.toMatch(/of now/);
  });

  it("ranks from the requested end, and states what the score does not cover", async () => {
    const { answer } = await ask("AAPL or MSFT, which is the riskier short?");
    expect(answer).toMatch(
      /MSFT \(SHORT\) has the lowest \(most bearish\) score, [\d.]+, below AAPL \(LONG\) by /,
    );
    expect(answer).toContain("The score does not cover risk.");
  });

  it("covers other requested topics, and names those it has no room for", async () => {
    const both = await ask("signal on AAPL, its options flow, and when does it report earnings?");
    expect(both.results.map(({ skill }) => skill)).toEqual(
      expect.arrayContaining(["get_signal", "get_earnings", "get_options_flow"]),
    );
    expect(both.notes.join()).not.toMatch(/not answered/);
    const more = await ask("news and earnings of AAPL, MSFT, NVDA, TSLA, AMD");
    expect(more.notes).toContainEqual(
      expect.stringMatching(/^Also requested and not answered: (news|earnings)$/),
    );
  });

  it("lists the trades of Congress when one politician is named", async () => {
    expect((await ask("what is Nancy Pelosi buying?")).results).toMatchObject([
      { skill: "get_political_trades" },
    ]);
    expect((await ask("what is Congress buying?")).answer).not.toContain("whole House");
  });

  it("names the bar length it uses when there are several", async () => {
    expect((await ask("AAPL on the 4h and 1h charts")).notes).toContain(
      "The question names several bar lengths; the answer uses 4h",
    );
    expect((await ask("AAPL on the 4h chart, 4 hours")).notes.join()).not.toMatch(/Several/);
  });

  it("suggests a cashtag only if the question has none, and counts the names not quoted", async () => {
    expect((await ask("$ZZQQ signal")).answer).toMatch(
      /Unknown: "ZZQQ"\. resolve_symbol finds similar names\./,
    );
    expect((await ask("Is xyzcorp a good buy?")).answer).toMatch(/"xyzcorp"\. .*, and a cashtag such as/);
    const many = Array.from({ length: 13 }, (_, i) => `$ZZQ${String.fromCharCode(65 + i)}`);
    expect((await ask(many.join(" "))).answer).toContain(
      '"ZZQA", "ZZQB", "ZZQC" and 10 more (see unresolved).',
    );
  });
});
