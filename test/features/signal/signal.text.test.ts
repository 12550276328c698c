import { describe, expect, it } from "vitest";
import type { Paint } from "../../../src/domain/terminal.ts";
import { formatTask } from "../../../src/features/signal/signal.text.ts";
import { explainSignal } from "../../../tools/explain-signal.ts";
import { getSignal } from "../../../tools/get-signal.ts";
import { climbingBars, type FakeMarket, smallMarket, withPrices } from "../../support/market.ts";
import { callerOf } from "../../support/tool-call.ts";

const plain: Paint = (_, text) => text;
const marked: Paint = (style, text) => `<${style}>${text}</${style}>`;
const drawn = async (
  symbol: string,
  { market = {}, paint = plain }: { market?: Partial<FakeMarket>; paint?: Paint } = {},
) => getSignal.terminal!(await callerOf(getSignal, smallMarket(market).ports)({ symbol }), paint);

describe("a signal on a terminal", () => {
  it("shows verdict, price, levels, components, reasons and provenance", async () => {
    const lines = (await drawn("AAPL")).split("\n");
    expect(lines.slice(0, 11)).toEqual([
      "AAPL is LONG: grade A+, score 86.4 of 100, tier HOT.",
      "  price       138.00  live_quote of 2026-01-15T14:50:00.000Z",
      "  entry       137.13 - 137.63",
      "  conflicts   The price 138.00 is above the entry zone 137.13 - 137.63: reward to risk is 1.70 there",
      "  stop        135.87",
      "  targets     141.63  143.38  145.13  reach",
      "  reward:risk 2.27",
      "  odds        from 137.38, expected +0.15 R in 20 bars: stop first in less than 1 of 100 cases, target 1 in less than 1, neither in more than 99 (+0.15 R) (any close of this symbol: +1.96 R; stop less than 1, target less than 1, neither more than 99; about 14 independent windows)",
      "  range       137.56 - 137.65  90 of 100 closes after 20 bars",
      "  confidence  less than 1 of 100  target 1 before stop, base rate less than 1; agreement 0.50",
      "  conviction  none INSUFFICIENT  No provider of off-exchange prints is connected",
    ]);
    expect(lines.slice(11, 16)).toEqual([
      "  structure   Wyckoff Undetermined",
      expect.stringMatching(/^ {2}wave {8}none: /),
      "  upcoming    no earnings date: CSV files hold no earnings: MARKET_DATA=live connects providers, MARKET_DATA=sample simulates them",
      "  upcoming    2026-01-19: Martin Luther King Jr. Day, US exchanges closed",
      "",
    ]);
    expect(lines[16]).toBe("  trend       ███████████████████░ 97");
    expect(lines.at(-1)).toMatch(
      /^ {2}300 1d bars to 2026-01-14T21:00:00\.000Z, fixture \(XTST\), split; consensus-1\.2\.0, inputs [0-9a-f]{12}$/,
    );
  });

  it("shows why it is WAIT, that its levels are for watching, and that there is no price", async () => {
    const young = { bars: { AAPL: climbingBars({ count: 100 }) }, quotes: {} };
    const text = await drawn("AAPL", { market: young });
    expect(text).toContain("AAPL is WAIT: no score.\n");
    expect(text).toContain("A score needs 252 bars, there are 100");
    expect(text).toContain("for watching only");
    expect(text).toContain("  price       none: No price of AAPL\n");
    expect(text).toContain("  strength    no data\n");
  });

  it("keeps the digits of a price under a dollar", async () => {
    const cents = withPrices(climbingBars(), (price) => price / 1024);
    expect(await drawn("AAPL", { market: { bars: { AAPL: cents } } })).toContain("  stop        0.1326\n");
  });

  it("colours a verdict by its side", async () => {
    expect(await drawn("AAPL", { paint: marked })).toContain("<green><bold>LONG</bold></green>");
    expect(await drawn("MSFT", { paint: marked })).toContain("<red><bold>SHORT</bold></red>");
  });
});

