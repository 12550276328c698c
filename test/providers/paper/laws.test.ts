import Big from "big.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Intent } from "../../../src/domain/trading/trading.ts";
import { intent } from "../broker-contract.ts";
import { MINUTE, paperBench, TEN } from "./bench.ts";

const EPOCH = "2000-01-01T00:00:00.000Z";
const HOUR = 60;
const DAY = 24 * HOUR;
/** From a Thursday, over a weekend and a holiday, to the following Wednesday. */
const SPAN = 6 * DAY;

const symbol = fc.constantFrom("AAPL", "BTC-USD");
const cents = (min: number, max: number) => fc.integer({ min, max }).map((n) => n / 100);
const bars = fc.record({
  symbol,
  slot: fc.integer({ min: 0, max: SPAN / 5 }),
  open: cents(8_000, 12_000),
  up: cents(0, 900),
  down: cents(0, 900),
  volume: fc.integer({ min: 0, max: 6_000 }),
});
const days = fc.record({
  symbol,
  day: fc.integer({ min: 14, max: 21 }),
  open: cents(8_000, 12_000),
  volume: fc.integer({ min: 10_000, max: 2_000_000 }),
});
const acts = fc.record({
  minute: fc.integer({ min: 0, max: SPAN }),
  kind: fc.constantFrom("send", "send", "send", "send", "cancel"),
  which: fc.nat(30),
  price: cents(9_000, 11_000),
  symbol,
  side: fc.constantFrom("buy" as const, "sell" as const),
  type: fc.constantFrom("market", "market", "limit", "stop", "stop_limit"),
  quantity: fc.integer({ min: 1, max: 700 }),
  at: cents(8_500, 11_500),
  day: fc.boolean(),
  bracket: fc.boolean(),
});
type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never;
const stories = fc.record({
  bars: fc.array(bars, { minLength: 20, maxLength: 60 }),
  days: fc.array(days, { minLength: 4, maxLength: 14 }),
  acts: fc.array(acts, { minLength: 2, maxLength: 9 }),
  reads: fc.array(
    fc.record({
      minute: fc.integer({ min: 0, max: SPAN }),
      at: fc.constantFrom("account", "positions", "orders", "find"),
    }),
    { minLength: 1, maxLength: 25 },
  ),
});
type Story = typeof stories extends fc.Arbitrary<infer T> ? T : never;

const wanted = ({ symbol, side, type, quantity, at, day, bracket, price }: Act): Intent => {
  const from = type === "market" ? price : at;
  const [over, under] = [(from * 1.06).toFixed(2), (from * 0.95).toFixed(2)];
  return intent(symbol, {
    side,
    type: type as Intent["type"],
    quantity: String(quantity),
    limit_price: type.endsWith("limit") ? String(at) : null,
    stop_price: type.startsWith("stop") ? String(at) : null,
    time_in_force: day ? "day" : "gtc",
    ...(bracket && side === "buy" && { take_profit: over, stop_loss: under }),
    ...(bracket && side === "sell" && { take_profit: under, stop_loss: over }),
  });
};

type Bench = Awaited<ReturnType<typeof paperBench>>;

/** Runs a scenario. With `reads` the account is also read in between, each time as after a restart. */
async function run(story: Story, reads: boolean, check: (bench: Bench) => Promise<void> = async () => {}) {
  const bench = await paperBench();
  const taken = new Set<string>();
  for (const { symbol, slot, open, up, down, volume } of story.bars) {
    if (taken.has(`${symbol} ${slot}`)) continue;
    taken.add(`${symbol} ${slot}`);
    bench.bar(5 * slot, { symbol, open, high: open + up, low: open - down, volume });
  }
  for (const { symbol, day, open, volume } of story.days) {
    if (taken.has(`${symbol} day ${day}`) || day === 14) continue;
    taken.add(`${symbol} day ${day}`);
    bench.day(Date.UTC(2026, 0, day), { symbol, open, high: open + 1, low: open - 1, volume });
  }
  const events = [
    ...story.acts.map((act) => ({ ...act, reads: false as const })),
    ...(reads ? story.reads.map((read) => ({ ...read, reads: true as const })) : []),
  ];
  let sent = 0;
  for (const event of events.sort((a, b) => a.minute - b.minute || Number(a.reads) - Number(b.reads))) {
    bench.clock.pass(TEN + event.minute * MINUTE - bench.clock.now().getTime());
    const broker = bench.open();
    if (event.reads) {
      if (event.at === "account") await broker.account();
      else if (event.at === "positions") await broker.positions();
      else if (event.at === "orders") await broker.orders({ since: EPOCH });
      else await broker.find("o0");
    } else if (event.kind === "send") {
      bench.price.now = event.price;
      await broker.submit({ clientOrderId: `o${sent++}`, intent: wanted(event) });
    } else {
      const orders = await broker.orders({ since: EPOCH });
      if (orders.length > 0) await broker.cancel(orders[event.which % orders.length]!.id);
    }
    await check(bench);
  }
  bench.clock.pass(TEN + SPAN * MINUTE + MINUTE - bench.clock.now().getTime());
  const account = await bench.open().account();
  await check(bench);
  return {
    account,
    positions: await bench.open().positions(),
    orders: await bench.open().orders({ since: EPOCH }),
    fills: await bench.repository.fills(bench.owner),
    ledger: await bench.repository.ledger(bench.owner),
  };
}

