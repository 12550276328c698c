import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SignalChange } from "../../../src/domain/alerts/changes.ts";
import { pictureOf } from "../../../src/features/signal/picture.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { quote } from "../../support/market.ts";
import { movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";
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

type House = Awaited<ReturnType<typeof alertRunFixture>>;
const SERIES = { symbol: "BTC-USD", timeframe: "1d" } as const;
const DAYS = 12;

const all = async ({ rows }: House): Promise<readonly SignalChange[]> =>
  (await rows.after(0, 500)).map(({ change }) => change);
const add = (house: House, account: string, ...args: Parameters<typeof subscribed>) =>
  house.rows.add(account, { subscription: subscribed(...args), seen: {} });
const log = (house: House, account: string) => house.subscriptions.deliveries(account, { limit: 100 });

/** Looks once a day for so many days; returns the reports. */
async function look(house: House, days: number) {
  const reports = [];
  for (let day = 0; day < days; day++) {
    reports.push(await house.watcher.evaluate());
    house.clock.pass(DAY);
  }
  return reports;
}

/** What each day's signal was, read apart from the watcher. */
async function verdicts({ ports }: House, days: number) {
  const read = [];
  for (let day = 0; day < days; day++) {
    const as_of = new Date(START.getTime() + day * DAY).toISOString();
    const { consensus } = await pictureOf({ ...SERIES, as_of, signal: new AbortController().signal }, ports);
    read.push({ direction: consensus.direction, grade: consensus.grade, score: consensus.score });
  }
  return read;
}

/** Has neither write before both have read, and one after the other: they are one thread here, which cannot wait for itself. */
function writeTogether(...houses: readonly House[]): void {
  let waiting: (() => Promise<void>)[] = [];
  for (const { rows } of houses) {
    const { save: notice } = rows;
    rows.save = (noticed) =>
      new Promise((resolve, reject) => {
        waiting.push(() => notice(noticed).then(resolve, reject));
        if (waiting.length < houses.length) return;
        const all = waiting;
        waiting = [];
        void all.reduce((before, write) => before.then(write), Promise.resolve());
      });
  }
}

describe("the signal that is watched", () => {
  it("sets its state at the first look, and then tells each change once, with what moved", async () => {
    const house = await alertRunFixture();
    await add(house, "ada", 1);
    const [first] = await look(house, DAYS);
    expect(first).toEqual({ evaluated: 1, changes: 0, alerts: 0, failed: [] });
    const read = await verdicts(house, DAYS);
    const expected = read.slice(1).flatMap((after, i) => {
      const before = read[i]!;
      const changed = (["direction", "grade"] as const).filter((part) => before[part] !== after[part]);
      const decided_at = new Date(Date.UTC(2025, 10, 22) + i * DAY).toISOString();
      return changed.length === 0 ? [] : [{ changed, before, after, decided_at }];
    });
    expect(expected.length).toBeGreaterThan(2);
    const told = await all(house);
    expect(told).toMatchObject(expected);
    for (const { drivers, price, source, decided_at } of told) {
      expect(drivers.length).toBeGreaterThan(0);
      const moves = drivers.map(({ from, to }) => Math.abs((to ?? 0) - (from ?? 0)));
      expect(moves).toEqual(moves.toSorted((a, b) => b - a));
      // four dollars less a day, 599 at the first close
      const days = (Date.parse(decided_at) - Date.UTC(2025, 10, 21)) / DAY;
      expect({ price, source }).toEqual({ price: 599 - 4 * days, source: "fixture" });
    }
    const alerts = await log(house, "ada");
    expect(alerts.map(({ alert }) => alert.change)).toEqual(told.toReversed());
    expect(alerts.every(({ state, alert }) => state === "kept" && alert.market === "sample")).toBe(true);
    expect(alerts.at(-1)!.alert.text).toMatch(
      /^BTC-USD 1d: the signal is .+, it was .+\. Decided at 2025-.+ on a close of \d+ USD from fixture\. Moved most: /,
    );
  });

  it("tells nothing of the same bar, however often it is looked at", async () => {
    const house = await alertRunFixture();
    await add(house, "ada", 1);
    await look(house, DAYS);
    const before = (await all(house)).length;
    for (let n = 0; n < 3; n++)
      expect(await house.watcher.evaluate()).toMatchObject({ evaluated: 1, failed: [] });
    expect((await all(house)).length - before).toBeLessThanOrEqual(1);
    const after = await all(house);
    await house.watcher.evaluate();
    expect(await all(house)).toEqual(after);
  });

  it("goes on after a restart where it was, without loss or repeats", async () => {
    const [dataDir, clock] = [join(tempDir(), "data"), movingClock(START)];
    const whole = await alertRunFixture();
    await add(whole, "ada", 1);
    await look(whole, DAYS);
    const first = await alertRunFixture({ dataDir, clock });
    await add(first, "ada", 1);
    await look(first, 4);
    await first.close();
    const second = await alertRunFixture({ dataDir, clock });
    await look(second, DAYS - 4);
    expect(await all(second)).toEqual(await all(whole));
    expect((await log(second, "ada")).map(({ alert }) => alert.alert_id)).toEqual(
      (await log(whole, "ada")).map(({ alert }) => alert.alert_id),
    );
  });

  it("tells what changed while nobody looked as one change, from the last state to that of now", async () => {
    const house = await alertRunFixture();
    await add(house, "ada", 1);
    await look(house, 1);
    house.clock.pass((DAYS - 2) * DAY);
    await house.watcher.evaluate();
    const read = await verdicts(house, DAYS);
    expect(await all(house)).toMatchObject([{ before: read[0], after: read[DAYS - 1] }]);
  });

  it("is written once by two processes on one folder that look at the same time", async () => {
    const [dataDir, clock] = [join(tempDir(), "data"), movingClock(START)];
    const one = await alertRunFixture({ dataDir, clock });
    const two = await alertRunFixture({ dataDir, clock });
    await add(one, "ada", 1);
    writeTogether(one, two);
    for (let day = 0; day < DAYS; day++) {
      await Promise.all([one.watcher.evaluate(), two.watcher.evaluate()]);
      clock.pass(DAY);
    }
    const told = await all(one);
    const whole = await alertRunFixture();
    await add(whole, "ada", 1);
    await look(whole, DAYS);
    expect(told.map(({ change_id }) => change_id)).toEqual(
      (await all(whole)).map(({ change_id }) => change_id),
    );
    expect(await log(two, "ada")).toHaveLength(told.length);
  });

  it("tells nothing without a score, and keeps the state", async () => {
    const held = { "BTC-USD": turningBars() };
    const house = await alertRunFixture({ bars: held });
    await add(house, "ada", 1);
    await house.watcher.evaluate();
    const kept = await house.rows.state(SERIES);
    house.clock.pass(DAYS * DAY);
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
    expect(await house.watcher.evaluate()).toMatchObject({ evaluated: 1, changes: 0, failed: [] });
    expect((await house.rows.state(SERIES))?.state).toBe(kept?.state);
    held["BTC-USD"] = turningBars();
    expect(await house.watcher.evaluate()).toMatchObject({ changes: 1 });
  });

  it("is told to those who asked for what changed, and of bars that closed after they had asked", async () => {
    const house = await alertRunFixture();
    await add(house, "ada", 1);
    await add(house, "bob", 2, { condition: { ...subscribed(0).condition, changes: ["direction"] } });
    await add(house, "cleo", 3, { created_at: new Date(START.getTime() + 300 * DAY).toISOString() });
    await look(house, DAYS);
    const told = await all(house);
    const directions = told.filter(({ changed }) => changed.includes("direction"));
    expect(directions.length).toBeGreaterThan(0);
    expect(directions.length).toBeLessThan(told.length);
    expect(await log(house, "ada")).toHaveLength(told.length);
    expect((await log(house, "bob")).map(({ alert }) => alert.change)).toEqual(directions.toReversed());
    expect(await log(house, "cleo")).toEqual([]);
  });

  it("is known from the look on before which bars were missed, and from the first one otherwise", async () => {
    const house = await alertRunFixture();
    await add(house, "ada", 1);
    await look(house, 3);
    const since = async () => (await house.rows.state(SERIES))?.since;
    expect(await since()).toBe(START.toISOString());
    house.clock.pass(2 * DAY);
    const later = house.clock.now().toISOString();
    await look(house, 2);
    expect(await since()).toBe(later);
  });

  it("is told to who subscribed, though a process that tends no subscriptions looked first", async () => {
    const [dataDir, clock] = [join(tempDir(), "data"), movingClock(START)];
    const server = await alertRunFixture({ dataDir, clock });
    const reader = await alertRunFixture({ dataDir, clock });
    await add(server, "ada", 1);
    await add(server, "ada", 2, { condition: ruleThat("close > 1") });
    await add(server, "ada", 3, { symbols: ["AAPL"] });
    for (let day = 0; day < DAYS; day++) {
      // it looks as soon as somebody follows, and has looked when the next look of all is over
      const leave = reader.changes.follow([SERIES]);
      await expect
        .poll(async () => (await reader.rows.state(SERIES))?.evaluatedAt)
        .toBe(clock.now().toISOString());
      leave();
      clock.pass(DAY);
    }
    const told = await all(server);
    expect(told.length).toBeGreaterThan(2);
    expect((await log(server, "ada")).map(({ alert }) => alert.change)).toEqual(told.toReversed());
  });

  it("is not looked at for accounts that have no alerts now, and again once they have", async () => {
    let lapsed = false;
    const house = await alertRunFixture({ entitled: async (account) => account !== "ada" || !lapsed });
    await add(house, "ada", 1);
    await add(house, "bob", 2, { symbols: ["BTC-USD"] });
    await look(house, 1);
    lapsed = true;
    await look(house, DAYS - 1);
    const told = await all(house);
    expect(told.length).toBeGreaterThan(2);
    expect(await log(house, "ada")).toEqual([]);
    expect(await log(house, "bob")).toHaveLength(told.length);
  });

  it("is looked at for whoever follows it, and forgotten when they leave", async () => {
    const house = await alertRunFixture();
    const leave = house.changes.follow([SERIES]);
    expect(await house.watcher.evaluate()).toMatchObject({ evaluated: 1 });
    leave();
    leave();
    expect(house.changes.followed()).toEqual([]);
    expect(await house.watcher.evaluate()).toMatchObject({ evaluated: 0 });
  });
});

describe("what fails or is gone", () => {
  it("leaves the others alone, and is tried again", async () => {
    const bars = { "BTC-USD": turningBars(), AAPL: turningBars() };
    const house = await alertRunFixture({ bars });
    const { history } = house.ports.bars;
    let broken = true;
    house.ports.bars.history = async (instrument, request) => {
      if (broken && instrument.symbol === "AAPL")
        throw new ToolError("UPSTREAM_UNAVAILABLE", "No source answers");
      return history(instrument, request);
    };
    await add(house, "ada", 1, { symbols: ["BTC-USD", "AAPL"] });
    expect(await house.watcher.evaluate()).toMatchObject({
      evaluated: 1,
      failed: [{ symbol: "AAPL", code: "UPSTREAM_UNAVAILABLE" }],
    });
    broken = false;
    expect(await house.watcher.evaluate()).toMatchObject({ evaluated: 2, failed: [] });
    expect(house.lines.filter(({ event }) => event === "watch_failed")).toHaveLength(1);
  });

  it("pauses the subscriptions to a symbol that is gone, each with one last alert", async () => {
    const house = await alertRunFixture({ bars: { "BTC-USD": turningBars(), "ETH-USD": turningBars() } });
    await add(house, "ada", 1, { symbols: ["BTC-USD", "ETH-USD"], channel: "webhook", target: "a.example" });
    await add(house, "bob", 2, { symbols: ["ETH-USD"] });
    await house.watcher.evaluate();
    const { find } = house.ports.symbols;
    house.ports.symbols.find = (text) => (text === "BTC-USD" ? null : find(text));
    await house.watcher.evaluate();
    await house.watcher.evaluate();
    const [paused] = await house.subscriptions.list("ada");
    expect(paused).toMatchObject({
      state: "paused",
      reason: "BTC-USD is no longer a symbol that this market knows",
    });
    expect(await log(house, "ada")).toMatchObject([
      {
        state: "waiting",
        alert: { symbol: "BTC-USD", text: expect.stringContaining("the subscription is paused") },
      },
    ]);
    expect(await house.subscriptions.list("bob")).toMatchObject([{ state: "active" }]);
    expect(await log(house, "bob")).toEqual([]);
  });
});

describe("a price that is watched", () => {
  const at = (price: number, minute: number) =>
    quote({ price, timestamp: new Date(START.getTime() + minute * 60_000).toISOString() });

  it("fires on passing a level only, is armed again when it goes back, and survives a restart", async () => {
    const [dataDir, clock] = [join(tempDir(), "data"), movingClock(START)];
    const quotes: Record<string, ReturnType<typeof quote>> = {};
    let house = await alertRunFixture({ dataDir, clock, quotes });
    await add(house, "ada", 1, { condition: priceAt({ above: 600, below: 500 }) });
    const seen: string[][] = [];
    for (const [minute, price] of [601, 600, 602, 603, 499, 500, 498, 650].entries()) {
      quotes["BTC-USD"] = at(price, minute);
      if (minute === 3) {
        await house.close();
        house = await alertRunFixture({ dataDir, clock, quotes });
      }
      await house.watcher.evaluate();
      clock.pass(60_000);
      seen.push((await log(house, "ada")).map(({ alert }) => `${alert.figures.price}`));
    }
    expect(seen).toEqual([
      ...[[], [], ["602"], ["602"], ["499", "602"], ["499", "602"]],
      ...[
        ["498", "499", "602"],
        ["650", "498", "499", "602"],
      ],
    ]);
    expect((await log(house, "ada"))[3]!.alert).toMatchObject({
      text: "BTC-USD is above 600 USD: 602 USD at 2025-11-21T00:03:00.000Z (live_quote from fixture).",
      figures: { price: 602, level: 600 },
      change: null,
      as_of: "2025-11-21T00:03:00.000Z",
    });
  });

  it("ignores a price that is older than the last change, or that no source stands behind now", async () => {
    const quotes: Record<string, ReturnType<typeof quote>> = { "BTC-USD": at(599, 5) };
    const house = await alertRunFixture({ quotes });
    await add(house, "ada", 1, { condition: priceAt({ above: 600 }) });
    await house.watcher.evaluate();
    const origin = { fetched_at: START.toISOString(), session: null, stale: true, kept: "store" } as const;
    const rest = { tried: [], volume_unit: "tokens", volume_scope: "one_venue" } as const;
    for (const bad of [at(700, 4), { ...at(700, 6), origin: { ...origin, ...rest } }]) {
      quotes["BTC-USD"] = bad;
      await house.watcher.evaluate();
    }
    expect(await log(house, "ada")).toEqual([]);
    quotes["BTC-USD"] = at(700, 6);
    await house.watcher.evaluate();
    expect(await log(house, "ada")).toHaveLength(1);
  });
});

describe("a rule that is watched", () => {
  it("fires at each bar at which it becomes true, those that closed while nobody looked too", async () => {
    const held = turningBars();
    // 599, 595, 599, 595 ...: over 597 on every other day from the second on
    const close = held.close.map((price, i) => (i < 300 ? price : i % 2 === 0 ? 595 : 599));
    const house = await alertRunFixture({ bars: { "BTC-USD": { ...held, close } } });
    await add(house, "ada", 1, { condition: ruleThat("close > 597") });
    await house.watcher.evaluate();
    house.clock.pass(6 * DAY);
    await house.watcher.evaluate();
    const told = (await log(house, "ada")).map(({ alert }) => alert).toReversed();
    expect(told.map(({ as_of }) => as_of.slice(0, 10))).toEqual(["2025-11-23", "2025-11-25", "2025-11-27"]);
    expect(told[0]).toMatchObject({
      figures: { close: 599 },
      text: "BTC-USD 1d: close > 597 became true at the close of 2025-11-23T00:00:00.000Z (close 599), on bars from fixture.",
    });
    await house.watcher.evaluate();
    expect(await log(house, "ada")).toHaveLength(3);
  });

  it("reads the signal as it is", async () => {
    const house = await alertRunFixture();
    await add(house, "ada", 1, { condition: ruleThat("score < 50") });
    await look(house, DAYS);
    const read = await verdicts(house, DAYS);
    const turns = read.filter(({ score }, i) => i > 0 && score! < 50 && read[i - 1]!.score! >= 50);
    expect(turns.length).toBeGreaterThan(0);
    expect((await log(house, "ada")).map(({ alert }) => alert.figures.score).toReversed()).toEqual(
      turns.map(({ score }) => score),
    );
  });
});

describe("a list that is watched", () => {
  it("is watched as it is now", async () => {
    const house = await alertRunFixture({ bars: { "BTC-USD": turningBars(), "ETH-USD": turningBars() } });
    const save = (symbols: string[]) =>
      house.ports.watchlists.save("ada", { name: "coins", symbols, saved_at: START.toISOString() });
    await save(["BTC-USD"]);
    await house.subscriptions.add("ada", {
      subscription: subscribed(1, { symbols: ["BTC-USD"], watchlist: "coins" }),
      seen: {},
      receiver: NO_RECEIVER,
    });
    expect(await house.watcher.evaluate()).toMatchObject({ evaluated: 1 });
    await save(["BTC-USD", "ETH-USD"]);
    expect(await house.watcher.evaluate()).toMatchObject({ evaluated: 2 });
    expect((await house.subscriptions.list("ada"))[0]!.symbols).toEqual(["BTC-USD", "ETH-USD"]);
  });

  it("tells nothing of the days on which a symbol was not on it", async () => {
    const held = turningBars();
    const close = held.close.map((price, i) => (i < 300 ? price : i % 2 === 0 ? 595 : 599));
    const house = await alertRunFixture({
      bars: { "BTC-USD": { ...held, close }, "ETH-USD": turningBars() },
    });
    const save = (symbols: string[]) =>
      house.ports.watchlists.save("ada", { name: "coins", symbols, saved_at: START.toISOString() });
    await save(["BTC-USD", "ETH-USD"]);
    await add(house, "ada", 1, { watchlist: "coins", condition: ruleThat("close > 597 and close < 600") });
    await house.watcher.evaluate();
    await save(["ETH-USD"]);
    house.clock.pass(6 * DAY);
    await house.watcher.evaluate();
    await save(["ETH-USD", "BTC-USD"]);
    await house.watcher.evaluate();
    expect(await log(house, "ada")).toEqual([]);
    house.clock.pass(2 * DAY);
    await house.watcher.evaluate();
    expect((await log(house, "ada")).map(({ alert }) => alert.as_of.slice(0, 10))).toEqual(["2025-11-29"]);
  });
});

describe("a watcher by itself", () => {
  const known = async (house: House) => {
    while ((await house.rows.state(SERIES)) === null) await new Promise((soon) => setTimeout(soon, 5));
    return true;
  };

  it("looks at what is followed as soon as it is, and at subscriptions once it tends them", async () => {
    const follows = await alertRunFixture();
    follows.changes.follow([SERIES]);
    expect(await known(follows)).toBe(true);
    const tends = await alertRunFixture();
    await add(tends, "ada", 1);
    tends.watcher.start();
    expect(await known(tends)).toBe(true);
  });

  it("leaves subscriptions alone that it does not tend, and does nothing once it is closed", async () => {
    const house = await alertRunFixture({ bars: { "BTC-USD": turningBars(), "ETH-USD": turningBars() } });
    await add(house, "ada", 1, { symbols: ["ETH-USD"] });
    house.changes.follow([SERIES]);
    await known(house);
    expect(await house.rows.state({ ...SERIES, symbol: "ETH-USD" })).toBeNull();
    await house.watcher.close();
    await expect(house.watcher.evaluate()).rejects.toThrow();
  });
});
