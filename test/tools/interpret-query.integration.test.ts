import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { interpretQuery } from "../../tools/interpret-query.ts";
import { NOW, pro } from "../support/context.ts";
import { type Installation, install } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";

describe("interpret_query over the simulated market", () => {
  const suite = suiteDir();
  let installation: Installation;
  beforeAll(async () => {
    installation = await install(suite.dir, "sample", {}, { clock: { now: () => NOW } });
  });
  afterAll(async () => {
    await installation.stop();
    suite.remove();
  });
  const asking = (query: string, detail: "concise" | "full") =>
    invoke(
      interpretQuery,
      { query, detail },
      { ports: installation.app.ports, principal: pro, transport: "test" },
    );
  const plain = (_: string, text: string) => text;

  const QUESTIONS = [
    ["signal", "What is the signal on Apple?"],
    ["compare", "Compare Nvidia, Apple and bitcoin"],
    ["scan", "best setups right now"],
    ["news", "News on Nvidia"],
    ["earnings", "When does Apple report?"],
    ["flow", "What are options traders doing in Nvidia?"],
    ["flow", "What is Congress buying?"],
    ["flow", "any dark pool prints in TSLA?"],
    ["portfolio", "how is my portfolio of AAPL and TSLA doing?"],
    ["definition", "what is RSI?"],
    ["greeting", "hello"],
    ["signal", "odds of a Fed rate cut"],
    ["signal", "chance that AAPL goes above 300"],
    ["signal", "AAPL below 250 odds by June 2030"],
    ["signal", "how volatile will TSLA be in the next quarter"],
    ["signal", "Will AAPL rise 8% before it falls 4%?"],
    ["signal", "odds that AAPL, TSLA and NVDA move 5% in a week"],
    ["news", "why is Nvidia a wait?"],
    ["signal", "what would flip Tesla, and its edge and RSI?"],
    ["signal", "What was AAPL's signal on 2026-01-12?"],
  ] as const;

  it.each(QUESTIONS)(
    "answers with the figures of the tools, labelled as sample: %s, %s",
    async (intent, query) => {
      const { answer, results, ...parsed } = await asking(query, "full");
      expect(parsed.intent).toBe(intent);
      expect(/\d/.test(answer) || intent === "greeting").toBe(true);
      const ungrouped = answer.replace(/(?<=\d),(?=\d{3})/g, "");
      for (const { skill, figures } of results.filter(({ symbol }) => symbol !== null))
        for (const name of ["score", "rsi"])
          if (typeof figures?.[name] === "number")
            expect(ungrouped, `${skill} ${name}`).toContain(String(figures[name]).replace(/0$/, ""));
      if (results.some(({ data, figures }) => data !== null || figures?.source === "sample"))
        expect(answer).toContain("SAMPLE");
    },
  );

  it("answers with the contract on the requested level, which is among the figures", async () => {
    const odds = async (query: string) => {
      const { results, answer } = await asking(query, "concise");
      const figures = results.find(({ skill }) => skill === "get_prediction_markets")!.figures!;
      return { figures, answer };
    };
    const busiest = (await odds("odds on AAPL")).figures.contracts as { level: number }[];
    const { level } = busiest[0]!;
    for (const [query, side] of [
      [`odds that AAPL closes above ${level}`, "above"],
      [`will AAPL hit ${level}?`, "above"],
    ] as const) {
      const { figures, answer } = await odds(query);
      expect(figures).toMatchObject({ requested: { level, side }, contracts: [{ level, side }] });
      const [{ probability_percent }] = figures.contracts as [{ probability_percent: number }];
      expect(answer).toContain(` $${level}`);
      expect(answer).toContain(` at ${probability_percent} percent`);
    }
    const none = await odds(`chance that AAPL goes above ${level + 0.123}`);
    expect(none.figures.contracts).toEqual([]);
    expect(none.answer).toMatch(/no contract is on a price above \$[\d.]+; the nearest levels are \$/);
    expect(none.answer).not.toMatch(/\bpercent\b/);
    expect((await odds("will the fed cut rates?")).answer).toMatch(/puts the chance of a rate cut by/);
  });

  it.each([
    [
      "What are the odds that AAPL touches 300 within 20 bars?",
      /^get_odds AAPL:\n300\.00 \(\+9\.7%\) is touched within 20 bars in \d+ of 100 cases \(base rate in the past: \d+\)\.\nAAPL closed at 273\.55\. /,
    ],
    [
      "how volatile will TSLA be",
      /^get_odds TSLA:\nAnnualized volatility: forecast over the next 20 bars \d+%, realized over the last 20 bars \d+%/,
    ],
    [
      "Will AAPL hit 290 before 260?",
      /^get_odds AAPL:\nLONG .*stop 260\.00, target 290\.00: expected .* R in \d+ bars: stop first in \d+ of 100 cases \(.* R\), target in \d+ .*\(any close of this symbol: [+-][\d.]+ R; stop \d+, target \d+, neither \d+;/,
    ],
    [
      "how far may AAPL freely wobble or move in the next month",
      /^get_odds AAPL:\nAAPL closed at 273\.55\. In 90 of 100 cases its close after 21 bars \(1d\) lies between [\d.]+ and [\d.]+ \(base range in the past: /,
    ],
  ])("answers with the odds first, with base and source: %s", async (query, start) => {
    for (const detail of ["concise", "full"] as const) {
      const { answer, results, intent, notes } = await asking(query, detail);
      expect(intent).toBe("signal");
      expect(notes.join()).not.toContain("not understood");
      expect(answer).toMatch(start);
      expect(answer).toMatch(/\n {2}From \d+ closed bars of sample \(SIM\) to 2026-01-15T00:00:00\.000Z\.\n/);
      expect(answer).not.toContain("Not answered");
      expect(results.map(({ skill }) => skill).slice(0, 2)).toEqual(["get_signal", "get_odds"]);
    }
  });

  it("returns why get_odds has no answer, and what its odds do not cover", async () => {
    expect((await asking("Will AAPL hit 500 before 400?", "concise")).answer).toMatch(
      /^get_odds AAPL:\nget_odds has no answer on AAPL \(INVALID_INPUT\): Invalid odds: the last close 273\.55 is not between stop 400\.00 and target 500\.00\.\n/,
    );
    expect((await asking("chance AAPL touches 300 in a year", "concise")).notes).toContain(
      "The question asks for more than 60 bars ahead; get_odds covers at most 60, so its odds are for 60 bars",
    );
  });

  it("notes what the odds do not answer, and words that were not understood", async () => {
    expect((await asking("odds AAPL rises to 250", "concise")).notes).toContain(
      "250 is below the last close of AAPL, 273.55; the odds are of a fall to it",
    );
    const summary = await asking(
      "Kindly provide a technical summary of Microsoft, including trend and volatility.",
      "concise",
    );
    expect(summary.results.map(({ skill }) => skill)).toContain("get_odds");
    expect(summary.notes.join()).not.toContain("not understood");
    const revenue = await asking("Nvidia will see 10% revenue growth, right?", "concise");
    expect(revenue.results.map(({ skill }) => skill)).toContain("get_company_facts");
  });

  it.each(QUESTIONS)("keeps a concise answer with its text under 2,000 tokens: %s, %s", async (_, query) => {
    const answer = await asking(query, "concise");
    const characters = JSON.stringify(answer).length + interpretQuery.terminal!(answer, plain).length;
    expect(characters / 4).toBeLessThan(2_000);
  });

  const LONG_NAMES =
    "Apple, Microsoft, Nvidia, Tesla, Amazon, Alphabet, Meta Platforms, Advanced Micro Devices, Exxon Mobil, Procter & Gamble, Johnson & Johnson, Bank of America, Goldman Sachs, JPMorgan Chase, Coca-Cola, Walt Disney, Home Depot, Netflix, Oracle, Salesforce, bitcoin, ethereum";

  it("keeps an answer on many symbols under 2,000 tokens, and under 12,000 in full", async () => {
    for (const [query, count] of [
      [`signals of ${LONG_NAMES}`, 20],
      [`news on ${LONG_NAMES}`, 21],
      [`options flow, dark pool prints and Congress trades in ${LONG_NAMES}`, 21],
      ["options flow, dark pool prints and Congress trades in Apple, Nvidia and Tesla", 9],
      ["odds on Apple, Nvidia, Tesla, bitcoin and ethereum", 9],
      ["what would flip Nvidia and Tesla, and their edge, RSI and ICS?", 8],
      ["what would flip Tesla, and its edge, RSI and ICS?", 5],
    ] as const) {
      const concise = await asking(query, "concise");
      expect(concise.results, query).toHaveLength(count);
      const characters = JSON.stringify(concise).length + interpretQuery.terminal!(concise, plain).length;
      expect(characters / 4, query).toBeLessThan(2_000);
      expect(JSON.stringify(await asking(query, "full")).length / 4, query).toBeLessThan(12_000);
    }
  }, 60_000);

  it("returns third-party text next to the answer, never in it", async () => {
    const { answer, results } = await asking("News on Nvidia", "concise");
    const quotes = results.flatMap(
      ({ figures }) => (figures?.headlines ?? []) as { text: string; untrusted: true }[],
    );
    expect(quotes.length).toBeGreaterThan(0);
    for (const { text, untrusted } of quotes) {
      expect(untrusted).toBe(true);
      expect(answer).not.toContain(text);
    }
  });
});
