import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AccountRisk } from "../../../src/analytics/check/portfolio.ts";
import { RULES } from "../../../src/analytics/risk/assess.ts";
import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import {
  openingUnits,
  type Rule,
  type Situation,
  worstEntry,
} from "../../../src/analytics/risk/situation.ts";
import type { CheckRequest } from "../../../src/domain/check/check.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { priceStep } from "../../../src/domain/trading/price-step.ts";
import { lossOf } from "../../../src/features/check/amounts.ts";
import { assessOrder, type OrderAssessment, verdictOf } from "../../../src/features/check/assess-order.ts";
import type { CheckPrice } from "../../../src/features/check/check-price.ts";
import { concise } from "../../../src/features/check/concise.ts";
import type { ReadHoldings } from "../../../src/features/check/holdings.ts";
import { readOrder } from "../../../src/features/check/read-order.ts";
import { situationOf } from "../../../src/features/check/situation.ts";
import type { Snapshot } from "../../../src/features/check/snapshot/snapshot.ts";
import { unknownsOf } from "../../../src/features/check/unknowns.ts";
import { decimal, stepDown, truncated } from "../../../src/lib/decimal.ts";
import { checkOrder } from "../../../tools/check-order.ts";
import { getOdds } from "../../../tools/get-odds.ts";
import { countingMeters } from "../../support/context.ts";
import { atScale, draws } from "../../support/draws.ts";
import { climbingBars, marketOf, withPrices } from "../../support/market.ts";
import { receiptPorts } from "../../support/receipts.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { callerOf } from "../../support/tool-call.ts";

const NOW = Date.UTC(2026, 4, 29, 15);
const DAY = 86_400_000;
const SYMBOL = "KO";

/** Random bars whose last close is a price. */
function barsAt(seed: number, price: number): Bars {
  const bars = syntheticBars(seed, 200);
  const scale = price / bars.close.at(-1)!;
  return withPrices(bars, (each) => each * scale);
}
const MARKETS = [0.42, 3.17, 24.5, 187.33, 4_812.4].map((price, i) => ({
  price: price.toFixed(price < 1 ? 4 : 2),
  bars: barsAt(i + 1, price),
}));

/** Facts of a check besides the order. */
interface Facts {
  /** Index of the market. */
  readonly market: number;
  readonly equity: string | null;
  readonly buyingPower: string | null;
  readonly equityBefore: string | null;
  /** Units held of the symbol; null: the positions are not known. */
  readonly held: string | null;
  /** Value of other holdings, of which the first share moves with the symbol. */
  readonly others: { readonly value: number; readonly clustered: number; readonly risk: number };
  readonly working: Snapshot["working"];
  readonly fills: Snapshot["fills"];
  readonly session: CheckPrice["session"];
  readonly spread: number | null;
  readonly pricedAt: number | null;
  readonly isRecent: boolean;
  readonly report: Situation["report"];
}

const priceOf = ({ market }: Facts): string => MARKETS[market]!.price;
const textOf = (value: number): string => {
  const step = priceStep(decimal(Math.max(value, 0.0002)), "equity");
  return truncated(stepDown(decimal(Math.max(value, 0.0002).toFixed(8)), decimal(step)));
};
/** A uniform number with four decimal places, sometimes one of the bounds. */
function between(min: number, max: number): fc.Arbitrary<number> {
  const [low, high] = [Math.round(min * 10_000), Math.round(max * 10_000)];
  return fc
    .oneof(
      { arbitrary: fc.noBias(fc.integer({ min: low, max: high })), weight: 9 },
      { arbitrary: fc.constantFrom(low, high), weight: 1 },
    )
    .map((value) => value / 10_000);
}
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 6 });

const often = () => fc.constantFrom(true, true, true, true, false);

/** An order with prices around the market's. */
interface Draw {
  readonly request: CheckRequest;
  readonly facts: Facts;
}

