import { describe, expect, it } from "vitest";
import { levelAsked } from "../../../../src/features/questions/asked/level.ts";
import { toldContracts } from "../../../../src/features/questions/told/contracts.ts";
import { readerOf } from "../../../../src/features/questions/told/reader.ts";

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
    { probability: 0.7, voices: [{ venue: "acme", id: "a280" }] },
    { probability: 0.23, voices: [{ venue: "acme", id: "a300" }] },
  ],
  source: "fixture",
  as_of: "2026-01-15T15:00:00.000Z",
  reason: null,
};
const tell = (query: string, over: object = {}, symbol: string | null = "AAPL") =>
  toldContracts(readerOf({ ...answer, ...over }), symbol, false, { level: levelAsked(query), query });

describe("odds in a sentence", () => {
  it("are those of the level, the side and the kind that are asked", () => {
    expect(tell("odds that AAPL closes above 300").sentence).toBe(
      "The nearest contract of prediction markets, a300 of acme, puts the chance that AAPL is above $300 when it ends on 2026-02-27 at 22.5 percent; its venues together say 23 percent (fixture, 2026-01-15T15:00Z).",
    );
    expect(tell("chance that AAPL hits 300").sentence).toBe(
      "The nearest contract of prediction markets, t300 of acme, puts the chance that AAPL reaches $300 before it ends on 2026-02-27 at 40 percent (fixture, 2026-01-15T15:00Z).",
    );
    expect(tell("chance that AAPL hits 320").sentence).toContain(
      "2026-02-27 at 8 percent; no contract here tells whether it is reached at any time before (",
    );
    expect(tell("odds of AAPL between 340 and 360").figures).toMatchObject({ contracts: [{ id: "b340" }] });
    expect(tell("AAPL above 300 odds").figures.questions).toEqual([
      { text: "q of t300", source: "acme", untrusted: true },
    ]);
  });

  it("of below are the rest of above on the day, and said to be", () => {
    const { sentence, figures } = tell("AAPL below 280 odds");
    expect(sentence).toBe(
      "The nearest contract of prediction markets, a280 of acme, puts the chance that AAPL is above $280 when it ends on 2026-02-27 at 70.5 percent, which leaves 29.5 percent for a price below $280; its venues together say 30 percent for that (fixture, 2026-01-15T15:00Z).",
    );
    expect(figures).toMatchObject({ rest_percent: 29.5, consensus_percent: 30 });
    // the rest of a touch is no touch of the other side
    const touch = { contracts: [ROWS[1]] };
    expect(tell("AAPL below 300 odds", touch).sentence).not.toContain("percent");
  });

  it("are of the day that is asked, or none", () => {
    expect(tell("AAPL at the close above 300 in March").figures.contracts).toMatchObject([{ id: "m300" }]);
    expect(tell("AAPL closes above 300 on February 27").figures.contracts).toMatchObject([{ id: "a300" }]);
    expect(tell("AAPL closes above 300 by the end of June 2026").sentence).toBe(
      "Prediction markets on AAPL: no contract on a price above $300 ends on 2026-06-30; those on it end on 2026-02-27 and 2026-03-31 (fixture, 2026-01-15T15:00Z).",
    );
  });

  it.each(["before the halving", "by next summer", "by Thanksgiving", "before my birthday"])(
    "tell no percentage of a date that is not read: %s",
    (when) => {
      const { sentence, figures } = tell(`AAPL closes above 300 ${when}`);
      expect(sentence).toBe(
        "Prediction markets on AAPL: the date asked for was not read; contracts on it end on 2026-02-27 and 2026-03-31 (fixture, 2026-01-15T15:00Z).",
      );
      expect(figures.contracts).toEqual([]);
      expect(tell(`odds on AAPL ${when}`).sentence).not.toContain("percent");
    },
  );

  it.each(["in two years", "by Christmas", "within 30 days", "in 6 months"])(
    "tell no percentage of a day on which nothing ends: %s",
    (when) => {
      expect(tell(`AAPL closes above 300 ${when}`).sentence).toMatch(
        /: no contract on a price above \$300 ends on 2\d{3}-\d\d-\d\d; those on it end on 2026-02-27 and 2026-03-31 /,
      );
    },
  );

  it("are of the soonest of several days where none is asked", () => {
    const contracts = [ROWS[3], ROWS[2]];
    expect(tell("odds that AAPL closes above 300", { contracts }).figures.contracts).toMatchObject([
      { id: "a300" },
    ]);
  });

  it("where no level is asked are of what ends by the day that is, or none", () => {
    expect(tell("odds on AAPL by the end of March").figures.contracts).toMatchObject([{ id: "m300" }]);
    expect(tell("odds on AAPL in two years").sentence).toBe(
      "Prediction markets on AAPL: no contract on it ends in the month to 2028-01-15; those on it end on 2026-02-27 and 2026-03-31 (fixture, 2026-01-15T15:00Z).",
    );
  });

  it("tell no percentage of an event that is no price level", () => {
    const query = "odds AAPL acquires Disney";
    const of = (over: object) =>
      toldContracts(readerOf({ ...answer, ...over }), "AAPL", false, {
        level: null,
        query,
        isOfEvent: true,
      });
    expect(of({}).sentence).toBe(
      "Prediction markets on AAPL: no contract on what was asked is known; those on AAPL are on price levels (fixture, 2026-01-15T15:00Z).",
    );
    expect(of({}).figures.contracts).toEqual([]);
    expect(of({ contracts: [...ROWS, row("x", 0.5, null)] }).sentence).toBe(
      "Prediction markets on AAPL: which contract is on what was asked is not told apart here; get_prediction_markets has the questions of those on AAPL (fixture, 2026-01-15T15:00Z).",
    );
  });

  it("are never of another level", () => {
    expect(tell("AAPL below 250 odds").sentence).toBe(
      "Prediction markets on AAPL: no contract is on a price below $250; levels there are: $280, $300, $320 and $340 (fixture, 2026-01-15T15:00Z).",
    );
    const untold = { contracts: [row("x", 0.5, null)] };
    expect(tell("gold above 5000", untold, null).sentence).toBe(
      "Prediction markets on what was asked: no contract is on a price above $5,000; none of those there are tells a price level (fixture, 2026-01-15T15:00Z).",
    );
  });

  it("where no level is asked are those of the busiest contract, with its level, side and end", () => {
    expect(tell("odds on AAPL").sentence).toMatch(
      /^The busiest contract of prediction markets, a280 of acme, puts the chance that AAPL is above \$280 when it ends on 2026-02-27 at 70.5 percent; its venues together say 70 percent \(/,
    );
  });

  it("of a rate decision are those of the decision asked, or none", () => {
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
    expect(tell("will the fed cut rates?", { contracts }, null).sentence).toBe(
      "The nearest contract of prediction markets, cut of acme, puts the chance of a rate cut by 2026-02-27 at 4 percent (fixture, 2026-01-15T15:00Z).",
    );
    expect(tell("odds of a Fed rate hike", { contracts }, null).sentence).toBe(
      "Prediction markets on what was asked: no contract on a rate hike is found (fixture, 2026-01-15T15:00Z).",
    );
  });

  it("say why there are none", () => {
    const reason = "No prediction market is connected: set MARKET_DATA=live.";
    expect(tell("odds on AAPL", { contracts: [], reason }).sentence).toBe(
      "No open contract of prediction markets on AAPL is known: no prediction market is connected: set MARKET_DATA=live.",
    );
  });
});
