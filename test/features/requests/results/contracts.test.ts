import { describe, expect, it } from "vitest";
import { levelRequest } from "../../../../src/features/requests/details/odds.ts";
import { readerOf } from "../../../../src/features/requests/results/answer-reader.ts";
import { contractsOf } from "../../../../src/features/requests/results/contracts.ts";

const row = (
  id: string,
  probability: number,
  price_level: object | null,
  close_time = "2026-02-27T21:00:00.000Z",
) => ({ venue: "acme", id, question: `q of ${id}`, probability, price_level, close_time });
const on = (side: string, level: number, more: object = {}) => ({
  kind: "at",
  side,
  level,
  upper: null,
  by: "2026-02-27T21:00:00.000Z",
  ...more,
});
const ROWS = [
  row("a280", 0.705, on("above", 280)),
  row("t300", 0.4, on("above", 300, { kind: "touch" })),
  row("a300", 0.225, on("above", 300)),
  row("m300", 0.31, on("above", 300, { by: "2026-03-31T20:00:00.000Z" })),
  row("a320", 0.08, on("above", 320)),
  row("b340", 0.02, on("between", 340, { upper: 360 })),
];
const answer = {
  contracts: ROWS,
  total: 6,
  consensus: [
    { probability: 0.7, contracts: [{ venue: "acme", id: "a280" }] },
    { probability: 0.23, contracts: [{ venue: "acme", id: "a300" }] },
  ],
  source: "fixture",
  as_of: "2026-01-15T15:00:00.000Z",
  reason: null,
};
const answered = (query: string, over: object = {}, symbol: string | null = "AAPL") =>
  contractsOf(readerOf({ ...answer, ...over }), symbol, false, {
    level: levelRequest(query),
    query,
    isOfEvent: false,
  });