const factsArbitrary: fc.Arbitrary<Facts> = fc
  .record({
    market: fc.nat(MARKETS.length - 1),
    equityOf: between(60, 20_000),
    known: fc.record({ equity: often(), power: often(), before: often() }),
    powerShare: between(0.05, 1.5),
    dayMove: between(-0.06, 0.06),
    heldShare: orNull(fc.constantFrom(0, 0, 0, 0.02, 0.1, -0.05)),
    others: fc.record({
      value: between(0, 1.2),
      clustered: fc.constantFrom(0, 0, 0.3, 1),
      risk: between(0, 0.05),
    }),
    works: fc.constantFrom("none", "none", "none", "buy", "sell", "unknown"),
    filled: fc.constantFrom("none", "none", "buy", "sell"),
    session: fc.constantFrom("regular", "regular", "regular", "post", "closed"),
    spread: orNull(fc.constantFrom(0.0002, 0.0002, 0.02)),
    age: fc.constantFrom(0, 0, 60_000, 3_600_000, 8 * DAY, null),
    isRecent: fc.constantFrom(true, true, true, true, false),
    report: fc.constantFrom(undefined, null, "2026-06-03", "2026-09-01"),
  })
  .map(({ market, equityOf, known, heldShare, others, works, filled, age, report, ...rest }) => {
    const last = MARKETS[market]!.price;
    const price = Number(last);
    const equity = equityOf * price;
    const order = (side: "buy" | "sell") => ({
      symbol: SYMBOL,
      side,
      quantity: "5",
      limitPrice: textOf(price * (side === "buy" ? 0.98 : 1.02)),
      stopPrice: null,
    });
    return {
      market,
      equity: known.equity ? equity.toFixed(2) : null,
      buyingPower: known.power ? (equity * rest.powerShare).toFixed(2) : null,
      equityBefore: known.before ? (equity * (1 + rest.dayMove)).toFixed(2) : null,
      held: heldShare === null ? null : String(Math.round((heldShare * equity) / price)),
      others: {
        value: others.value * equity,
        clustered: others.value * equity * others.clustered,
        risk: others.risk * equity,
      },
      working: works === "unknown" ? null : works === "none" ? [] : [order(works as "buy")],
      fills:
        works === "unknown"
          ? null
          : filled === "none"
            ? []
            : [
                {
                  symbol: SYMBOL,
                  side: filled as "buy",
                  quantity: "2",
                  price: last,
                  at: NOW - 3 * DAY,
                  realizedPnl: filled === "sell" ? "-12.5" : null,
                },
              ],
      session: rest.session as CheckPrice["session"],
      spread: rest.spread,
      pricedAt: age === null ? null : NOW - age,
      isRecent: rest.isRecent,
      report: typeof report === "string" ? { date: report, until: "2026-06-26" } : report,
    };
  });

/** Draws an order of one of these sides and types. */
const drawOf = (
  sides: readonly CheckRequest["side"][] = ["buy", "buy", "sell_short", "sell", "buy_to_cover"],
  types: readonly CheckRequest["type"][] = ["market", "market", "limit", "stop", "stop_limit"],
): fc.Arbitrary<Draw> =>
  fc
    .record({
      facts: factsArbitrary,
      side: fc.constantFrom(...sides),
      type: fc.constantFrom(...types),
      share: between(0.002, 0.8),
      isFraction: fc.constantFrom(false, false, false, false, true),
      // distances of limit and trigger from the price, and of the exits from the entry, toward the loss
      limit: between(-0.14, 0.14),
      trigger: between(-0.03, 0.14),
      stop: orNull(between(-0.005, 0.12)),
      target: orNull(between(-0.01, 0.25)),
      isOffStep: fc.constantFrom(false, false, false, false, true),
      extended_hours: fc.constantFrom(false, false, false, true),
    })
    .map(
      ({ facts, side, type, share, isFraction, limit, trigger, stop, target, isOffStep, extended_hours }) => {
        const price = Number(priceOf(facts));
        const way = side.startsWith("buy") ? 1 : -1;
        const units = Math.max(1, Math.round((share * Number(facts.equity ?? 1_000 * price)) / price));
        const near = (value: number) => {
          const text = textOf(value);
          return isOffStep ? decimal(text).plus("0.00003").toFixed() : text;
        };
        const limitPrice = price * (1 + limit);
        const stopPrice = price * (1 + way * trigger);
        const entry =
          type === "limit" || type === "stop_limit" ? limitPrice : type === "stop" ? stopPrice : price;
        return {
          facts,
          request: {
            symbol: SYMBOL,
            side,
            type,
            quantity: isFraction ? `${units}.25` : String(units),
            ...((type === "limit" || type === "stop_limit") && { limit_price: near(limitPrice) }),
            ...((type === "stop" || type === "stop_limit") && { stop_price: near(stopPrice) }),
            ...(stop !== null && { stop_loss: near(entry * (1 - way * stop)) }),
            ...(target !== null && { take_profit: near(entry * (1 + way * target)) }),
            extended_hours,
            horizon: 20,
            receipt: false,
          } as CheckRequest,
        };
      },
    );