const total = (values: readonly (string | null)[]) =>
  values.reduce((sum, one) => sum.plus(one ?? 0), new Big(0));

/** Expects every booking to sum to 0, and the ledger to match the cash, units and costs of the repository. */
async function balanced({ repository, owner }: Bench) {
  const [state, rows] = [await repository.read(owner), await repository.ledger(owner)];
  if (state === null) return;
  for (const number of new Set(rows.map(({ booking }) => booking)))
    expect(
      total(rows.filter(({ booking }) => booking === number).map(({ amount }) => amount)).toFixed(),
    ).toBe("0");
  const of = (ledger: string) => rows.filter((row) => row.ledger === ledger);
  expect(total(of("cash").map(({ amount }) => amount)).toFixed()).toBe(new Big(state.cash).toFixed());
  for (const held of ["AAPL", "BTC-USD"]) {
    const mine = of("position").filter((row) => row.symbol === held);
    const position = state.positions.find((one) => one.symbol === held);
    expect(total(mine.map(({ amount }) => amount)).toFixed()).toBe(new Big(position?.cost ?? 0).toFixed());
    expect(total(mine.map(({ quantity }) => quantity)).toFixed()).toBe(
      new Big(position?.quantity ?? 0).toFixed(),
    );
  }
  for (const { amount } of rows) expect(new Big(amount).round(2).eq(amount)).toBe(true);
  expect(new Big(state.cash).gte(0)).toBe(true);
}

/** Expects that no leg opens or increases a position, and that no order is filled beyond its quantity. */
async function closesOnly({ repository, owner }: Bench) {
  const held = new Map<string, Big>();
  const filled = new Map<string, Big>();
  const orders = new Map(
    (await repository.orders(owner, EPOCH)).map((order) => [order.clientOrderId, order]),
  );
  for (const { clientOrderId, symbol, side, quantity } of await repository.fills(owner)) {
    const before = held.get(symbol) ?? new Big(0);
    const after = side === "buy" ? before.plus(quantity) : before.minus(quantity);
    if (orders.get(clientOrderId)!.parent !== null) {
      expect(after.abs().lt(before.abs())).toBe(true);
      expect(after.times(before).gte(0)).toBe(true);
    }
    held.set(symbol, after);
    filled.set(clientOrderId, (filled.get(clientOrderId) ?? new Big(0)).plus(quantity));
  }
  for (const order of orders.values()) {
    const units = filled.get(order.clientOrderId) ?? new Big(0);
    expect(units.eq(order.filledQuantity)).toBe(true);
    expect(units.lte(order.intent.quantity)).toBe(true);
    if (order.status === "filled")
      expect(units.eq(order.intent.quantity) || order.parent !== null).toBe(true);
  }
}

describe("paper accounts", () => {
  it("do not depend on intermediate reads, over nights, weekends and restarts", async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        expect(await run(story, true)).toEqual(await run(story, false));
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it("balance to the cent at any time, and no leg of a bracket opens a position", async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        await run(story, true, async (bench) => {
          await balanced(bench);
          await closesOnly(bench);
        });
      }),
      { numRuns: 30 },
    );
  }, 120_000);
});