describe("contracts of prediction markets", () => {
  it("are chosen by the requested level, side and kind", () => {
    expect(answered("odds that AAPL closes above 300").text).toBe(
      "Prediction markets on AAPL: a300 of acme puts the chance of AAPL above $300 by 2026-02-27 at 22.5 percent; venue consensus: 23 percent (fixture, 2026-01-15T15:00Z).",
    );
    expect(answered("chance that AAPL hits 300").text).toBe(
      "Prediction markets on AAPL: t300 of acme puts the chance of AAPL above $300 at any time by 2026-02-27 at 40 percent (fixture, 2026-01-15T15:00Z).",
    );
    expect(answered("chance that AAPL hits 320").text).toContain(
      "2026-02-27 at 8 percent; no contract here covers reaching it at any time before (",
    );
    expect(answered("odds of AAPL between 340 and 360").figures).toMatchObject({
      contracts: [{ id: "b340" }],
    });
    expect(answered("AAPL above 300 odds").figures.questions).toEqual([
      { text: "q of t300", source: "acme", untrusted: true },
    ]);
  });

  it("above a level return the complement for below, and state it", () => {
    const { text, figures } = answered("AAPL below 280 odds");
    expect(text).toBe(
      "Prediction markets on AAPL: a280 of acme puts the chance of AAPL above $280 by 2026-02-27 at 70.5 percent, which leaves 29.5 percent for a price below $280; venue consensus: 30 percent (fixture, 2026-01-15T15:00Z).",
    );
    expect(figures).toMatchObject({ rest_percent: 29.5, consensus_percent: 30 });
    // the complement of a touch is not a touch of the other side
    const touch = { contracts: [ROWS[1]] };
    expect(answered("AAPL below 300 odds", touch).text).not.toContain("percent");
  });

  it("are chosen by the requested day", () => {
    expect(answered("AAPL at the close above 300 in March").figures.contracts).toMatchObject([
      { id: "m300" },
    ]);
    expect(answered("AAPL closes above 300 on February 27").figures.contracts).toMatchObject([
      { id: "a300" },
    ]);
    expect(answered("AAPL closes above 300 by the end of June 2026").text).toBe(
      "Prediction markets on AAPL: no contract on it ends by 2026-06-30; contracts on it end on 2026-02-27 and 2026-03-31 (fixture, 2026-01-15T15:00Z).",
    );
  });

  it.each(["before the halving", "by next summer", "by Thanksgiving", "before my birthday"])(
    "give no percentage if the date is not understood: %s",
    (when) => {
      const { text, figures } = answered(`AAPL closes above 300 ${when}`);
      expect(text).toBe(
        "Prediction markets on AAPL: the date was not understood; contracts on it end on 2026-02-27 and 2026-03-31 (fixture, 2026-01-15T15:00Z).",
      );
      expect(figures.contracts).toEqual([]);
      expect(answered(`odds on AAPL ${when}`).text).not.toContain("percent");
    },
  );

  it.each(["in two years", "by Christmas", "within 30 days", "in 6 months"])(
    "give no percentage for a day on which none ends: %s",
    (when) => {
      expect(answered(`AAPL closes above 300 ${when}`).text).toMatch(
        /: no contract on it ends by 2\d{3}-\d\d-\d\d; contracts on it end on 2026-02-27 and 2026-03-31 /,
      );
    },
  );

  it("are chosen by the earliest end by default", () => {
    const contracts = [ROWS[3], ROWS[2]];
    expect(answered("odds that AAPL closes above 300", { contracts }).figures.contracts).toMatchObject([
      { id: "a300" },
    ]);
  });

  it("without a level are chosen by the requested day", () => {
    expect(answered("odds on AAPL by the end of March").figures.contracts).toMatchObject([{ id: "m300" }]);
    expect(answered("odds on AAPL in two years").text).toBe(
      "Prediction markets on AAPL: no contract on it ends by 2028-01-15; contracts on it end on 2026-02-27 and 2026-03-31 (fixture, 2026-01-15T15:00Z).",
    );
  });

  it("give no percentage for an event other than a price level", () => {
    const request = { level: null, query: "odds AAPL acquires Disney", isOfEvent: true };
    const of = (over: object) => contractsOf(readerOf({ ...answer, ...over }), "AAPL", false, request);
    for (const over of [{}, { contracts: [...ROWS, row("x", 0.5, null)] }])
      expect(of(over).text).toBe(
        "Prediction markets on AAPL: no contract was matched to this event; get_prediction_markets lists all contracts (fixture, 2026-01-15T15:00Z).",
      );
    expect(of({}).figures.contracts).toEqual([]);
  });

  it("are never of another level", () => {
    expect(answered("AAPL below 250 odds").text).toBe(
      "Prediction markets on AAPL: no contract is on a price below $250; the nearest levels are $280, $300, $320 and $340 (fixture, 2026-01-15T15:00Z).",
    );
    const untold = { contracts: [row("x", 0.5, null)] };
    expect(answered("gold above 5000", untold, null).text).toBe(
      "Prediction markets: no contract is on a price above $5,000; none is on a price level (fixture, 2026-01-15T15:00Z).",
    );
  });

  it("without a level are those of the busiest contract, with its level, side and end", () => {
    expect(answered("odds on AAPL").text).toMatch(
      /^Prediction markets on AAPL: a280 of acme puts the chance of AAPL above \$280 by 2026-02-27 at 70.5 percent; venue consensus: 70 percent \(/,
    );
  });

  it("on a rate decision are chosen by the requested decision", () => {
    const decision = (id: string, what: string, probability: number, outcome = "Yes") => ({
      ...row(id, probability, null),
      question: `Will the Fed ${what} in March?`,
      outcome,
    });
    const contracts = [
      decision("hold", "hold its rate", 0.945),
      decision("no", "cut its rate", 0.96, "No"),
      decision("cut", "cut its rate", 0.04),
    ];
    expect(answered("will the fed cut rates?", { contracts }, null).text).toBe(
      "Prediction markets: cut of acme puts the chance of a rate cut by 2026-02-27 at 4 percent (fixture, 2026-01-15T15:00Z).",
    );
    expect(answered("odds of a Fed rate hike", { contracts }, null).text).toBe(
      "Prediction markets: no contract on a rate hike was found (fixture, 2026-01-15T15:00Z).",
    );
  });

  it("state the reason if there are none", () => {
    const reason = "No prediction market is connected: set MARKET_DATA=live.";
    expect(answered("odds on AAPL", { contracts: [], reason }).text).toBe(
      "Prediction markets on AAPL: no open contract is known. No prediction market is connected: set MARKET_DATA=live. (fixture, 2026-01-15T15:00Z).",
    );
  });
});