const INSTRUMENT = {
  symbol: SYMBOL,
  name: SYMBOL,
  asset_class: "equity",
  sector: null,
  currency: "USD",
} as const;
const isSame = (symbol: string) => symbol === SYMBOL;

function snapshotOf(facts: Facts): Snapshot {
  const row = { averagePrice: null, price: priceOf(facts), stopLoss: null, option: null };
  return {
    quote: null,
    account: {
      equity: facts.equity,
      buyingPower: facts.buyingPower,
      equityBefore: facts.equityBefore,
      margin: null,
    },
    holdings:
      facts.held === null
        ? null
        : facts.held === "0"
          ? []
          : [{ ...row, symbol: SYMBOL, quantity: facts.held }],
    working: facts.working,
    fills: facts.fills,
    unreadable: [],
  };
}

/** Values the holdings, of which the others are one row. */
function holdingsOf({ held, market, others }: Facts): ReadHoldings {
  const row = { averagePrice: null, returns: null };
  const own = {
    ...row,
    symbol: SYMBOL,
    quantity: held ?? "0",
    price: MARKETS[market]!.price,
    risk: decimal(0),
  };
  const rest = {
    ...row,
    symbol: "VOO",
    quantity: "1",
    price: others.value.toFixed(2),
    risk: decimal(others.risk.toFixed(2)),
  };
  return { holdings: held === "0" ? [rest] : [own, rest], missing: [], unvalued: [] };
}

function situationOfDraw({ request, facts }: Draw): Situation {
  const { price: last, bars } = MARKETS[facts.market]!;
  const { spread } = facts;
  const snapshot = snapshotOf(facts);
  const mid = Number(last);
  const price: CheckPrice = {
    value: last,
    source: "your_quote",
    at: NOW,
    pricedAt: facts.pricedAt,
    session: facts.session,
    spread:
      spread === null
        ? null
        : { bid: (mid * (1 - spread / 2)).toFixed(6), ask: (mid * (1 + spread / 2)).toFixed(6) },
  };
  const accountRisk: AccountRisk = {
    before: 0,
    after: 0,
    correlation: null,
    nearest: [],
    cluster: { holdings: [], value: facts.others.clustered },
  };
  return situationOf({
    request,
    order: readOrder(request, last, "equity"),
    instrument: INSTRUMENT,
    bars,
    isRecent: facts.isRecent,
    price,
    moment: NOW,
    snapshot,
    holdings: facts.held === null ? null : holdingsOf(facts),
    accountRisk: facts.held === null ? null : accountRisk,
    report: facts.report,
    killSwitch: false,
    otherNames: [],
    isSame,
  });
}

const WHY = { correlated: [], gaps: null, source: "test" };
const judgeSituation = (situation: Situation): OrderAssessment =>
  assessOrder(situation, { limits: DEFAULT_LIMITS, set: {} }, WHY);
const judgeDraw = (draw: Draw): OrderAssessment => judgeSituation(situationOfDraw(draw));

