import { describe, expect, it } from "vitest";
import { ODDS_VERSION, oddsOf } from "../../../src/analytics/odds/odds.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import type { Quote } from "../../../src/domain/market/market.ts";
import type { Origin } from "../../../src/domain/market/provenance.ts";
import type { PlanOdds } from "../../../src/domain/odds/odds.ts";
import type { Quotes } from "../../../src/domain/ports.ts";
import type { TradePlan } from "../../../src/features/trading/size.ts";
import { decimal, truncated } from "../../../src/lib/decimal.ts";
import { FRESH } from "../../support/market.ts";
import { LONG, T0, tradeBench } from "./bench.ts";

describe("a preview", () => {
  it("risks half a percent of equity at the stop by default, on paper and live", async () => {
    for (const account_type of ["paper", "live"] as const) {
      const { preview } = await tradeBench({ live: true, connection: { account_type } });
      // .5 % of 100,000 are 500 dollars, at 10 a unit
      const shown = await preview({ stop_loss: "90" }, LONG);
      expect(shown).toMatchObject({
        ticket_id: `tk_${"1".padStart(20, "0")}`,
        reason: null,
        intent: { side: "buy", quantity: "50", stop_loss: "90", take_profit: "104" },
        sizing: { method: "risk_pct", quantity: "50", at_risk: "500", bound_by: "requested" },
        maximum_loss: { at_stop: "500", worst: "5000" },
      });
    }
  });

  it("takes neither side nor exits from a stale signal, and says so", async () => {
    const stale = "Stale: the newest closed 1d bar is 9 days old: it closed 2026-01-05T21:00:00.000Z.";
    const old = { ...LONG, stale };
    for (const account_type of ["paper", "live"] as const) {
      const { preview } = await tradeBench({ live: true, connection: { account_type } });
      expect(await preview({}, old)).toMatchObject({ ticket_id: null, intent: null, reason: stale });
      const own = await preview({ side: "buy", stop_loss: "90" }, old);
      if (account_type === "live") expect(own).toMatchObject({ ticket_id: null, reason: stale });
      else {
        expect(own.intent).toMatchObject({ side: "buy", stop_loss: "90", take_profit: null });
        expect(own.hint.startsWith(stale)).toBe(true);
      }
    }
  });

  it("leaves headroom for a higher price in a default size that a limit bounds", async () => {
    const { preview, ticket, execute, price } = await tradeBench();
    const { sizing, ticket_id } = await preview({}, LONG);
    // 500 dollars are 250 units at 2 a unit; a tenth of equity buys 100, and 99.5 at a price that is half a percent higher
    expect(sizing).toMatchObject({ quantity: "99.5", at_risk: "199", bound_by: "max_notional_pct" });
    expect(sizing.steps.slice(-2)).toEqual([
      expect.objectContaining({ step: "quantity", value: "100" }),
      {
        step: "within_limits",
        formula: "the largest quantity that max_notional_pct allows if the price rises by 0.5 %",
        value: "99.5",
      },
    ]);
    price.now = 100.5;
    expect((await execute(await ticket(ticket_id))).order.intent.quantity).toBe("99.5");
    // a requested size has none
    price.now = 100;
    expect((await preview({ risk_pct: "0.1", stop_loss: "99.5" }, LONG)).sizing.bound_by).toBe("notional");
  });

  it("shows Kelly from the odds before the steps of the size, which do not use it", async () => {
    const { preview } = await tradeBench();
    const { sizing, hint, odds, odds_reason } = await preview({ stop_loss: "90" }, LONG);
    const plan = { side: "LONG", stop: 90, target: 104, bars: 20 } as const;
    const paths = oddsOf({ bars: LONG.bars, symbol: "AAPL", assetClass: "equity", horizons: [], plan }).odds!;
    const { expectedR, meanSquaredR } = paths.plan!;
    expect(sizing.steps.map(({ step, value }) => [step, value]).slice(0, 5)).toEqual([
      ["expected_r", truncated(decimal(expectedR), 4)],
      ["mean_r_squared", truncated(decimal(meanSquaredR), 4)],
      ["kelly", truncated(decimal(expectedR / meanSquaredR), 4)],
      ["share", "0.005"],
      ["risk_wanted", "500"],
    ]);
    expect(sizing.steps[0]!.formula).toBe(
      "mean R of 4000 simulated paths; it follows from the plan's shape and the assumed drift of 3.4 % a year and is no edge",
    );
    expect(hint).toMatch(
      /^It risks at most 0\.5 % of equity at its stop, the owner's TRADING_RISK_PCT\. Kelly from the odds is -?\d+(\.\d)? %: .*, so it does not set the size\. Call execute_trade/,
    );
    expect({ odds_reason, from: odds!.from, bars: odds!.bars }).toEqual({
      odds_reason: null,
      from: 100,
      bars: 20,
    });
    expect(odds!.stop_first + odds!.target_first + odds!.neither).toBeCloseTo(1, 12);
    expect(odds!.target_first).toBeCloseTo(paths.plan!.odds.target, 1);
  });

  it("has the odds of its own stop and target, or the reason for having none", async () => {
    const { preview } = await tradeBench();
    const oddsFor = async (request: Record<string, unknown>, plan: TradePlan | null = LONG) => {
      const { odds, fill, odds_reason } = await preview(request, plan);
      return odds === null ? odds_reason : fill === null ? odds : { ...odds, fill };
    };
    const signal = await oddsFor({});
    expect(await oddsFor({ quantity: "1" })).toEqual(signal);
    expect(await oddsFor({ stop_loss: "98", take_profit: "104" })).toEqual(signal);
    const far = await oddsFor({ quantity: "1", stop_loss: "80" });
    expect([signal, far]).toMatchObject([{ version: ODDS_VERSION }, { version: ODDS_VERSION }]);
    // a stop that is farther away is touched less often
    const stopFirst = (odds: unknown) => (odds as { stop_first: number }).stop_first;
    expect(stopFirst(far)).toBeLessThan(stopFirst(signal));
    // a trade of its own against the signal
    const short = { side: "sell", quantity: "1", stop_loss: "102", take_profit: "96" };
    expect(await oddsFor(short)).toMatchObject({ from: 100, bars: 20 });
    expect(await oddsFor({ quantity: "1", side: "sell" })).toBe("The trade has no stop_loss");
    expect(await oddsFor({ quantity: "1", side: "sell", stop_loss: "102" })).toBe(
      "The trade has no take_profit",
    );
    // an order that waits for its price has the odds of its fill, and of its exits after it
    const wait = { quantity: "1", type: "limit", limit_price: "99" };
    const waits = (await oddsFor(wait)) as PlanOdds;
    expect(waits).toMatchObject({
      from: 99,
      bars: 20,
      fill: { odds: expect.any(Number), base: expect.any(Number) },
    });
    expect(waits.stop_first + waits.target_first + waits.neither).toBeCloseTo(1, 12);
    expect(waits.stop_first).toBeGreaterThan(stopFirst(signal));
    const breakout = await oddsFor({ quantity: "1", type: "stop", stop_price: "101" });
    expect(breakout).toMatchObject({
      from: 101,
      fill: { odds: expect.any(Number), base: expect.any(Number) },
    });
    expect(await oddsFor({ quantity: "1", type: "limit", limit_price: "101" })).toEqual(signal);
    expect(await oddsFor({ side: "buy", quantity: "1" }, null)).toBe(
      "No signal has levels: get_signal says why",
    );
    const bars = sliceBars(LONG.bars, 200);
    expect(await oddsFor({}, { ...LONG, bars })).toBe("Odds need 120 bars, there are 100");
  });

  it("has the odds of a trade at its price, not at the last close of the signal", async () => {
    const { preview, price } = await tradeBench();
    price.now = 103;
    const { odds } = await preview({ quantity: "1", stop_loss: "101", take_profit: "105" }, LONG);
    // the same distances from the last close, 100
    const plan = { side: "LONG" as const, stop: (100 * 101) / 103, target: (100 * 105) / 103, bars: 20 };
    const asset = { symbol: "AAPL", assetClass: "equity" as const };
    const fromClose = oddsOf({ bars: LONG.bars, ...asset, horizons: [], plan }).odds!.plan!.odds;
    expect(odds!.from).toBe(103);
    // in whole percents that add up to 100
    expect(Math.abs(odds!.stop_first - fromClose.stop)).toBeLessThan(0.01);
    expect(Math.abs(odds!.target_first - fromClose.target)).toBeLessThan(0.01);
  });

  it("has no odds for an order that only closes a position", async () => {
    const { preview, ticketOf, execute, setLimits } = await tradeBench({ riskPct: "0.1" });
    await execute(await ticketOf({ side: "buy", quantity: "60", stop_loss: "98" }));
    const short = { ...LONG, signal: { ...LONG.signal, direction: "SHORT" as const }, stop: 102, target: 96 };
    await setLimits({ max_stop_over_target_points: "0" });
    expect(await preview({}, short)).toMatchObject({
      reason: null,
      intent: { side: "sell", quantity: "49", stop_loss: null },
      hint: expect.stringMatching(/^Call execute_trade/),
      odds: null,
      odds_reason: "The order only closes a held position",
    });
  });

  it("is refused at its execution by the odds of its preview", async () => {
    const { preview, ticket, execute, setLimits } = await tradeBench();
    const { ticket_id, odds } = await preview({ stop_loss: "90" }, LONG);
    const points = Math.round(100 * (odds!.stop_first - odds!.target_first));
    await setLimits({ max_stop_over_target_points: "0" });
    expect(points).toBeLessThan(0);
    expect((await execute(await ticket(ticket_id))).order.state).toBe("accepted");
    const tight = await preview({ stop_loss: "99.5" }, LONG);
    expect(tight.ticket_id).toBeNull();
    await setLimits({ max_stop_over_target_points: "100" });
    const allowed = await preview({ stop_loss: "99.5" }, LONG);
    await setLimits({ max_stop_over_target_points: "0" });
    await expect(execute(await ticket(allowed.ticket_id))).rejects.toMatchObject({
      code: "REFUSED",
      message: `Refused by max_stop_over_target_points: ${Math.round(100 * (allowed.odds!.stop_first - allowed.odds!.target_first))}, limit 0`,
    });
    // a ticket that was stored without odds
    const { odds: _, ...shown } = (await ticket(tight.ticket_id ?? allowed.ticket_id)).shown;
    await expect(execute({ ...(await ticket(allowed.ticket_id)), shown })).rejects.toMatchObject({
      message: "Refused by max_stop_over_target_points: unknown, limit 0",
    });
  });

  it("has Kelly size 0 and no ticket without a record if Kelly is requested", async () => {
    const { preview } = await tradeBench();
    const shown = await preview({ sizing: "kelly" }, LONG);
    expect(shown).toMatchObject({
      ticket_id: null,
      intent: null,
      reason: "no such trades are on record yet, so Kelly is 0",
      sizing: { method: "kelly", quantity: null },
      maximum_loss: { at_stop: null, worst: null, basis: "No order" },
    });
    expect(shown.sizing.steps.at(-1)).toEqual({ step: "kelly", formula: "p - (1 - p) / b", value: "0" });
  });

  it("sizes by Kelly within the caps when it is requested and there is a record", async () => {
    const { preview } = await tradeBench();
    // n_eff 200, lower Wilson bound .530605 of .6; Kelly .530605 - .469395 / 2 = .295908, a quarter 7.4 %: 1 % is the cap
    const record = { n: 4_000, win_rate: 0.6, mean_win_r: 2, mean_loss_r: -1 };
    const shown = await preview({ sizing: "kelly" }, { ...LONG, record });
    // 1,000 dollars at 2 a unit are 500 units; a tenth of 100,000 dollars buys 100
    expect(shown).toMatchObject({
      ticket_id: `tk_${"1".padStart(20, "0")}`,
      intent: { side: "buy", quantity: "100", stop_loss: "98", take_profit: "104" },
      sizing: { quantity: "100", at_risk: "200", bound_by: "notional" },
      maximum_loss: { at_stop: "200", worst: "10000" },
      expires_at: "2026-01-15T15:05:00.000Z",
    });
  });

  it("sizes by the owner's share on either side on paper, and only with the signal live", async () => {
    const { preview } = await tradeBench({ riskPct: "0.1" });
    // .1 % of 100,000 is 100 dollars at 2 a unit
    expect((await preview({}, LONG)).sizing).toMatchObject({ method: "risk_pct", quantity: "50" });
    const short = { side: "sell", stop_loss: "102", take_profit: "96" };
    expect((await preview(short, LONG)).intent).toMatchObject({ side: "sell", quantity: "50" });
    expect((await preview({ ...short, sizing: "kelly" }, LONG)).reason).toBe(
      "The signal is LONG: a sell has no record; set quantity or risk_pct on paper",
    );
    expect((await preview({ ...short, side: "sell", sizing: "kelly" }, null)).reason).toBe(
      "No signal and therefore no record: set quantity or risk_pct on paper",
    );
    const live = await tradeBench({ live: true, connection: { account_type: "live" } });
    expect((await live.preview(short, LONG)).reason).toBe(
      "The signal is LONG: a live sell must follow it; set quantity or risk_pct on paper",
    );
    expect((await live.preview(short)).reason).toBe("No signal: set quantity or risk_pct on paper");
  });

  it("takes one way of sizing", async () => {
    const { preview } = await tradeBench();
    for (const request of [
      { quantity: "1", sizing: "risk_pct" },
      { quantity: "1", sizing: "kelly" },
      { risk_pct: "0.1", sizing: "kelly" },
    ])
      await expect(preview(request, LONG)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect((await preview({ risk_pct: "0.1", sizing: "risk_pct" }, LONG)).ticket_id).not.toBeNull();
  });

  it("sizes by percent risked or requested quantity on paper", async () => {
    const { preview } = await tradeBench();
    // .1 % of 100,000 is 100 dollars at 2 a unit
    expect((await preview({ risk_pct: "0.1" }, LONG)).sizing).toMatchObject({
      quantity: "50",
      at_risk: "100",
    });
    expect((await preview({ quantity: "3" }, LONG)).intent).toMatchObject({ quantity: "3", stop_loss: "98" });
    expect((await preview({ side: "sell", quantity: "3" }, LONG)).intent).toMatchObject({
      side: "sell",
      stop_loss: null,
      take_profit: null,
    });
  });

  it("omits exits of the signal that the broker does not accept, with a hint", async () => {
    const { preview } = await tradeBench({
      fault: (broker) => ({
        ...broker,
        refusal: ({ stop_loss, take_profit, type, time_in_force }) => {
          if (stop_loss === null && take_profit === null) return null;
          if (type !== "limit") return "It takes neither";
          return time_in_force === "gtc" ? null : "It takes them until cancelled";
        },
      }),
    });
    const shown = await preview({ quantity: "3" }, LONG);
    expect(shown).toMatchObject({
      reason: null,
      intent: { quantity: "3", stop_loss: null, take_profit: null },
      hint: expect.stringMatching(
        /^This broker accepts no stop loss .* left out\. Call execute_trade with ticket_id/,
      ),
      sizing: { at_risk: "300" },
    });
    const limit = { type: "limit", limit_price: "99.5", quantity: "3" };
    const reason = "It takes them until cancelled";
    expect(await preview({ ...limit, time_in_force: "day" }, LONG)).toMatchObject({
      ticket_id: null,
      reason,
    });
    expect((await preview({ ...limit, time_in_force: "gtc" }, LONG)).intent).toMatchObject({
      stop_loss: "98",
    });
    // exits that were requested, or that determine the size, are not omitted
    for (const request of [{ quantity: "3", stop_loss: "98" }, { risk_pct: "0.1" }])
      expect(await preview(request, LONG)).toMatchObject({ ticket_id: null, reason: "It takes neither" });
  });

  it("names the rule that refuses and the value that would pass", async () => {
    const { preview } = await tradeBench();
    const shown = await preview({ side: "buy", quantity: "101", stop_loss: "99" });
    expect(shown).toMatchObject({ ticket_id: null, reason: "Refused by max_notional_pct" });
    expect(shown.checks.filter(({ state, level }) => level === "stop" && state !== "passed")).toMatchObject([
      { rule: "max_notional_pct", state: "failed", value: "10100", limit: "10000", would_pass: "100" },
    ]);
    const passes = await preview({ side: "buy", quantity: "100", stop_loss: "99" });
    expect(passes.ticket_id).not.toBeNull();
  });

  it("closes a position without the signal's bracket and returns the holding despite resting orders", async () => {
    const { preview, ticketOf, execute } = await tradeBench();
    await execute(await ticketOf({ side: "buy", quantity: "10", stop_loss: "98" }));
    const shown = await preview(
      { side: "sell", quantity: "10" },
      { ...LONG, signal: { ...LONG.signal, direction: "SHORT" } },
    );
    expect(shown).toMatchObject({
      intent: { side: "sell", quantity: "10", stop_loss: null },
      maximum_loss: { at_stop: null, basis: "The order only closes a held position" },
      account: { held: "10" },
    });
    await execute(await ticketOf({ side: "sell", quantity: "4", type: "limit", limit_price: "105" }));
    expect(await preview({ side: "sell", quantity: "6" })).toMatchObject({
      reason: null,
      account: { held: "10" },
    });
  });

  it("omits exits of the signal that do not fit the entry, and refuses sizing by them", async () => {
    const { preview } = await tradeBench();
    const low = { type: "limit", limit_price: "97" };
    expect(await preview({ ...low, quantity: "3" }, LONG)).toMatchObject({
      reason: null,
      intent: { quantity: "3", stop_loss: null, take_profit: "104" },
      hint: expect.stringMatching(
        /^The price 97\.00 is beyond the stop .* does not hold there\. The signal's stop 98 does not fit this entry and was left out\. Call execute_trade with/,
      ),
    });
    expect((await preview({ ...low, limit_price: "105", quantity: "3" }, LONG)).intent).toMatchObject({
      stop_loss: "98",
      take_profit: null,
    });
    expect(await preview({ ...low, risk_pct: "0.1" }, LONG)).toMatchObject({
      intent: null,
      reason: "The signal's stop 98 is not below the entry 97: set a stop_loss that is",
      odds_reason: "The signal's stop 98 is not below the entry 97: set a stop_loss that is",
      hint: "The price 97.00 is beyond the stop 98.00 of the signal, which does not hold there. Set stop_loss below 97, or limit_price above 98, and preview again.",
    });
    expect((await preview({ ...low, risk_pct: "0.1", stop_loss: "96" }, LONG)).ticket_id).not.toBeNull();
  });

  it("says which price to change if an exit does not fit the entry", async () => {
    const { preview } = await tradeBench();
    const hintOf = async (request: Record<string, unknown>) =>
      (await preview({ side: "buy", quantity: "1", ...request })).hint;
    expect(await hintOf({ stop_loss: "100.5" })).toBe("Preview it again with stop_loss below 100.");
    const stop = { type: "stop", stop_price: "102" };
    expect(await hintOf({ ...stop, stop_loss: "103" })).toBe("Preview it again with stop_loss below 102.");
    expect(await hintOf({ ...stop, take_profit: "101" })).toBe(
      "Preview it again with take_profit above 102.",
    );
    // a limit above the market fills at the market
    const limit = { type: "limit", limit_price: "102" };
    expect(await hintOf({ ...limit, stop_loss: "101" })).toBe("Preview it again with stop_loss below 100.");
  });

  it("refuses exits on closing orders, and omits those of the signal", async () => {
    const { preview, ticketOf, execute } = await tradeBench();
    await execute(await ticketOf({ side: "buy", quantity: "60", stop_loss: "98" }));
    const close = { side: "sell", quantity: "60" };
    expect(await preview({ ...close, stop_loss: "120", take_profit: "80" })).toMatchObject({
      ticket_id: null,
      reason: "Refused by exits_on_closing",
      hint: "Preview it again with no stop_loss and no take_profit.",
    });
    expect((await preview({ ...close, take_profit: "80" })).hint).toBe(
      "Preview it again with no take_profit.",
    );
    expect((await preview(close)).ticket_id).not.toBeNull();
    // .1 % of somewhat less than 100,000 dollars at 2 a unit are 49 of the 60
    const short = { ...LONG, signal: { ...LONG.signal, direction: "SHORT" as const }, stop: 102, target: 96 };
    expect((await preview({ risk_pct: "0.1" }, short)).intent).toMatchObject({
      side: "sell",
      quantity: "49",
      stop_loss: null,
      take_profit: null,
    });
    expect((await preview({ side: "sell", risk_pct: "0.1", stop_loss: "102" })).hint).toMatch(
      /Preview it again with no stop_loss\.$/,
    );
    expect((await preview({ ...close, quantity: "61", stop_loss: "120" })).intent?.stop_loss).toBe("120");
  });

  it("has no trade for WAIT or a stop beyond the entry", async () => {
    const { preview } = await tradeBench();
    const wait = { ...LONG, signal: { ...LONG.signal, direction: "WAIT" as const, reason: "tied" } };
    expect((await preview({}, wait)).reason).toBe("The signal is WAIT: tied");
    expect((await preview({ side: "buy", quantity: "1", stop_loss: "100.5" })).reason).toBe(
      "Refused by stop_loss_side",
    );
    await expect(preview({ side: "buy", quantity: "1", type: "limit" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "A limit order requires a limit_price",
      hint: "Set limit_price, a price in US dollars.",
    });
  });

  it.each([
    [
      { limit_price: "99" },
      "A market order takes no limit_price",
      /^Leave limit_price out, or set type to limit/,
    ],
    [{ quantity: "1", risk_pct: "1" }, "Set quantity or risk_pct, not both", "Leave risk_pct out."],
    [{ quantity: "1", sizing: "risk_pct" }, "Set quantity or sizing, not both", "Leave sizing out."],
    [{ risk_pct: "1", sizing: "kelly" }, "Set risk_pct or sizing, not both", "Leave sizing out."],
  ])("names what to change in %j", async (trade, message, hint) => {
    const { preview } = await tradeBench();
    await expect(preview({ side: "buy", ...trade }, LONG)).rejects.toMatchObject({
      message,
      hint: expect.stringMatching(hint),
    });
    expect((await preview({ risk_pct: "0.1", sizing: "risk_pct" }, LONG)).ticket_id).not.toBeNull();
  });

  it("sizes a live trade that opens by neither a quantity nor a requested risk", async () => {
    const { preview } = await tradeBench({ live: true, connection: { account_type: "live" } });
    expect((await preview({ quantity: "1" }, LONG)).reason).toMatch(/sizes paper trades only/);
  });
});

describe("the price of a trade", () => {
  const comparison = {
    provider: "second",
    price: 101,
    as_of: T0,
    difference_percent: 1,
    limit_percent: 0.5,
  } as const;
  /** Trading at a price of 100 that a second provider compares; records whether each call requests that. */
  async function bench(origin: Partial<Origin>, over: Partial<Quote> = {}) {
    const made = await tradeBench();
    const verified: unknown[] = [];
    const quotes: Quotes = {
      async latest(instrument, options) {
        verified.push(options?.verify);
        const quote = await made.ports.quotes.latest(instrument);
        return { ...quote, ...over, origin: { ...FRESH, ...origin } };
      },
    };
    return { ...made, verified, quotes };
  }
  const buy = { side: "buy", quantity: "1" };

  it("is compared with a second provider by every preview and execution", async () => {
    const { preview, ticket, execute, verified, quotes } = await bench({
      comparison: { ...comparison, price: 100, verdict: "agree" },
    });
    const shown = await preview(buy, null, "AAPL", { quotes });
    expect(shown.quote.comparison).toMatchObject({ provider: "second", price: 100, verdict: "agree" });
    expect(shown.checks.find(({ rule }) => rule === "price_confirmed")).toMatchObject({ state: "passed" });
    await execute(await ticket(shown.ticket_id), undefined, { quotes });
    expect(verified.length).toBeGreaterThan(1);
    expect(verified).not.toContain(undefined);
  });

  const unconfirmed = {
    check: {
      reason: "far_from_close",
      close: 80,
      close_as_of: null,
      witness: "cnbc",
      deviation_percent: 25,
      limit_percent: 4,
      confirmed: false,
    },
  } as const;
  it.each<[string, Partial<Origin>, Partial<Quote>, string]>([
    ["a second provider contradicts it", { comparison: { ...comparison, verdict: "apart" } }, {}, "differs"],
    ["it needs a confirmation and has none", unconfirmed, { price_source: "unconfirmed_quote" }, "missing"],
    ["it is not in dollars", {}, { currency: "USDT" }, "not_in_usd"],
  ])("opens nothing if %s", async (_, origin, over, value) => {
    const { preview, quotes, ticketOf, execute } = await bench(origin, over);
    const shown = await preview(buy, null, "AAPL", { quotes });
    expect(shown).toMatchObject({ ticket_id: null, reason: "Refused by price_confirmed" });
    expect(shown.checks.find(({ rule }) => rule === "price_confirmed")).toMatchObject({
      state: "failed",
      value,
    });
    const ticket = await ticketOf(buy);
    await expect(execute(ticket, undefined, { quotes })).rejects.toMatchObject({ code: "REFUSED" });
  });

  it("may close a position although a second provider contradicts it", async () => {
    const { preview, trade, quotes } = await bench({ comparison: { ...comparison, verdict: "apart" } });
    await trade(buy);
    const shown = await preview({ side: "sell", quantity: "1" }, null, "AAPL", { quotes });
    expect(shown.reason).toBeNull();
  });
});
