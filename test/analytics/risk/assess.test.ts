import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assess } from "../../../src/analytics/risk/assess.ts";
import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import type { Situation } from "../../../src/analytics/risk/situation.ts";
import { RULE_TERMS, type RuleName } from "../../../src/analytics/risk/verdict.ts";
import { RiskLimits } from "../../../src/domain/trading/risk.ts";
import type { Intent, RiskCheck } from "../../../src/domain/trading/trading.ts";
import { decimal, truncated } from "../../../src/lib/decimal.ts";
import { draws } from "../../support/draws.ts";

const NOW = Date.UTC(2026, 10, 20, 16);
const MINUTE = 60_000;
const order = (changes: Partial<Intent> = {}): Intent => ({
  symbol: "AAPL",
  side: "buy",
  type: "market",
  quantity: "10",
  time_in_force: "day",
  limit_price: null,
  stop_price: null,
  take_profit: null,
  stop_loss: "95",
  ...changes,
});
/** An account with equity of 100,000 USD and no position in a stock at 100. */
const situation = (changes: Partial<Situation> = {}): Situation => ({
  intent: order(),
  assetClass: "equity",
  accountType: "paper",
  killSwitch: false,
  now: NOW,
  price: "100",
  pricedAt: NOW,
  session: "regular",
  tick: "0.01",
  step: "1",
  offStep: [],
  held: "0",
  shorting: true,
  riskAUnit: null,
  equity: "100000",
  buyingPower: "100000",
  openRisk: "0",
  equityBefore: "100000",
  equityPeak: "100000",
  orders: [],
  stopOuts: [],
  ...changes,
});
const check = (rule: string, one: Situation, limits: Partial<RiskLimits> = {}): RiskCheck | undefined =>
  assess(one, { ...DEFAULT_LIMITS, ...limits }).find((each) => each.rule === rule);
const buys = (quantity: string, changes: Partial<Situation> = {}) =>
  situation({ intent: order({ quantity }), ...changes });