const SIZE = [
  "buying_power",
  "trade_risk",
  "max_open_risk_pct",
  "position_share",
  "correlated_share",
  "gross",
  "liquidity",
  "oversell",
  "quantity_step",
];
const PRICE = ["limit_price_off_pct", "stop_price_off_pct", "tick", "spread", "session"];
const DISTANCE = ["stop_price_side", "stop_loss_side", "take_profit_side", "stop_missing", "stop_in_noise"];
const SEVERITY = { stop: 2, warn: 1, info: 0 } as const;

/** Applies the change that would pass to an order; null for one that is no change of the order. */
function applied({ request, facts }: Draw, change: string): Draw | null {
  const step = (price: string) => priceStep(decimal(price), "equity");
  let next: CheckRequest = request;
  for (const part of change.split(", ")) {
    const [field = "", ...words] = part.split(" ");
    const [first = "", second = ""] = words;
    if (part === "type limit with limit_price")
      next = { ...without(next, "stop_price"), type: "limit", limit_price: priceOf(facts) };
    else if (part === "type limit") next = { ...without(next, "stop_price"), type: "limit" };
    else if (part === "type market")
      next = {
        ...without(without(without(without(next, "limit_price"), "stop_price"), "stop_loss"), "take_profit"),
        type: "market",
        extended_hours: false,
      };
    else if (field === "no") next = without(next, first as "stop_loss");
    else if (["quantity", "limit_price", "stop_price", "stop_loss", "take_profit"].includes(field)) {
      const value =
        first === "below"
          ? decimal(second).minus(step(second)).toFixed()
          : first === "above"
            ? decimal(second).plus(step(second)).toFixed()
            : first;
      next = { ...next, [field]: value };
    } else return null;
  }
  return { request: next, facts };
}

function without(request: CheckRequest, field: "stop_loss" | "take_profit" | "limit_price" | "stop_price") {
  const { [field]: _, ...rest } = request;
  return rest as CheckRequest;
}

/** Limits at least as strict as those of an order elsewhere, whose market hours are not limited either. */
const ELSEWHERE = { ...DEFAULT_LIMITS, hours: "any" } as const;
/** Each rule by its name, as found. */
const rulesByName = new Map<string, Rule>();

/** Returns the rule with this name, which an order has broken; no two rules have one name. */
function ruleNamed(name: string, broken: Draw): Rule {
  const known = rulesByName.get(name);
  if (known !== undefined) return known;
  const situation = situationOfDraw(broken);
  const found = RULES.find((rule) => rule(situation, ELSEWHERE)?.rule === name)!;
  rulesByName.set(name, found);
  return found;
}

/**
 * Returns false if an order does not break a rule. It applies this rule alone, under stricter limits: whatever
 * breaks the rule in an assessment breaks it here, and most assessments are spared.
 */
const mayBreak = (draw: Draw, rule: Rule): boolean =>
  rule(situationOfDraw(draw), ELSEWHERE)?.state === "failed";

/** Time for 40,000 draws: eight seconds of an idle processor, and many times that on a busy machine. */
const PATIENCE_MS = 300_000;

