import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { explainSignal } from "../../tools/explain-signal.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { pro } from "../support/context.ts";
import { climbingBars, smallMarket } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = smallMarket();
const call = { ports, principal: pro, transport: "test" };
const explain = (input: Record<string, unknown>) => invoke(explainSignal, input, call);

describe("explain_signal", () => {
  it("explains the signal that get_signal returns", async () => {
    for (const symbol of ["AAPL", "MSFT", "LINK-USD"]) {
      const { signal, inputs_hash } = (await invoke(getSignal, { symbol }, call)).data;
      const { direction, score, grade, reason } = signal;
      expect(await explain({ symbol })).toMatchObject({
        symbol,
        direction,
        score: Number(score!.toFixed(2)),
        grade,
        reason,
        inputs_hash,
      });
    }
  });

  it.each(["AAPL", "MSFT", "LINK-USD", "SPY"])(
    "returns contributions of %s that add up to the sum, within rounding",
    async (symbol) => {
      const { drivers, sum, score, groups } = await explain({ symbol, detail: "full" });
      const total = drivers.reduce((all, { contribution }) => all + (contribution ?? 0), 0);
      expect(Math.abs(total - sum!)).toBeLessThan(1.5e-5); // 30 figures, each rounded by up to 0.5e-6
      expect(Math.abs(score! - (50 + 50 * sum!))).toBeLessThan(0.00503); // rounding of 0.005, and 50 x 0.5e-6
      expect(drivers).toHaveLength(29);
      expect(groups).toHaveLength(9);
      expect(groups.reduce((all, { weight }) => all + weight!, 0)).toBeCloseTo(1, 5);
      for (const { value, weight, contribution, reason } of drivers)
        if (value === null) expect([contribution, reason === null]).toEqual([null, false]);
        else {
          expect(contribution).toBeCloseTo(weight * value, 5);
          expect(reason).toBeNull();
        }
    },
  );

  it("titles every driver and group in full detail, as get_signal does", async () => {
    const { drivers, groups } = await explain({ symbol: "AAPL", detail: "full" });
    expect(groups.map(({ group, title }) => [group, title])).toEqual([
      ["trend", "Trend"],
      ["momentum", "Momentum"],
      ["volume", "Volume"],
      ["relative_strength", "Relative strength"],
      ["volatility", "Volatility"],
      ["dark_pool", "Off-exchange trading"],
      ["options", "Options"],
      ["news", "News"],
      ["markets", "Prediction markets"],
    ]);
    expect(new Set(drivers.map(({ title }) => title)).size).toBe(29);
    const full = await invoke(getSignal, { symbol: "AAPL", detail: "full" }, call);
    expect(full.data.drivers!.map(({ id, title }) => [id, title])).toEqual(
      drivers.map(({ id, title }) => [id, title]),
    );
  });

  it.each(["concise", "full"])("rounds its own figures in %s detail", async (detail) => {
    const { score, sum, groups, drivers } = await explain({ symbol: "LINK-USD", detail });
    const digits = (value: number | null | undefined) => String(value ?? 0).split(".")[1]?.length ?? 0;
    const scores = [score, ...drivers.map(({ without }) => without?.score)];
    expect(Math.max(...scores.map(digits))).toBe(2);
    const figures = [
      sum,
      ...groups.flatMap((group) => [group.value, group.weight, group.effective_weight]),
      ...drivers.flatMap(({ value, weight, contribution }) => [value, weight, contribution]),
    ];
    expect(Math.max(...figures.map(digits))).toBe(6);
  });

  it("returns what each driver read, when, and the verdict without it", async () => {
    const { drivers } = await explain({ symbol: "AAPL", detail: "full" });
    // by hand: the mean of 200 closes an eighth apart is 199/16 (10%) below the last, beyond .15 x .5
    expect(drivers.find(({ id }) => id === "t_ma200")).toEqual({
      id: "t_ma200",
      title: "Price against its 200-bar average",
      group: "trend",
      value: 1,
      weight: 0.044643, // 5 / 16 of the weight over 7 drivers
      contribution: 0.044643,
      in_words: "close is 10.0% above its 200-bar average",
      reason: null,
      source: "StockCharts Technical Rank",
      inputs: {
        close: 137.375,
        sma200: 124.938, // 137.375 - 199 / 16, six digits
        v: 0.5,
      },
      data_as_of: "2026-01-14T21:00:00.000Z",
      age_seconds: 18 * 3600,
      without: { score: expect.any(Number), grade: "A+", direction: "LONG" },
    });
    expect(drivers.find(({ id }) => id === "o_pc")).toMatchObject({
      value: null,
      weight: 0,
      contribution: null,
      in_words: null,
      reason:
        "No provider of option chains is connected: MARKET_DATA=live calls Cboe and Yahoo unless PROVIDERS_OFF names them or PROVIDERS=licensed; TRADIER_TOKEN, ALPACA_KEY_ID with ALPACA_SECRET_KEY, or MASSIVE_KEY with a paid MASSIVE_PLAN connects one",
      inputs: {},
      data_as_of: null,
      age_seconds: null,
    });
  });

  it("finds the nearest close that changes the verdict", async () => {
    // by hand: at 138.66 the reward to risk is 1.5017, at 138.67 it is 1.4972 and under 1.5; ATR14 is 1, so that 10 of
    // them around 137.375 span the cents from 127.38 to 147.37
    const { flip } = await explain({ symbol: "AAPL" });
    expect(flip).toEqual({
      price: 138.67,
      direction: "WAIT",
      change_percent: 0.94, // 100 x (138.67 / 137.375 - 1) = .94267..
      reason: "Only the levels change, as reward to risk 1.49 is under 1.5",
      searched_low: 127.38,
      searched_high: 147.37,
      tick: 0.01,
    });
  });

  it("finds the nearest closes with a better and a worse grade", async () => {
    const { grade, grade_flip } = await explain({ symbol: "SPY" });
    const { nearest, better, worse } = grade_flip;
    expect([grade, better.grade, worse.grade, nearest]).toEqual(["A-", "A", "B+", "worse"]);
    expect(better.change_percent).toBeGreaterThan(-worse.change_percent!);
    expect((await explain({ symbol: "AAPL" })).grade_flip.better).toEqual({
      price: null,
      grade: null,
      change_percent: null,
      reason: "There is no better grade",
    });
  });

  it("names the fewest drivers whose absence changes the direction, or states that no two do", async () => {
    // 300 bars of a coin are less than a year: 4 of 5 momentum drivers have a value; without two of them the group
    // has none, which leaves less than the 60% of the weight that a score needs
    expect((await explain({ symbol: "LINK-USD" })).fewest_absent).toEqual({
      drivers: ["m_rsi", "m_macd"],
      direction: "WAIT",
      reason: null,
    });
    expect((await explain({ symbol: "AAPL" })).fewest_absent).toEqual({
      drivers: null,
      direction: null,
      reason: "Removing any one or two drivers does not change the direction",
    });
  });

  it("returns titles, the origin of drivers and the weights of the full model only in full detail", async () => {
    const {
      drivers: [concise],
      groups,
    } = await explain({ symbol: "AAPL", detail: "concise" });
    expect(Object.keys(groups[0]!)).toEqual(["group", "value", "effective_weight", "present", "of"]);
    const fields = ["id", "group", "value", "weight", "contribution", "in_words", "reason"];
    expect(Object.keys(concise!)).toEqual(fields);
    const [full] = (await explain({ symbol: "AAPL", detail: "full" })).drivers;
    expect(full).toMatchObject(concise!);
    const more = ["source", "inputs", "data_as_of", "age_seconds", "without"];
    expect(Object.keys(full!)).toEqual(["id", "title", ...fields.slice(1), ...more]);
  });

  it("returns the odds of get_signal, and how each change of the levels changes them", async () => {
    for (const symbol of ["AAPL", "MSFT"]) {
      const {
        odds: now,
        stop_loss,
        targets,
        ...signal
      } = (await invoke(getSignal, { symbol }, call)).data.signal;
      const { odds, odds_reason } = await explain({ symbol, detail: "concise" });
      expect(odds_reason).toBeNull();
      const { range_90: _, expected_r, base, ...shares } = now!;
      const { n_eff, margin, mean_r, ...rates } = base!;
      expect(odds).toMatchObject({ ...shares, base: rates });
      expect(odds).not.toHaveProperty("expected_r");
      const { odds: whole } = await explain({ symbol, detail: "full" });
      expect(whole).toMatchObject({ ...shares, expected_r, base: { ...rates, n_eff, margin, mean_r } });
      const away = signal.direction === "LONG" ? 1 : -1;
      const [farther, nearer, target] = odds!.changes;
      expect([farther!.change, nearer!.change, target!.change]).toEqual([
        "stop_farther",
        "stop_nearer",
        "target_nearer",
      ]);
      expect(away * (stop_loss - farther!.price!)).toBeGreaterThan(0);
      expect(away * (nearer!.price! - stop_loss)).toBeGreaterThan(0);
      expect(target!.price).toBeCloseTo(now!.from + (2 / 3) * (targets[0]! - now!.from), 1);
      expect(farther!.stop_first).toBeLessThanOrEqual(now!.stop_first);
      expect(nearer!.stop_first).toBeGreaterThanOrEqual(now!.stop_first);
      expect(target!.target_first).toBeGreaterThanOrEqual(now!.target_first);
      expect(odds!.changes).toHaveLength(3);
    }
  });

  it("changes the assumptions of the odds only in full detail", async () => {
    const { odds } = await explain({ symbol: "AAPL", detail: "full" });
    const concise = (await explain({ symbol: "AAPL", detail: "concise" })).odds!;
    expect(odds!.changes.slice(0, 3)).toEqual(concise.changes);
    const reason = "250 past forecasts need 370 bars, there are 300";
    const none = {
      price: null,
      volatility_percent: null,
      stop_first: null,
      target_first: null,
      neither: null,
      base: null,
    };
    expect(odds!.changes.slice(3, 5)).toEqual([
      { change: "low_volatility", ...none, reason },
      { change: "high_volatility", ...none, reason },
    ]);
    const driftless = odds!.changes[5]!;
    expect(driftless.change).toBe("no_drift");
    // by hand: the drift is upwards, so that a long plan without it is stopped no less often
    expect(driftless.stop_first).toBeGreaterThanOrEqual(odds!.stop_first);
    expect(driftless.target_first).toBeLessThanOrEqual(odds!.target_first);
    expect((await explain({ symbol: "LINK-USD", detail: "full" })).odds!.changes).toHaveLength(5);
  });

  it("explains why there are no odds", async () => {
    const short = smallMarket({ bars: { AAPL: climbingBars({ count: 100 }) } });
    expect(await callerOf(explainSignal, short.ports)({ symbol: "AAPL" })).toMatchObject({
      odds: null,
      odds_reason: "Odds need 120 bars, there are 100",
    });
  });

  it("explains why there is no score", async () => {
    const short = smallMarket({ bars: { AAPL: climbingBars({ count: 100 }) } });
    const answer = await callerOf(explainSignal, short.ports)({ symbol: "AAPL" });
    expect(answer).toMatchObject({
      direction: "WAIT",
      score: null,
      grade: null,
      reason: "A score needs 252 bars, there are 100",
    });
    expect(answer.drivers.find(({ id }) => id === "t_ma200")).toMatchObject({
      value: null,
      reason: "Needs 200 bars, has 100",
    });
  });

  it("explains a past signal, and rejects a future moment", async () => {
    expect(await explain({ symbol: "AAPL", as_of: "2025-12-31" })).toMatchObject({
      data_as_of: "2025-12-31T21:00:00.000Z",
    });
    await expect(explain({ symbol: "AAPL", as_of: "2030-01-01" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});

toolContract(explainSignal, { ports });