describe("assess", () => {
  it("passes an ordinary order and returns the value of every rule", () => {
    const checks = assess(situation(), DEFAULT_LIMITS);
    expect(checks.filter(({ state }) => state !== "passed")).toEqual([]);
    expect(checks.map(({ rule, value, limit }) => `${rule} ${value} ${limit}`)).toEqual([
      "market_hours regular regular",
      "max_quote_age_seconds 0 60",
      "max_orders_a_minute 1 10",
      "quantity_step 10 1",
      "stop_loss_side 95 100",
      "tick on a step steps of 0.01 USD",
      "stop_missing set a stop_loss",
      "max_quantity 10 10000",
      "max_notional_usd 1000 25000",
      "max_notional_pct 1000 10000",
      "buying_power 1000 100000",
      "trade_risk 0.05 1",
      "max_open_risk_pct 50 6000",
      "position_share 1 20",
      "max_daily_loss_pct 0 3",
      "halt_drawdown_pct 0 20",
    ]);
  });

  it("reports the unit of every value and the limit that configures it", () => {
    const set = { symbols: ["MSFT"], cooldown_stop_outs: 1, max_stop_over_target_points: "30" };
    const elsewhere: Partial<Situation> = {
      averageVolume: "1000000",
      gaps: { p99: 0.03 },
      atr: "2",
      spread: { bid: "99.99", ask: "100.01" },
      reference: { price: "100", isCurrent: true },
      report: { date: "2026-12-01", until: "2026-12-18" },
      working: [{ side: "sell", quantity: "1", limitPrice: "99", stopPrice: null }],
      fills: [{ side: "buy", at: NOW, profit: null }],
      correlated: "1000",
      gross: "1000",
    };
    const sells = { side: "sell", quantity: "0.5", limit_price: "1", stop_price: "1" } as const;
    const closing: Partial<Situation> = {
      intent: order({ ...sells, stop_loss: "101" }),
      shorting: false,
      held: "0.5",
      exits: { units: "0.4", orders: [] },
      fills: [{ side: "buy", at: NOW, profit: null }],
    };
    const opening: Partial<Situation> = {
      ...elsewhere,
      intent: order({ take_profit: "120" }),
      killSwitch: true,
      accountType: "live",
      stopOuts: [NOW],
      secondPrice: "agrees",
      otherNames: ["AAPL.US"],
      odds: { stop_first: 0.6, target_first: 0.3 },
    };
    const stopOrder = { intent: order({ type: "stop_limit", stop_price: "101", limit_price: "102" }) };
    const sold = (right: "call" | "put"): Partial<Situation> => ({
      intent: order({ side: "sell", quantity: "1", stop_loss: null }),
      option: {
        right,
        strikeValue: "10000",
        expiry: "2026-12-18",
        covered: "1",
        sharesValue: "0",
        putsValue: "0",
      },
    });
    const every = [
      ...assess(situation(sold("call")), DEFAULT_LIMITS),
      ...assess(situation(sold("put")), DEFAULT_LIMITS),
      ...assess(situation(opening), { ...DEFAULT_LIMITS, ...set }),
      ...assess(situation(closing), DEFAULT_LIMITS),
      ...assess(situation(stopOrder), DEFAULT_LIMITS),
      ...assess(situation({ ...stopOrder, notional: "50" }), {
        ...DEFAULT_LIMITS,
        hours: "any",
        max_quote_age_seconds: null,
      }),
    ];
    expect([...new Set(every.map(({ rule }) => rule))].sort()).toEqual(Object.keys(RULE_TERMS).sort());
    for (const { rule, unit, set_by, value, limit } of every) {
      expect({ unit, set_by }, rule).toEqual({
        unit: RULE_TERMS[rule as RuleName].unit,
        set_by: RULE_TERMS[rule as RuleName].set_by,
      });
      // numbers have units
      for (const text of [value ?? limit, limit])
        if (/^-?\d+(\.\d+)?$/.test(text)) expect(unit, rule).not.toBeNull();
    }
    const named = Object.entries(RULE_TERMS).filter(([rule]) => rule in RiskLimits.shape);
    expect(named.filter(([rule, { set_by }]) => set_by !== rule)).toEqual([]);
    expect(check("max_notional_pct", situation())).toMatchObject({ limit: "10000", unit: "USD" });
    expect(RULE_TERMS.limit_price_off_pct).toMatchObject({ unit: "%", set_by: "max_price_off_pct" });
  });

  it("has defaults that are valid limits", () => {
    expect(RiskLimits.parse(DEFAULT_LIMITS)).toEqual(DEFAULT_LIMITS);
    expect(DEFAULT_LIMITS).toMatchObject({ max_notional_pct: "10", max_open_risk_pct: "6" });
  });

  it("omits rules that the owner has disabled", () => {
    const off = {
      max_notional_usd: null,
      max_notional_pct: null,
      max_quantity: null,
      max_price_off_pct: null,
      max_open_risk_pct: null,
      max_daily_loss_pct: null,
      halt_drawdown_pct: null,
      max_orders_a_minute: null,
      max_quote_age_seconds: null,
      cooldown_stop_outs: null,
    };
    const checks = assess(situation({ stopOuts: [NOW] }), { ...DEFAULT_LIMITS, ...off, hours: "any" });
    const binding = checks.filter(({ level }) => level === "stop");
    expect(binding.map(({ rule }) => rule)).toEqual([
      "quantity_step",
      "stop_loss_side",
      "tick",
      "buying_power",
    ]);
  });
});