describe("the change that would pass", () => {
  it(
    "passes its rule once it is applied",
    () => {
      const seen = new Set<string>();
      fc.assert(
        fc.property(drawOf(), (draw) => {
          for (const { rule, would_pass } of judgeDraw(draw).rules) {
            const changed = would_pass === undefined ? null : applied(draw, would_pass);
            if (changed === null) continue;
            seen.add(rule);
            if (!mayBreak(changed, ruleNamed(rule, draw))) continue;
            const again = judgeDraw(changed).rules.find((one) => one.rule === rule);
            expect(again, `${rule}: ${would_pass} of ${JSON.stringify(draw.request)}`).toBeUndefined();
          }
        }),
        { numRuns: atScale(4_000, 40_000) },
      );
      const applicable = [...SIZE, ...PRICE, ...DISTANCE, "fraction", "exits_on_closing"];
      expect([...seen].sort()).toEqual(applicable.filter((rule) => rule !== "quantity_step").sort());
    },
    PATIENCE_MS,
  );

  it("is named for 95 of 100 broken rules on size, price and distance", () => {
    const counts = { broken: 0, named: 0 };
    fc.assert(
      fc.property(drawOf(), (draw) => {
        for (const { rule, limit, would_pass } of judgeDraw(draw).rules) {
          if (![...SIZE, ...PRICE, ...DISTANCE].includes(rule)) continue;
          // where nothing is held, no quantity closes
          if (rule === "oversell" && limit === "0 units") continue;
          counts.broken++;
          if (would_pass !== undefined) counts.named++;
        }
      }),
      { numRuns: draws(4_000) },
    );
    expect(counts.broken).toBeGreaterThan(1_000);
    expect(counts.named / counts.broken).toBeGreaterThanOrEqual(0.95);
  });

  it("as passing_quantity passes every rule on size at once", () => {
    let applications = 0;
    fc.assert(
      fc.property(drawOf(), (draw) => {
        const { passingQuantity, rules } = judgeDraw(draw);
        const isStopped = rules.some(({ rule, level }) => level === "stop" && !SIZE.includes(rule));
        if (isStopped) expect(passingQuantity).toBeNull();
        if (passingQuantity === null) return;
        applications++;
        const { rules: left } = judgeDraw({
          ...draw,
          request: { ...draw.request, quantity: passingQuantity },
        });
        expect(left.filter(({ rule }) => SIZE.includes(rule))).toEqual([]);
      }),
      { numRuns: draws(4_000) },
    );
    expect(applications).toBeGreaterThan(100);
  });
});

describe("a smaller order", () => {
  it("breaks no rule on size more severely", () => {
    const severities = (draw: Draw): Readonly<Record<string, number>> =>
      Object.fromEntries(
        judgeDraw(draw).rules.flatMap(({ rule, level }) =>
          SIZE.includes(rule) ? [[rule, SEVERITY[level]] as const] : [],
        ),
      );
    fc.assert(
      fc.property(drawOf(), between(0.01, 0.99), (draw, share) => {
        const units = Math.floor(Number(draw.request.quantity));
        const smaller = Math.max(1, Math.floor(units * share));
        const whole = (quantity: number) => ({
          facts: { ...draw.facts, working: [] },
          request: { ...draw.request, quantity: String(quantity) },
        });
        const before = severities(whole(units));
        for (const [rule, severity] of Object.entries(severities(whole(smaller))))
          expect(severity, rule).toBeLessThanOrEqual(before[rule] ?? -1);
      }),
      { numRuns: draws(4_000) },
    );
  });
});

describe("a purchase and a short sale with mirrored prices", () => {
  it("meet the same rules on sides and distances", () => {
    const MIRRORED = [...DISTANCE, "limit_price_off_pct", "trade_risk", "take_profit_side"];
    fc.assert(
      fc.property(drawOf(["buy"]), ({ request, facts }) => {
        const price = decimal(priceOf(facts));
        const flat: Facts = { ...facts, held: "0", working: [], fills: [] };
        const mirror = (text: string | undefined) =>
          text === undefined ? text : price.times(2).minus(text).toFixed();
        const short = Object.fromEntries(
          (["limit_price", "stop_price", "stop_loss", "take_profit"] as const).flatMap((field) =>
            request[field] === undefined ? [] : [[field, mirror(request[field])]],
          ),
        );
        const states = (one: CheckRequest) =>
          judgeDraw({ request: one, facts: flat }).checks.flatMap(({ rule, state, level, unit, value }) =>
            MIRRORED.includes(rule) ? [[rule, state, level, unit === "USD" ? null : value]] : [],
          );
        expect(states({ ...request, ...short, side: "sell_short" })).toEqual(states(request));
      }),
      { numRuns: draws(4_000) },
    );
  });
});

