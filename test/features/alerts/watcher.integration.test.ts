import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { rangePosition } from "../../../src/analytics/indicators/range-position.ts";
import type { SignalChange } from "../../../src/domain/alerts/changes.ts";
import { shownScore } from "../../../src/domain/figures.ts";
import type { Ports } from "../../../src/domain/ports.ts";
import { pictureOf } from "../../../src/features/signal/picture.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { createSubscription } from "../../../tools/create-subscription.ts";
import { pro } from "../../support/context.ts";
import { marketOf, quote } from "../../support/market.ts";
import { movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { callerOf } from "../../support/tool-call.ts";
import {
  alertRunFixture,
  DAY,
  NO_RECEIVER,
  priceAt,
  ruleThat,
  START,
  subscribed,
  turningBars,
} from "../../support/watch.ts";

type Fixture = Awaited<ReturnType<typeof alertRunFixture>>;
const SERIES = { symbol: "BTC-USD", timeframe: "1d" } as const;
const DAYS = 12;

const all = async ({ rows }: Fixture): Promise<readonly SignalChange[]> =>
  (await rows.after(0, 500)).map(({ change }) => change);
const add = (fixture: Fixture, account: string, ...args: Parameters<typeof subscribed>) =>
  fixture.rows.add(account, { subscription: subscribed(...args), seen: {} });
/** A watcher with one subscription to the signal of bitcoin. */
async function subscribedFixture() {
  const fixture = await alertRunFixture();
  await add(fixture, "ada", 1);
  return fixture;
}
const log = (fixture: Fixture, account: string) => fixture.subscriptions.deliveries(account, { limit: 100 });

/** Evaluates once a day for a number of days; returns the reports. */
async function evaluateDaily(fixture: Fixture, days: number) {
  const reports = [];
  for (let day = 0; day < days; day++) {
    reports.push(await fixture.watcher.evaluate());
    fixture.clock.pass(DAY);
  }
  return reports;
}

const shown = (score: number | null) => (score === null ? null : shownScore(score));

/** Returns the signal of each day, computed without the watcher. */
async function verdicts({ ports }: Fixture, days: number) {
  const read = [];
  for (let day = 0; day < days; day++) {
    const as_of = new Date(START.getTime() + day * DAY).toISOString();
    const { consensus } = await pictureOf({ ...SERIES, as_of, signal: new AbortController().signal }, ports);
    read.push({ direction: consensus.direction, grade: consensus.grade, score: shown(consensus.score) });
  }
  return read;
}

/** Delays writes until all fixtures have read, then runs them in sequence: one thread cannot wait for itself. */
function writeTogether(...fixtures: readonly Fixture[]): void {
  let waiting: (() => Promise<void>)[] = [];
  for (const { rows } of fixtures) {
    const { save: notice } = rows;
    rows.save = (noticed) =>
      new Promise((resolve, reject) => {
        waiting.push(() => notice(noticed).then(resolve, reject));
        if (waiting.length < fixtures.length) return;
        const all = waiting;
        waiting = [];
        void all.reduce((before, write) => before.then(write), Promise.resolve());
      });
  }
}

describe("a watched signal", () => {
  it("stores its state at the first evaluation, then alerts once per change with the changed drivers", async () => {
    const fixture = await subscribedFixture();
    const [first] = await evaluateDaily(fixture, DAYS);
    expect(first).toEqual({ evaluated: 1, changes: 0, alerts: 0, failed: [] });
    const read = await verdicts(fixture, DAYS);
    const expected = read.slice(1).flatMap((after, i) => {
      const before = read[i]!;
      const changed = (["direction", "grade"] as const).filter((part) => before[part] !== after[part]);
      const decided_at = new Date(Date.UTC(2025, 10, 22) + i * DAY).toISOString();
      return changed.length === 0 ? [] : [{ changed, before, after, decided_at }];
    });
    expect(expected.length).toBeGreaterThan(2);
    const changes = await all(fixture);
    expect(changes).toMatchObject(expected);
    for (const { drivers, price, source, decided_at } of changes) {
      expect(drivers.length).toBeGreaterThan(0);
      const moves = drivers.map(({ from, to }) => Math.abs((to ?? 0) - (from ?? 0)));
      expect(moves).toEqual(moves.toSorted((a, b) => b - a));
      // 599 at the first close, four dollars less each day
      const days = (Date.parse(decided_at) - Date.UTC(2025, 10, 21)) / DAY;
      expect({ price, source }).toEqual({ price: 599 - 4 * days, source: "fixture" });
    }
    const alerts = await log(fixture, "ada");
    expect(alerts.map(({ alert }) => alert.change)).toEqual(changes.toReversed());
    expect(alerts.every(({ state, alert }) => state === "stored" && alert.market === "sample")).toBe(true);
    // a signal with a side has its exits, a WAIT none
    expect(
      alerts.map(({ alert: { change, figures, text } }) => [
        change!.after.direction,
        figures.stop_loss,
        figures.take_profit,
        text.slice(text.indexOf("check_order")),
      ]),
    ).toEqual([
      ...Array(4).fill([
        "WAIT",
        undefined,
        undefined,
        "check_order checks an order in BTC-USD before it is placed.",
      ]),
      ...[
        [583.1, 599.5],
        [587.38, 599.5],
        [591.67, 604.41],
      ].map(([stop, target]) => [
        "LONG",
        stop,
        target,
        `check_order checks an order in BTC-USD before it is placed; the levels of the signal are stop_loss ${stop} and take_profit ${target}.`,
      ]),
    ]);
    expect(alerts.at(-1)!.alert.text).toMatch(
      /^BTC-USD 1d: the signal changed from .+ to .+\. Decided at 2025-.+ at a close of \d+ USD from fixture\. Largest changes: /,
    );
  });

  it("keeps the state but alerts to no change between bars that are stale", async () => {
    const run = async (daysBehind: number) => {
      const clock = movingClock(START);
      const { ports } = marketOf({ bars: { "BTC-USD": turningBars() }, clock });
      const bars: Ports["bars"] = {
        history: (instrument, { asOf, ...request }) => {
          const newest = clock.now().getTime() - daysBehind * DAY;
          return ports.bars.history(instrument, { ...request, asOf: Math.min(asOf ?? newest, newest) });
        },
      };
      const fixture = await alertRunFixture({ clock, over: { bars } });
      await add(fixture, "ada", 1);
      const reports = await evaluateDaily(fixture, DAYS + 4);
      return reports.map(({ changes, alerts }) => changes + alerts).reduce((sum, count) => sum + count, 0);
    };
    expect(await run(3)).toBeGreaterThan(2);
    expect(await run(4)).toBe(0);
  });

  it("alerts at most once per bar, however often it is evaluated", async () => {
    const fixture = await subscribedFixture();
    await evaluateDaily(fixture, DAYS);
    const before = (await all(fixture)).length;
    for (let n = 0; n < 3; n++)
      expect(await fixture.watcher.evaluate()).toMatchObject({ evaluated: 1, failed: [] });
    expect((await all(fixture)).length - before).toBeLessThanOrEqual(1);
    const after = await all(fixture);
    await fixture.watcher.evaluate();
    expect(await all(fixture)).toEqual(after);
  });

  it("continues after a restart without loss or repeats", async () => {
    const [dataDir, clock] = [join(tempDir(), "data"), movingClock(START)];
    const whole = await subscribedFixture();
    await evaluateDaily(whole, DAYS);
    const first = await alertRunFixture({ dataDir, clock });
    await add(first, "ada", 1);
    await evaluateDaily(first, 4);
    await first.close();
    const second = await alertRunFixture({ dataDir, clock });
    await evaluateDaily(second, DAYS - 4);
    expect(await all(second)).toEqual(await all(whole));
    expect((await log(second, "ada")).map(({ alert }) => alert.alert_id)).toEqual(
      (await log(whole, "ada")).map(({ alert }) => alert.alert_id),
    );
  });

  it("reports changes missed while nothing ran as one change from the last state to the current one", async () => {
    const fixture = await subscribedFixture();
    await evaluateDaily(fixture, 1);
    fixture.clock.pass((DAYS - 2) * DAY);
    await fixture.watcher.evaluate();
    const read = await verdicts(fixture, DAYS);
    expect(await all(fixture)).toMatchObject([{ before: read[0], after: read[DAYS - 1] }]);
  });

  it("is written once by two processes that evaluate one folder at the same time", async () => {
    const [dataDir, clock] = [join(tempDir(), "data"), movingClock(START)];
    const one = await alertRunFixture({ dataDir, clock });
    const two = await alertRunFixture({ dataDir, clock });
    await add(one, "ada", 1);
    writeTogether(one, two);
    for (let day = 0; day < DAYS; day++) {
      await Promise.all([one.watcher.evaluate(), two.watcher.evaluate()]);
      clock.pass(DAY);
    }
    const changes = await all(one);
    const whole = await subscribedFixture();
    await evaluateDaily(whole, DAYS);
    expect(changes.map(({ change_id }) => change_id)).toEqual(
      (await all(whole)).map(({ change_id }) => change_id),
    );
    expect(await log(two, "ada")).toHaveLength(changes.length);
  });

  it("keeps the state and sends no alert without a score", async () => {
    const held = { "BTC-USD": turningBars() };
    const fixture = await alertRunFixture({ bars: held });
    await add(fixture, "ada", 1);
    await fixture.watcher.evaluate();
    const stored = await fixture.rows.state(SERIES);
    fixture.clock.pass(DAYS * DAY);
    // a signal needs 252 bars for a score
    const short = turningBars();
    const from = short.time.length - 200;
    held["BTC-USD"] = Object.assign(short, {
      time: short.time.subarray(from),
      ...Object.fromEntries(
        (["open", "high", "low", "close", "volume"] as const).map((name) => [
          name,
          short[name].subarray(from),
        ]),
      ),
    });
    expect(await fixture.watcher.evaluate()).toMatchObject({ evaluated: 1, changes: 0, failed: [] });
    expect((await fixture.rows.state(SERIES))?.state).toBe(stored?.state);
    held["BTC-USD"] = turningBars();
    expect(await fixture.watcher.evaluate()).toMatchObject({ changes: 1 });
  });

  it("alerts only subscribers to that kind of change, for bars closed after they subscribed", async () => {
    const fixture = await subscribedFixture();
    await add(fixture, "bob", 2, { condition: { ...subscribed(0).condition, changes: ["direction"] } });
    await evaluateDaily(fixture, DAYS);
    const changes = await all(fixture);
    const directions = changes.filter(({ changed }) => changed.includes("direction"));
    expect(directions.length).toBeGreaterThan(0);
    expect(directions.length).toBeLessThan(changes.length);
    expect(await log(fixture, "ada")).toHaveLength(changes.length);
    expect((await log(fixture, "bob")).map(({ alert }) => alert.change)).toEqual(directions.toReversed());
    // subscribed in the minute between the close of the first change and its evaluation
    const late = await subscribedFixture();
    const days = (Date.parse(changes[0]!.decided_at) - Date.UTC(2025, 10, 21)) / DAY;
    await evaluateDaily(late, days);
    await add(late, "cleo", 3, { created_at: late.clock.now().toISOString() });
    expect(await late.watcher.evaluate()).toMatchObject({ changes: 1, alerts: 1 });
    expect(await log(late, "cleo")).toEqual([]);
  });

  it("is known since the first evaluation, or the one after missed bars", async () => {
    const fixture = await subscribedFixture();
    await evaluateDaily(fixture, 3);
    const since = async () => (await fixture.rows.state(SERIES))?.since;
    expect(await since()).toBe(START.toISOString());
    fixture.clock.pass(2 * DAY);
    const later = fixture.clock.now().toISOString();
    await evaluateDaily(fixture, 2);
    expect(await since()).toBe(later);
  });

  it("alerts subscribers even when a process that does not evaluate subscriptions was first", async () => {
    const [dataDir, clock] = [join(tempDir(), "data"), movingClock(START)];
    const server = await alertRunFixture({ dataDir, clock });
    const reader = await alertRunFixture({ dataDir, clock });
    await add(server, "ada", 1);
    await add(server, "ada", 2, { condition: ruleThat("close > 1") });
    await add(server, "ada", 3, { symbols: ["AAPL"] });
    for (let day = 0; day < DAYS; day++) {
      // following starts an evaluation, which has ended when the next full evaluation ends
      const leave = reader.changes.follow([SERIES]);
      await expect
        .poll(async () => (await reader.rows.state(SERIES))?.evaluatedAt)
        .toBe(clock.now().toISOString());
      leave();
      clock.pass(DAY);
    }
    const changes = await all(server);
    expect(changes.length).toBeGreaterThan(2);
    expect((await log(server, "ada")).map(({ alert }) => alert.change)).toEqual(changes.toReversed());
  });

  it("is not evaluated for accounts without entitlement", async () => {
    let lapsed = false;
    const fixture = await alertRunFixture({ entitled: async (account) => account !== "ada" || !lapsed });
    await add(fixture, "ada", 1);
    await add(fixture, "bob", 2, { symbols: ["BTC-USD"] });
    await evaluateDaily(fixture, 1);
    lapsed = true;
    await evaluateDaily(fixture, DAYS - 1);
    const changes = await all(fixture);
    expect(changes.length).toBeGreaterThan(2);
    expect(await log(fixture, "ada")).toEqual([]);
    expect(await log(fixture, "bob")).toHaveLength(changes.length);
  });

  it("is evaluated while a client follows it", async () => {
    const fixture = await alertRunFixture();
    const leave = fixture.changes.follow([SERIES]);
    expect(await fixture.watcher.evaluate()).toMatchObject({ evaluated: 1 });
    leave();
    leave();
    expect(fixture.changes.followed()).toEqual([]);
    expect(await fixture.watcher.evaluate()).toMatchObject({ evaluated: 0 });
  });
});

describe("failing and unlisted symbols", () => {
  it("do not stop the others, and are retried", async () => {
    const bars = { "BTC-USD": turningBars(), AAPL: turningBars() };
    const fixture = await alertRunFixture({ bars });
    const { history } = fixture.ports.bars;
    let broken = true;
    fixture.ports.bars.history = async (instrument, request) => {
      if (broken && instrument.symbol === "AAPL")
        throw new ToolError("UPSTREAM_UNAVAILABLE", "No source answers");
      return history(instrument, request);
    };
    await add(fixture, "ada", 1, { symbols: ["BTC-USD", "AAPL"] });
    expect(await fixture.watcher.evaluate()).toMatchObject({
      evaluated: 1,
      failed: [{ symbol: "AAPL", code: "UPSTREAM_UNAVAILABLE" }],
    });
    broken = false;
    expect(await fixture.watcher.evaluate()).toMatchObject({ evaluated: 2, failed: [] });
    expect(fixture.lines.filter(({ event }) => event === "watch_failed")).toHaveLength(1);
  });

  it("pause their subscriptions with a final alert once unlisted", async () => {
    const fixture = await alertRunFixture({ bars: { "BTC-USD": turningBars(), "ETH-USD": turningBars() } });
    await add(fixture, "ada", 1, {
      symbols: ["BTC-USD", "ETH-USD"],
      channel: "webhook",
      target: "a.example",
    });
    await add(fixture, "bob", 2, { symbols: ["ETH-USD"] });
    await fixture.watcher.evaluate();
    const { find } = fixture.ports.symbols;
    fixture.ports.symbols.find = (text) => (text === "BTC-USD" ? null : find(text));
    await fixture.watcher.evaluate();
    await fixture.watcher.evaluate();
    const [paused] = await fixture.subscriptions.list("ada");
    expect(paused).toMatchObject({
      state: "paused",
      reason: "BTC-USD is no longer listed in this market",
    });
    expect(await log(fixture, "ada")).toMatchObject([
      {
        state: "waiting",
        alert: { symbol: "BTC-USD", text: expect.stringContaining("the subscription is paused") },
      },
    ]);
    expect(await fixture.subscriptions.list("bob")).toMatchObject([{ state: "active" }]);
    expect(await log(fixture, "bob")).toEqual([]);
  });
});

describe("a watched price", () => {
  const at = (price: number, minute: number) =>
    quote({ price, timestamp: new Date(START.getTime() + minute * 60_000).toISOString() });

  it("triggers only when the price crosses a level, and rearms, also after a restart", async () => {
    const [dataDir, clock] = [join(tempDir(), "data"), movingClock(START)];
    const quotes: Record<string, ReturnType<typeof quote>> = {};
    let fixture = await alertRunFixture({ dataDir, clock, quotes });
    await add(fixture, "ada", 1, { condition: priceAt({ above: 600, below: 500 }) });
    const seen: string[][] = [];
    for (const [minute, price] of [601, 600, 602, 603, 499, 500, 498, 650].entries()) {
      quotes["BTC-USD"] = at(price, minute);
      if (minute === 3) {
        await fixture.close();
        fixture = await alertRunFixture({ dataDir, clock, quotes });
      }
      await fixture.watcher.evaluate();
      clock.pass(60_000);
      seen.push((await log(fixture, "ada")).map(({ alert }) => `${alert.figures.price}`));
    }
    expect(seen).toEqual([
      ...[[], [], ["602"], ["602"], ["499", "602"], ["499", "602"]],
      ...[
        ["498", "499", "602"],
        ["650", "498", "499", "602"],
      ],
    ]);
    expect((await log(fixture, "ada"))[3]!.alert).toMatchObject({
      text: "BTC-USD is above 600 USD: 602 USD at 2025-11-21T00:03:00.000Z (live_quote from fixture). check_order checks an order in BTC-USD before it is placed.",
      figures: { price: 602, level: 600 },
      change: null,
      as_of: "2025-11-21T00:03:00.000Z",
    });
  });

  it("ignores a price that is stale or older than the last change", async () => {
    const quotes: Record<string, ReturnType<typeof quote>> = { "BTC-USD": at(599, 5) };
    const fixture = await alertRunFixture({ quotes });
    fixture.clock.pass(10 * 60_000);
    await add(fixture, "ada", 1, { condition: priceAt({ above: 600 }) });
    await fixture.watcher.evaluate();
    const origin = {
      fetched_at: START.toISOString(),
      session: null,
      stale: true,
      served_from: "store",
    } as const;
    const rest = { tried: [], volume_unit: "tokens", volume_scope: "one_venue" } as const;
    for (const bad of [at(700, 4), { ...at(700, 6), origin: { ...origin, ...rest } }]) {
      quotes["BTC-USD"] = bad;
      await fixture.watcher.evaluate();
    }
    expect(await log(fixture, "ada")).toEqual([]);
    quotes["BTC-USD"] = at(700, 6);
    await fixture.watcher.evaluate();
    expect(await log(fixture, "ada")).toHaveLength(1);
  });
});

describe("a price older than three daily bars", () => {
  const REASON =
    "The newest price of BTC-USD (fixture) is from 2025-11-21T00:01:00.000Z, and more than 3 daily bars have closed since: no alert until there is a newer price.";
  const reasonOf = async (fixture: Fixture) => (await fixture.subscriptions.list("ada"))[0]!.reason;

  it("triggers no alert, is the reason of an active subscription, and arms nothing", async () => {
    const quotes = { "BTC-USD": quote({ price: 700, timestamp: START.toISOString() }) };
    const fixture = await alertRunFixture({ quotes });
    await add(fixture, "ada", 1, { condition: priceAt({ above: 600 }) });
    fixture.clock.pass(4 * DAY);
    await fixture.watcher.evaluate();
    expect(await reasonOf(fixture)).toBe(REASON);
    expect(await fixture.subscriptions.list("ada")).toMatchObject([{ state: "active" }]);
    // the first current price arms the condition
    quotes["BTC-USD"] = quote({ price: 701, timestamp: fixture.clock.now().toISOString() });
    await fixture.watcher.evaluate();
    expect(await reasonOf(fixture)).toBeNull();
    expect(await log(fixture, "ada")).toEqual([]);
  });

  it("leaves the side of the last current price, from which a newer one crosses", async () => {
    const quotes = { "BTC-USD": quote({ price: 599, timestamp: START.toISOString() }) };
    const fixture = await alertRunFixture({ quotes });
    await add(fixture, "ada", 1, { condition: priceAt({ above: 600 }) });
    await fixture.watcher.evaluate();
    fixture.clock.pass(3 * DAY);
    await fixture.watcher.evaluate();
    expect(await reasonOf(fixture)).toBeNull();
    fixture.clock.pass(DAY);
    // a price beyond the level with the time of the old one
    quotes["BTC-USD"] = quote({ price: 700, timestamp: START.toISOString() });
    await fixture.watcher.evaluate();
    await fixture.watcher.evaluate();
    expect(await reasonOf(fixture)).toBe(REASON);
    expect(await log(fixture, "ada")).toEqual([]);
    quotes["BTC-USD"] = quote({ price: 701, timestamp: fixture.clock.now().toISOString() });
    await fixture.watcher.evaluate();
    expect((await log(fixture, "ada")).map(({ alert }) => alert.figures.price)).toEqual([701]);
    expect(await reasonOf(fixture)).toBeNull();
  });
});

describe("after a clock that was ahead", () => {
  const minute = 60_000;
  const quoteAt = (price: number, { clock }: Fixture) =>
    quote({ price, timestamp: clock.now().toISOString() });

  it("a price triggers on the next crossing", async () => {
    const quotes: Record<string, ReturnType<typeof quote>> = {};
    const fixture = await alertRunFixture({ quotes });
    await add(fixture, "ada", 1, { condition: priceAt({ above: 600 }) });
    fixture.clock.pass(30 * DAY);
    quotes["BTC-USD"] = quoteAt(599, fixture);
    await fixture.watcher.evaluate();
    fixture.clock.pass(minute - 30 * DAY);
    quotes["BTC-USD"] = quoteAt(601, fixture);
    await fixture.watcher.evaluate();
    expect((await log(fixture, "ada")).map(({ alert }) => alert.figures.price)).toEqual([601]);
  });

  it("a rule triggers at the next bar at which it becomes true", async () => {
    const fixture = await alertRunFixture();
    await add(fixture, "ada", 1, { condition: ruleThat("close < 560") });
    fixture.clock.pass(30 * DAY);
    await fixture.watcher.evaluate();
    fixture.clock.pass(-30 * DAY);
    await evaluateDaily(fixture, DAYS);
    expect((await log(fixture, "ada")).map(({ alert }) => alert.figures.close)).toEqual([559]);
  });

  it("a subscription created meanwhile is alerted to signal changes", async () => {
    const fixture = await alertRunFixture();
    await add(fixture, "ada", 1, { created_at: new Date(START.getTime() + 300 * DAY).toISOString() });
    await evaluateDaily(fixture, DAYS);
    expect(await log(fixture, "ada")).toHaveLength((await all(fixture)).length);
  });

  it("series and prices are evaluated at once", async () => {
    const quotes: Record<string, ReturnType<typeof quote>> = {};
    const fixture = await alertRunFixture({ quotes });
    await add(fixture, "ada", 1);
    await add(fixture, "ada", 2, { condition: priceAt({ above: 600 }) });
    fixture.clock.pass(30 * DAY);
    quotes["BTC-USD"] = quoteAt(599, fixture);
    fixture.watcher.start();
    const decided = async () => JSON.parse((await fixture.rows.state(SERIES))?.state ?? "{}").decided_at;
    await vi.waitFor(async () => expect(await decided()).toBe("2025-12-21T00:00:00.000Z"));
    fixture.clock.pass(-30 * DAY);
    quotes["BTC-USD"] = quoteAt(601, fixture);
    fixture.changes.follow([{ symbol: "BTC-USD", timeframe: "1d" }]);
    await vi.waitFor(async () => expect(await decided()).toBe("2025-11-21T00:00:00.000Z"));
    expect(await log(fixture, "ada")).toHaveLength(1);
  });
});

describe("a watched rule", () => {
  it("triggers at each bar at which it becomes true, including bars closed between evaluations", async () => {
    const held = turningBars();
    // 599, 595, 599, 595 ...: over 597 on every other day from the second on
    const close = held.close.map((price, i) => (i < 300 ? price : i % 2 === 0 ? 595 : 599));
    const fixture = await alertRunFixture({ bars: { "BTC-USD": { ...held, close } } });
    await add(fixture, "ada", 1, { condition: ruleThat("close > 597") });
    await fixture.watcher.evaluate();
    fixture.clock.pass(6 * DAY);
    await fixture.watcher.evaluate();
    const fired = (await log(fixture, "ada")).map(({ alert }) => alert).toReversed();
    expect(fired.map(({ as_of }) => as_of.slice(0, 10))).toEqual(["2025-11-23", "2025-11-25", "2025-11-27"]);
    expect(fired[0]).toMatchObject({
      figures: { close: 599 },
      text: "BTC-USD 1d: close > 597 became true at the close of 2025-11-23T00:00:00.000Z (close 599), on bars from fixture. check_order checks an order in BTC-USD before it is placed.",
    });
    await fixture.watcher.evaluate();
    expect(await log(fixture, "ada")).toHaveLength(3);
  });

  it("alerts: price leaves its 90 % range", async () => {
    const held = turningBars();
    // 599 or 601, from bar 303 on 700, from bar 310 on 600; bar 299 is the last at the start
    const close = held.close.map((_, i) => (i < 303 ? 600 + (i % 2 === 0 ? -1 : 1) : i < 310 ? 700 : 600));
    const open = close.map((price, i) => close[i - 1] ?? price);
    const bars = {
      ...held,
      close,
      open,
      high: close.map((price, i) => Math.max(price, open[i]!) + 0.5),
      low: close.map((price, i) => Math.min(price, open[i]!) - 0.5),
    };
    const fixture = await alertRunFixture({ bars: { "BTC-USD": bars } });
    const rule = "range_position(5) < 0 or > 100";
    const created = await callerOf(createSubscription, fixture.ports, { ...pro, account: "ada" })({
      symbols: ["BTC-USD"],
      on: "rule",
      rule,
    });
    expect(created.condition_states).toMatchObject([{ symbol: "BTC-USD", holds: false }]);
    await fixture.watcher.evaluate();
    fixture.clock.pass(15 * DAY);
    await fixture.watcher.evaluate();
    const fired = (await log(fixture, "ada")).map(({ alert }) => alert).toReversed();
    // bars 303 and 310; from bar 308 to 309 the range of five bars earlier holds the close again
    expect(fired.map(({ as_of }) => as_of.slice(0, 10))).toEqual(["2025-11-25", "2025-12-02"]);
    const positions = rangePosition(bars, 5);
    expect(fired.map(({ figures }) => figures)).toEqual([
      { close: 700, "range_position(5)": expect.closeTo(positions[303]!, 2) },
      { close: 600, "range_position(5)": expect.closeTo(positions[310]!, 2) },
    ]);
    expect(positions[303]).toBeGreaterThan(100);
    expect(positions[308]).toBe(50);
    expect(positions[310]).toBeLessThan(0);
    expect(fired[0]!.text).toMatch(
      /^BTC-USD 1d: range_position\(5\) < 0 or > 100 became true at the close of /,
    );
  });

  it("reads the current signal", async () => {
    const fixture = await alertRunFixture();
    await add(fixture, "ada", 1, { condition: ruleThat("score < 50") });
    await evaluateDaily(fixture, DAYS);
    const read = await verdicts(fixture, DAYS);
    const turns = read.filter(({ score }, i) => i > 0 && score! < 50 && read[i - 1]!.score! >= 50);
    expect(turns.length).toBeGreaterThan(0);
    expect((await log(fixture, "ada")).map(({ alert }) => alert.figures.score).toReversed()).toEqual(
      turns.map(({ score }) => score),
    );
  });
});

describe("a watched list", () => {
  it("is watched with its current symbols", async () => {
    const fixture = await alertRunFixture({ bars: { "BTC-USD": turningBars(), "ETH-USD": turningBars() } });
    const save = (symbols: string[]) =>
      fixture.ports.watchlists.save("ada", { name: "coins", symbols, saved_at: START.toISOString() });
    await save(["BTC-USD"]);
    await fixture.subscriptions.add("ada", {
      subscription: subscribed(1, { symbols: ["BTC-USD"], watchlist: "coins" }),
      seen: {},
      receiver: NO_RECEIVER,
    });
    expect(await fixture.watcher.evaluate()).toMatchObject({ evaluated: 1 });
    await save(["BTC-USD", "ETH-USD"]);
    expect(await fixture.watcher.evaluate()).toMatchObject({ evaluated: 2 });
    expect((await fixture.subscriptions.list("ada"))[0]!.symbols).toEqual(["BTC-USD", "ETH-USD"]);
  });

  it("sends no alert for days on which a symbol was not on the list", async () => {
    const held = turningBars();
    const close = held.close.map((price, i) => (i < 300 ? price : i % 2 === 0 ? 595 : 599));
    const fixture = await alertRunFixture({
      bars: { "BTC-USD": { ...held, close }, "ETH-USD": turningBars() },
    });
    const save = (symbols: string[]) =>
      fixture.ports.watchlists.save("ada", { name: "coins", symbols, saved_at: START.toISOString() });
    await save(["BTC-USD", "ETH-USD"]);
    await add(fixture, "ada", 1, { watchlist: "coins", condition: ruleThat("close > 597 and close < 600") });
    await fixture.watcher.evaluate();
    await save(["ETH-USD"]);
    fixture.clock.pass(6 * DAY);
    await fixture.watcher.evaluate();
    await save(["ETH-USD", "BTC-USD"]);
    await fixture.watcher.evaluate();
    expect(await log(fixture, "ada")).toEqual([]);
    fixture.clock.pass(2 * DAY);
    await fixture.watcher.evaluate();
    expect((await log(fixture, "ada")).map(({ alert }) => alert.as_of.slice(0, 10))).toEqual(["2025-11-29"]);
  });
});

describe("a started watcher", () => {
  const known = async (fixture: Fixture) => {
    while ((await fixture.rows.state(SERIES)) === null) await new Promise((soon) => setTimeout(soon, 5));
    return true;
  };

  it("evaluates followed series immediately and subscriptions after start", async () => {
    const follows = await alertRunFixture();
    follows.changes.follow([SERIES]);
    expect(await known(follows)).toBe(true);
    const started = await alertRunFixture();
    await add(started, "ada", 1);
    started.watcher.start();
    expect(await known(started)).toBe(true);
  });

  it("ignores subscriptions before start, and does nothing once closed", async () => {
    const fixture = await alertRunFixture({ bars: { "BTC-USD": turningBars(), "ETH-USD": turningBars() } });
    await add(fixture, "ada", 1, { symbols: ["ETH-USD"] });
    fixture.changes.follow([SERIES]);
    await known(fixture);
    expect(await fixture.rows.state({ ...SERIES, symbol: "ETH-USD" })).toBeNull();
    await fixture.watcher.close();
    await expect(fixture.watcher.evaluate()).rejects.toThrow();
  });
});