describe("size rules", () => {
  it("return the quantity that would pass", () => {
    expect(check("max_notional_usd", buys("251"))).toMatchObject({
      rule: "max_notional_usd",
      state: "failed",
      value: "25100",
      limit: "25000",
      would_pass: "250",
    });
    expect(check("max_notional_pct", buys("101"))?.would_pass).toBe("100");
    expect(check("max_quantity", buys("10001"))?.would_pass).toBe("10000");
    expect(check("buying_power", buys("11", { buyingPower: "1099.99" }))?.would_pass).toBe("10");
    expect(check("max_open_risk_pct", buys("1201"))).toMatchObject({ state: "failed", would_pass: "1200" });
  });

  it("show a value above the limit however small the excess", () => {
    const one = check(
      "max_notional_usd",
      situation({ intent: order({ quantity: "10" }), price: "100.0001" }),
      {
        max_notional_usd: "1000",
      },
    );
    expect(one).toMatchObject({ state: "failed", value: "1000.01", limit: "1000" });
    const risk = check("max_open_risk_pct", buys("1", { openRisk: "6000.001" }));
    expect(risk).toMatchObject({ state: "failed", value: "5", limit: "0" });
  });

  it("return no passing quantity if even the smallest order would fail", () => {
    expect(check("buying_power", buys("11", { buyingPower: "99.99" }))).toMatchObject({
      state: "failed",
      would_pass: null,
    });
    expect(check("max_open_risk_pct", buys("1", { openRisk: "6000" }))?.would_pass).toBeNull();
  });

  it("treat the entire price as at risk without a stop, unless a range implies less", () => {
    const intent = order({ stop_loss: null });
    expect(check("max_open_risk_pct", situation({ intent }))?.value).toBe("1000");
    expect(check("max_open_risk_pct", situation({ intent, riskAUnit: "4.5" }))?.value).toBe("45");
  });

  it("use a buyer's limit price, and at least the last price for short sales and stop orders", () => {
    const value = (intent: Partial<Intent>) =>
      check("max_notional_usd", situation({ intent: order(intent) }))?.value;
    expect(value({ type: "limit", limit_price: "98" })).toBe("980");
    expect(value({ type: "stop", stop_price: "104" })).toBe("1040");
    expect(value({ side: "sell", type: "limit", limit_price: "98" })).toBe("1000");
    expect(value({ side: "sell", type: "limit", limit_price: "103" })).toBe("1030");
  });

  it("never block a closing order, and count only the part that opens a position", () => {
    const sells = (quantity: string) =>
      situation({
        intent: order({ side: "sell", quantity, stop_loss: quantity === "5000" ? null : "105" }),
        held: "5000",
        equity: "1000",
        openRisk: "900",
        buyingPower: "0",
        stopOuts: [NOW, NOW, NOW],
      });
    expect(assess(sells("5000"), DEFAULT_LIMITS).filter(({ state }) => state !== "passed")).toEqual([]);
    expect(check("max_notional_usd", sells("5251"))?.would_pass).toBe("5250");
    expect(check("buying_power", sells("5001"))?.would_pass).toBe("5000");
    expect(check("cooldown_minutes", sells("5001"))?.state).toBe("failed");
  });

  it("reject fractional quantities and zero if only whole units are traded", () => {
    expect(check("quantity_step", buys("2.5"))).toMatchObject({ state: "failed", would_pass: "2" });
    expect(check("quantity_step", buys("0.5"))?.would_pass).toBe("1");
    expect(check("quantity_step", buys("-3"))).toMatchObject({ state: "failed", would_pass: "1" });
    expect(check("quantity_step", buys("2.5", { step: "0.000000001" }))?.state).toBe("passed");
  });

  it("reject short sales if shorting is not allowed", () => {
    const sells = (held: string) =>
      check("oversell", situation({ intent: order({ side: "sell" }), shorting: false, held }));
    expect(sells("10")?.state).toBe("passed");
    expect(sells("4")).toMatchObject({ state: "failed", value: "10", limit: "4", would_pass: "4" });
    expect(sells("-4")).toMatchObject({ state: "failed", value: "10", would_pass: null });
  });

  it("refuse to close units that other open orders already close, even if shorting is allowed", () => {
    const rests = (side: Intent["side"], quantity: string, [holding, held]: readonly [string, string]) =>
      check("oversell", situation({ intent: order({ side, quantity }), holding, held, leaving: ["or_a"] }));
    const refused = { state: "failed", value: "10", held_by: ["or_a"] };
    expect(rests("sell", "10", ["10", "0"])).toMatchObject({ ...refused, limit: "0", would_pass: null });
    expect(rests("sell", "10", ["10", "4"])).toMatchObject({ ...refused, limit: "4", would_pass: "4" });
    expect(rests("buy", "10", ["-10", "0"])).toMatchObject({ ...refused, limit: "0", would_pass: null });
    expect(rests("buy", "10", ["-10", "-3"])).toMatchObject({ ...refused, limit: "3", would_pass: "3" });
    // Closing free units passes; selling more than is held opens a short, and the opposite side adds to the position.
    for (const open of [
      rests("sell", "4", ["10", "4"]),
      rests("sell", "11", ["10", "4"]),
      rests("buy", "10", ["10", "4"]),
      rests("sell", "10", ["-10", "-3"]),
    ])
      expect(open).toBeUndefined();
  });
});