describe("an order that only closes", () => {
  const OPENING = [
    ...["stop_missing", "stop_in_noise", "stop_loss_side", "take_profit_side", "stop_price_off_pct"],
    ...["buying_power", "trade_risk", "max_open_risk_pct", "position_share", "correlated_share", "gross"],
    ...[
      "gap_risk",
      "liquidity",
      "earnings_inside",
      "max_daily_loss_pct",
      "halt_drawdown_pct",
      "cooldown_minutes",
    ],
  ];

  it("meets no rule on openings", () => {
    fc.assert(
      fc.property(drawOf(["sell", "buy_to_cover"]), (draw) => {
        const situation = situationOfDraw(draw);
        expect(openingUnits(situation).toFixed()).toBe("0");
        const met = judgeSituation(situation).checks.filter(
          ({ rule, state }) => state !== "passed" && OPENING.includes(rule),
        );
        expect(met.map(({ rule }) => rule)).toEqual([]);
      }),
      { numRuns: draws(4_000) },
    );
  });
});

describe("an unknown fact", () => {
  const REMOVALS: Readonly<Record<string, (facts: Facts) => Partial<Facts>>> = {
    equity: () => ({ equity: null }),
    "buying power": () => ({ buyingPower: null }),
    "equity at the previous close": () => ({ equityBefore: null }),
    // with a position of the symbol, it is not known what the order closes
    positions: ({ held }) => (held === "0" ? { held: null } : {}),
    "orders and fills": () => ({ working: null, fills: null }),
    bars: () => ({ isRecent: false }),
    "date of the report": () => ({ report: null }),
    spread: () => ({ spread: null }),
    "time of the price": () => ({ pricedAt: null }),
  };

  it.each(Object.keys(REMOVALS))("never becomes a refusal: %s", (name) => {
    fc.assert(
      fc.property(drawOf(), (draw) => {
        const stops = (one: Draw) =>
          judgeDraw(one).rules.flatMap(({ rule, level }) => (level === "stop" ? [rule] : []));
        const facts = { ...draw.facts, ...REMOVALS[name]!(draw.facts) };
        const known = stops(draw);
        // of more than is held, only that is assessed: the exits of a sale that is not known to be too large are
        if (known.includes("oversell")) known.push("exits_on_closing");
        for (const rule of stops({ ...draw, facts })) expect(known).toContain(rule);
      }),
      { numRuns: draws(1_000) },
    );
  });

  it("that is required makes an opening order at best a warning, and is named", () => {
    fc.assert(
      fc.property(drawOf(["buy", "sell_short"]), (draw) => {
        const situation = situationOfDraw(draw);
        if (openingUnits(situation).eq(0)) return;
        const { checks, rules } = judgeSituation(situation);
        const unknown = unknownsOf({
          checks,
          others: [],
          equity: situation.equity,
          isRecent: draw.facts.isRecent,
          hasPositions: draw.facts.held !== null,
          opens: true,
          unreadable: [],
        });
        const sends = unknown.flatMap(({ required, send }) => (required ? [send] : []));
        expect(sends.includes("account.equity")).toBe(draw.facts.equity === null);
        expect(sends.includes("positions ([] if none)")).toBe(draw.facts.held === null);
        if (sends.length > 0) expect(verdictOf(rules, unknown)).not.toBe("ok");
      }),
      { numRuns: draws(2_000) },
    );
  });
});

describe("the verdict", () => {
  it("is stop exactly if a rule of level stop failed, and ok exactly if none warns", () => {
    const verdicts = new Set<string>();
    fc.assert(
      fc.property(drawOf(), fc.boolean(), (draw, isUnknown) => {
        const { checks, rules } = judgeDraw(draw);
        const levels = checks.flatMap(({ state, level }) => (state === "failed" ? [level] : []));
        const verdict = verdictOf(
          rules,
          isUnknown ? [{ what: "price", required: true }] : [{ what: "spread" }],
        );
        verdicts.add(verdict);
        expect(verdict === "stop").toBe(levels.includes("stop"));
        expect(verdict === "ok").toBe(!isUnknown && levels.every((level) => level === "info"));
        expect(rules.map(({ level }) => SEVERITY[level])).toEqual(
          rules.map(({ level }) => SEVERITY[level]).toSorted((a, b) => b - a),
        );
      }),
      { numRuns: draws(4_000) },
    );
    expect([...verdicts].sort()).toEqual(["ok", "stop", "warn"]);
  });
});