describe("an explanation on a terminal", () => {
  it("has a line for each driver, the sum, and what would change it", async () => {
    const answer = await callerOf(explainSignal, smallMarket().ports)({ symbol: "AAPL" });
    const lines = explainSignal.terminal!(answer, plain).split("\n");
    expect(lines).toHaveLength(41);
    expect(lines[1]).toBe("  close is 10.0% above its 200-bar average: +1.00 x weight 0.045 = +0.045");
    expect(lines.find((line) => line.startsWith("  without share of puts"))).toBe(
      "  without share of puts in option volume: No provider of option chains is connected: MARKET_DATA=live calls Cboe and Yahoo unless PROVIDERS_OFF names them or PROVIDERS=licensed; TRADIER_TOKEN, ALPACA_KEY_ID with ALPACA_SECRET_KEY, or MASSIVE_KEY with a paid MASSIVE_PLAN connects one",
    );
    expect(lines.slice(-11)).toEqual([
      "  The sum is +0.728; score = 50 + 50 x sum.",
      "  a close at 138.67 (+0.94%) makes it WAIT: only the levels change, as reward to risk 1.49 is under 1.5",
      "  a close at 137.02 (-0.26%) makes the grade A",
      "  removing any one or two drivers does not change the direction",
      // bars that climb evenly do not vary about their drift, so that paths reach neither level
      "  odds of the levels: from 137.38, stop first in less than 1 of 100 cases, target 1 in less than 1, neither within 20 bars in more than 99 (any close of this symbol: stop less than 1, target less than 1, neither more than 99; 280 past windows)",
      "  with the stop 0.5 ATR farther (135.37): stop first in less than 1 of 100, target 1 first in less than 1, neither in more than 99 (base rates: less than 1, less than 1, more than 99)",
      "  with the stop 0.5 ATR nearer (136.37): stop first in less than 1 of 100, target 1 first in less than 1, neither in more than 99 (base rates: less than 1, less than 1, more than 99)",
      "  with target 1 at two thirds of its distance (140.21): stop first in less than 1 of 100, target 1 first in less than 1, neither in more than 99 (base rates: less than 1, more than 99, less than 1)",
      "  upcoming: no earnings date: CSV files hold no earnings: MARKET_DATA=live connects providers, MARKET_DATA=sample simulates them",
      "  upcoming: 2026-01-19: Martin Luther King Jr. Day, US exchanges closed",
      "  bars to 2026-01-14T21:00:00.000Z, fixture (XTST)",
    ]);
  });
});

describe("the results of a task on a terminal", () => {
  const resultOf = async (symbol: string, market: Partial<FakeMarket> = {}) => {
    const data = await callerOf(getSignal, smallMarket(market).ports)({ symbol });
    return { symbol, skill: "get_signal", data, error: null };
  };

  it("show a signal's verdict, price, levels and conviction", async () => {
    expect(formatTask({ results: [await resultOf("aapl")] }, plain).split("\n")).toEqual([
      "AAPL  LONG  grade A+  score 86.4  HOT  1d",
      "  price 138.00  live_quote of 2026-01-15T14:50:00.000Z",
      "  entry 137.13 - 137.63, stop 135.87, targets 141.63, 143.38, 145.13",
      "  conviction none INSUFFICIENT (none); fixture, bars to 2026-01-14T21:00:00.000Z",
    ]);
    expect(formatTask({ results: [await resultOf("AAPL")] }, marked)).toContain("<green>LONG</green>");
  });

  it("state that levels are for watching, and why there is no price", async () => {
    const young = { bars: { AAPL: climbingBars({ count: 100 }) }, quotes: {} };
    const text = formatTask({ results: [await resultOf("AAPL", young)] }, plain);
    expect(text).toContain("AAPL  WAIT  grade none  score none  NEUTRAL  1d\n");
    expect(text).toContain("  price none: No price of AAPL\n");
    expect(text).toMatch(/, for watching only, LONG side\n/);
  });

  it("show the tool for other results, and the error of a failure", () => {
    const error = { code: "NO_PRICE", message: "No price of F", hint: null };
    const results = [
      { symbol: "AAPL", skill: "weigh_symbol", data: { weight: 4 }, error: null },
      { symbol: "F", skill: "weigh_symbol", data: null, error },
    ];
    expect(formatTask({ results }, plain)).toBe("AAPL  weigh_symbol\nF  NO_PRICE  No price of F");
    expect(formatTask({ results }, marked)).toContain("<yellow>NO_PRICE</yellow>");
  });
});