describe("price rules", () => {
  const at = (limit_price: string, changes: Partial<Situation> = {}) =>
    check("limit_price_off_pct", situation({ intent: order({ type: "limit", limit_price }), ...changes }));

  it("return the passing price nearest to the requested one", () => {
    expect(at("110")?.state).toBe("passed");
    expect(at("110.01")).toMatchObject({ state: "failed", value: "10.01", would_pass: "110" });
    expect(at("1")).toMatchObject({ state: "failed", value: "99", would_pass: "90" });
    expect(at("0.02", { price: "0.014" })).toMatchObject({ state: "failed", would_pass: null });
  });

  it("apply to stops that open a position, not to protective stops", () => {
    const intent = order({ side: "sell", type: "stop", stop_price: "80", stop_loss: null });
    expect(check("stop_price_off_pct", situation({ intent }))).toMatchObject({ would_pass: "90" });
    expect(check("stop_price_off_pct", situation({ intent, held: "10" }))).toBeUndefined();
  });
});

describe("the rule against a stop that is likelier than the target", () => {
  const at = (limit: string | null, odds: Situation["odds"], changes: Partial<Situation> = {}) =>
    check("max_stop_over_target_points", situation({ odds: odds ?? null, ...changes }), {
      max_stop_over_target_points: limit,
    });
  const odds = { stop_first: 0.55, target_first: 0.3 };

  it("compares the difference in percentage points with the limit", () => {
    // .55 - .30 = 25 points
    expect(at("25", odds)).toEqual({
      rule: "max_stop_over_target_points",
      level: "stop",
      state: "passed",
      value: "25",
      limit: "25",
      unit: "points",
      set_by: "max_stop_over_target_points",
      would_pass: null,
    });
    expect(at("24.9", odds)).toMatchObject({
      state: "failed",
      value: "25",
      limit: "24.9",
      would_pass: "24.9",
    });
    expect(at("0", { stop_first: 0.3, target_first: 0.31 })).toMatchObject({ state: "passed", value: "-1" });
    expect(at("0", { stop_first: 0.31, target_first: 0.3 })).toMatchObject({ state: "failed", value: "1" });
  });

  it("rejects an opening order without odds, and no closing order", () => {
    expect(at("25", null)).toMatchObject({ state: "unknown", value: null, limit: "25" });
    const { odds: _, ...withoutOdds } = situation({ odds: null });
    const limits = { ...DEFAULT_LIMITS, max_stop_over_target_points: "100" };
    expect(assess(withoutOdds, limits).filter(({ state }) => state !== "passed")).toMatchObject([
      { state: "unknown", value: null },
    ]);
    const sells = { intent: order({ side: "sell" }), held: "10" } as const;
    expect(at("0", odds, sells)).toBeUndefined();
  });

  it("is off by default", () => {
    expect(DEFAULT_LIMITS.max_stop_over_target_points).toBeNull();
    expect(at(null, odds)).toBeUndefined();
    expect(at(null, null)).toBeUndefined();
  });
});

describe("loss rules", () => {
  it("reject opening orders after too large a daily loss, or if the loss is unknown", () => {
    const lost = (equity: string) => check("max_daily_loss_pct", situation({ equity }));
    expect(lost("97000")).toMatchObject({ state: "passed", value: "3" });
    expect(lost("96999.99")).toMatchObject({ state: "failed", limit: "3", would_pass: "3" });
    expect(lost("120000")?.value).toBe("0");
    expect(check("max_daily_loss_pct", situation({ equityBefore: null }))).toMatchObject({
      state: "unknown",
      value: null,
    });
  });

  it("reject opening orders while drawdown exceeds the limit", () => {
    const down = (equityPeak: string) => check("halt_drawdown_pct", situation({ equityPeak }))?.state;
    expect(down("125000")).toBe("passed");
    expect(down("125000.01")).toBe("failed");
  });

  it("reject opening orders for a cooldown after several stop-outs", () => {
    const stopped = (...ago: number[]) =>
      check("cooldown_minutes", situation({ stopOuts: ago.map((minutes) => NOW - minutes * MINUTE) }));
    expect(stopped(1, 2)).toBeUndefined();
    expect(stopped(1, 1_439, 2)).toMatchObject({
      state: "failed",
      value: "1439",
      would_pass: "1440",
      passes_at: "2026-11-20T16:01:00.000Z",
    });
    expect(stopped(1, 1_440, 2)?.state).toBe("passed");
    expect(stopped(3, 2, 1, 5_000)?.value).toBe("3");
    // dated by a clock that was ahead
    expect(stopped(1, 2, -43_200)).toBeUndefined();
  });
});