describe("the loss at the stop", () => {
  it("is the opened units times the distance of the stop from the entry", () => {
    fc.assert(
      fc.property(drawOf(["buy", "sell_short"]), (draw) => {
        const situation = situationOfDraw(draw);
        const loss = lossOf(situation, null);
        const opened = openingUnits(situation);
        if (opened.eq(0)) {
          expect(loss).toBeNull();
          return;
        }
        const way = draw.request.side === "buy" ? 1 : -1;
        const { stop_loss } = draw.request;
        const distance =
          stop_loss === undefined ? null : worstEntry(situation).minus(stop_loss).times(way).toNumber();
        if (distance === null || distance <= 0) expect(loss!.at_stop).toBeNull();
        else expect(loss!.at_stop).toBeCloseTo(opened.toNumber() * distance, 6);
        expect(loss!.worst === null).toBe(way === -1);
      }),
      { numRuns: draws(4_000) },
    );
  });
});

describe("the whole tool", () => {
  const apple = { ...barsAt(7, 230), time: climbingBars({ count: 200 }).time };
  const market = marketOf({ bars: { AAPL: apple, KO: climbingBars({ first: 100, step: 0 }) } });
  const ports = { ...market.ports, signer: receiptPorts().signer };
  const unmetered = { ...ports, meters: countingMeters({ burst: 10_000, day: 10_000 }).meters };
  const [check, odds] = [callerOf(checkOrder, unmetered), callerOf(getOdds, unmetered)];
  const snapshot = {
    account: { equity: 50_000, buying_power: 40_000, equity_before: 50_000 },
    positions: [{ symbol: "KO", quantity: 30 }],
    open_orders: [],
    recent_trades: [],
  };

  it.each([
    ["buy", -0.04, 0.06, 20],
    ["buy", -0.01, 0.02, 5],
    ["buy", -0.12, 0.25, 60],
    ["sell_short", 0.05, -0.08, 20],
    ["sell_short", 0.02, -0.1, 1],
  ] as const)(
    "gives the odds of get_odds at the last close: %s %d %d within %d",
    async (side, stop, target, horizon) => {
      const close = apple.close.at(-1)!;
      const exits = { stop: (close * (1 + stop)).toFixed(2), target: (close * (1 + target)).toFixed(2) };
      const { plan } = await odds({ symbol: "AAPL", ...exits, horizon });
      const { odds: found, price } = await check({
        symbol: "AAPL",
        side,
        quantity: 3,
        stop_loss: exits.stop,
        take_profit: exits.target,
        horizon,
        ...snapshot,
      });
      expect(price).toMatchObject({ value: 230, source: "historical_close" });
      const shares = ({
        stop_first,
        target_first,
        neither,
      }: {
        stop_first?: unknown;
        target_first?: unknown;
        neither?: unknown;
      }) => [stop_first, target_first, neither];
      expect(shares(found!)).toEqual(shares(plan!));
      expect(shares(found!.base!)).toEqual(shares(plan!.base!));
      expect(Math.round(100 * (found!.stop_first! + found!.target_first! + found!.neither!))).toBe(100);
    },
  );

  it("says nothing in a concise answer that the full one lacks", async () => {
    for (const request of [
      { side: "buy", quantity: 3, stop_loss: 220, take_profit: 250 },
      { side: "buy", quantity: 900, stop_loss: 229, type: "limit", limit_price: 231 },
      { side: "sell", quantity: 3 },
      { side: "buy", quantity: 2, symbol: "AAPL260220C00240000", type: "limit", limit_price: 4 },
    ]) {
      const full = await check({ symbol: "AAPL", ...snapshot, ...request });
      const short = await check({ symbol: "AAPL", ...snapshot, ...request, detail: "concise" });
      expect(full).toMatchObject(short);
      expect(concise(full)).toMatchObject({ verdict: full.verdict, summary: full.summary });
      expect(JSON.stringify(short).length).toBeLessThan(JSON.stringify(full).length);
    }
  });
});