describe("time and permission rules", () => {
  it("reject a price that is stale, undated or from the future", () => {
    const age = (pricedAt: number | null) => check("max_quote_age_seconds", situation({ pricedAt }));
    expect(age(NOW - MINUTE)?.state).toBe("passed");
    expect(age(NOW - MINUTE - 1)).toMatchObject({ state: "failed", value: "60.001", would_pass: "60" });
    expect(age(NOW + MINUTE + 1)?.state).toBe("failed");
    expect(age(null)).toMatchObject({ state: "unknown", value: null });
  });

  it("limit the number of orders per minute", () => {
    const sent = (n: number, ago: number) =>
      check("max_orders_a_minute", situation({ orders: Array(n).fill(NOW - ago) }));
    expect(sent(9, 1)?.state).toBe("passed");
    expect(sent(10, 1)).toMatchObject({ state: "failed", value: "11", would_pass: "10" });
    expect(sent(10, MINUTE)?.value).toBe("1");
    // dated by a clock that was ahead
    expect(sent(10, -5_000)?.state).toBe("failed");
    expect(sent(10, -5_001)).toMatchObject({ state: "passed", value: "1" });
    // The tenth newest of eleven was sent 31.5 s ago: in 28.5 s nine are left.
    const orders = Array.from({ length: 11 }, (_, n) => NOW - n * 3_500);
    expect(check("max_orders_a_minute", situation({ orders }))?.passes_at).toBe("2026-11-20T16:00:29.000Z");
    const then = situation({ orders, now: NOW + 28_500, pricedAt: NOW });
    expect(check("max_orders_a_minute", then)?.state).toBe("passed");
    expect(check("max_orders_a_minute", { ...then, now: then.now - 1 })?.state).toBe("failed");
  });

  it("reject orders while the venue is closed; crypto is always open", () => {
    const at = (session: Situation["session"]) => check("market_hours", situation({ session }));
    expect(at("post")).toMatchObject({ state: "failed", value: "post", limit: "regular", would_pass: null });
    expect(at("always_open")?.state).toBe("passed");
    expect(check("market_hours", situation({ session: "closed" }), { hours: "any" })).toBeUndefined();
  });

  it("reject opening orders for symbols not on the list", () => {
    expect(check("symbols", situation(), { symbols: ["MSFT", "AAPL"] })?.state).toBe("passed");
    expect(check("symbols", situation(), { symbols: ["MSFT"] })).toMatchObject({ state: "failed" });
    const intent = order({ side: "sell" });
    expect(check("symbols", situation({ intent, held: "10" }), { symbols: [] })).toBeUndefined();
  });

  it("block live orders while the kill switch is on, but not paper orders", () => {
    const engaged = { killSwitch: true };
    expect(check("kill_switch", situation(engaged))).toBeUndefined();
    expect(check("kill_switch", situation({ ...engaged, accountType: "live" }))).toMatchObject({
      rule: "kill_switch",
      state: "failed",
      value: "engaged",
      limit: "released",
      would_pass: null,
    });
    expect(check("kill_switch", situation({ accountType: "live" }))?.state).toBe("passed");
  });
});

/** Builds a situation at exactly the suggested value of a rule, and one that is one tick beyond. */
type Named = (one: Situation, named: string) => readonly [Situation, Situation];
const sized: Named = (one, named) => {
  const of = (quantity: string) => ({ ...one, intent: { ...one.intent, quantity } });
  return [of(named), of(truncated(decimal(named).plus(one.step)))];
};
const fallen =
  (from: "equityBefore" | "equityPeak"): Named =>
  (one, named) => {
    const rest = decimal(one[from]!).times(decimal(100).minus(named)).times("0.01");
    return [
      { ...one, equity: rest.toFixed() },
      { ...one, equity: rest.minus("0.000000001").toFixed() },
    ];
  };
const NAMED: Readonly<Record<string, Named>> = {
  max_quantity: sized,
  max_notional_usd: sized,
  max_notional_pct: sized,
  buying_power: sized,
  max_open_risk_pct: sized,
  trade_risk: sized,
  position_share: sized,
  oversell: sized,
  max_daily_loss_pct: fallen("equityBefore"),
  halt_drawdown_pct: fallen("equityPeak"),
  quantity_step: (one, named) => {
    const of = (quantity: string) => ({ ...one, intent: { ...one.intent, quantity } });
    return [of(named), of(truncated(decimal(one.step).times("0.5").plus(named), 10))];
  },
  limit_price_off_pct: (one, named) => {
    const of = (limit_price: string) => ({ ...one, intent: { ...one.intent, limit_price } });
    const away = decimal(named).gt(one.price) ? one.tick : `-${one.tick}`;
    return [of(named), of(truncated(decimal(named).plus(away)))];
  },
  fraction: (one, named) => {
    const of = (quantity: string) => ({ ...one, intent: { ...one.intent, quantity } });
    const whole = named.split(" ")[1]!;
    return whole === "market"
      ? [{ ...one, intent: { ...one.intent, type: "market", stop_loss: null, take_profit: null } }, one]
      : [of(whole), of(truncated(decimal(whole).plus("0.5")))];
  },
  stop_loss_side: (one, named) => {
    const [word, at] = named.split(" ");
    const of = (stop_loss: string) => ({ ...one, intent: { ...one.intent, stop_loss } });
    return [of(truncated(decimal(at!).plus(word === "above" ? one.tick : `-${one.tick}`))), of(at!)];
  },
  exits_on_closing: (one) => [{ ...one, intent: { ...one.intent, stop_loss: null } }, one],
  max_quote_age_seconds: (one, named) => {
    const pricedAt = one.now - Number(named) * 1_000;
    return [
      { ...one, pricedAt },
      { ...one, pricedAt: pricedAt - 1 },
    ];
  },
  max_orders_a_minute: (one, named) => {
    const orders = Array<number>(Number(named) - 1).fill(one.now);
    return [
      { ...one, orders },
      { ...one, orders: [...orders, one.now] },
    ];
  },
  cooldown_minutes: (one, named) => {
    const of = (at: number) => ({ ...one, stopOuts: [at, one.now, one.now] });
    const at = one.now - Number(named) * MINUTE;
    return [of(at), of(at + 1)];
  },
};

describe("the suggested value of a refusal", () => {
  const cents = (min: number, max: number) =>
    fc.integer({ min, max }).map((n) => truncated(decimal(n).div(100)));
  const anything = fc
    .record({
      quantity: fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom("1", "1", "0.001", "0.5")),
      side: fc.constantFrom("buy", "sell"),
      limit_price: fc.option(cents(1, 30_000)),
      stop_loss: fc.option(cents(1, 30_000)),
      price: cents(1, 30_000),
      step: fc.constantFrom("1", "0.000000001"),
      held: fc.integer({ min: -500, max: 500 }).map(String),
      equity: cents(1, 1e8),
      buyingPower: cents(0, 1e8),
      openRisk: cents(0, 1e6),
      equityBefore: cents(1, 1e8),
      equityPeak: cents(1, 1e8),
      shorting: fc.boolean(),
      age: fc.integer({ min: -200_000, max: 200_000 }),
      orders: fc.integer({ min: 0, max: 20 }),
      stopOuts: fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 5 }),
    })
    .map(({ quantity: [n, part], side, limit_price, stop_loss, age, orders, stopOuts, ...rest }) =>
      situation({
        ...rest,
        intent: order({
          side: side as Intent["side"],
          type: limit_price === null ? "market" : "limit",
          limit_price,
          stop_loss,
          quantity: truncated(decimal(n).times(part)),
        }),
        pricedAt: NOW - age,
        orders: Array(orders).fill(NOW),
        stopOuts: stopOuts.map((minutes) => NOW - minutes * MINUTE),
      }),
    );

  it("passes, and one tick beyond it fails", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anything, (one) => {
        for (const { rule, state, would_pass } of assess(one, DEFAULT_LIMITS)) {
          if (state === "passed" || would_pass === null) continue;
          seen.add(rule);
          const [fits, beyond] = NAMED[rule]!(one, would_pass);
          expect(check(rule, fits)?.state ?? "passed", `${rule} ${would_pass}`).toBe("passed");
          expect(check(rule, beyond)?.state, `${rule} beyond ${would_pass}`).toBe("failed");
        }
      }),
      { numRuns: draws(1_000), seed: 7 },
    );
    expect([...seen].sort()).toEqual(Object.keys(NAMED).sort());
  });
});
