import { expect, it } from "vitest";
import type { JournalTrade } from "../../../src/domain/trading/journal.ts";
import type { PositionRow } from "../../../src/domain/trading/positions.ts";
import { formatJournalTrades } from "../../../src/features/trading/journal.text.ts";
import { formatPositions } from "../../../src/features/trading/position.text.ts";
import { formatOrder, formatOrders } from "../../../src/features/trading/trade.text.ts";
import { tradeBench } from "./bench.ts";

/** Leaves texts without colour, on a terminal of this width. */
const paint = (columns?: number) =>
  Object.assign((_: string, text: string) => text, { columns, allColumns: "--json" });

it("shows orders as a table that fits the terminal, with reasons below, and a single order in full", async () => {
  const { ticketOf, execute } = await tradeBench();
  const { order } = await execute(await ticketOf({ side: "buy", quantity: "2" }));
  const sent = { ...order, order_id: `or_${"1".repeat(20)}`, created_at: "2026-01-15T15:00:00.000Z" };
  const rejected = {
    ...sent,
    order_id: `or_${"2".repeat(20)}`,
    intent: { ...sent.intent, symbol: "BTC-USD", type: "limit" as const, limit_price: "93000.5" },
    state: "rejected" as const,
    broker_status: null,
    filled_quantity: "0",
    average_price: null,
    reason: "The account has not enough cash",
  };
  expect(formatOrders([sent, rejected], paint(80))).toEqual([
    "order                    symbol   side  quantity  status    filled",
    "or_11111111111111111111  AAPL     buy          2  filled         2",
    "or_22222222222222222222  BTC-USD  buy          2  rejected       0",
    "Not shown at this width: price, average, fees, sent; --json has all",
    "or_22222222222222222222: The account has not enough cash",
  ]);
  const average = sent.average_price!;
  const [head, first, second] = formatOrders([sent, { ...rejected, reason: null }], paint());
  const wide = (text: string) => text.padStart(Math.max("average".length, average.length));
  expect(head).toContain(`  filled  ${wide("average")}  fees  sent`);
  expect(first).toContain(`  market         filled         2  ${wide(average)}     0  2026-01-15T15:00Z`);
  expect(second).toContain(`  limit 93000.5  rejected       0  ${wide("-")}     0  2026-01-15T15:00Z`);
  expect(formatOrders([rejected], paint(80))).toEqual(formatOrder(rejected, paint(80)));
});

const held: PositionRow = {
  symbol: "AAPL",
  side: "LONG",
  quantity: "12",
  average_price: "121.5",
  price: "138",
  price_source: "live_quote",
  price_as_of: "2026-01-15T14:50:00.000Z",
  price_reason: null,
  market_value: "1656",
  unrealized_pnl: "198",
  unrealized_pct: 13.58,
  account_label: null,
  connection_id: `cn_${"1".repeat(20)}`,
  as_of: "2026-01-15T15:00:00.000Z",
  edge: {
    action: "EXIT",
    why: ["The price 138 is at or above the target", "The signal is now SHORT"],
    stop_breached: true,
    opening: { stop_loss: 139, stop_source: "order", as_of: "2026-01-05T21:00:00.000Z" },
    signal: { direction: "SHORT" },
    grade_steps: 0,
  },
} as unknown as PositionRow;
const unpriced = {
  ...held,
  symbol: "BTC-USD",
  side: "SHORT",
  quantity: "-0.25",
  average_price: "91000",
  price: null,
  price_reason: "No provider has a price",
  unrealized_pnl: null,
  unrealized_pct: null,
  edge: { ...held.edge, action: "REVIEW", why: ["There is no price"], stop_breached: null, opening: null },
} as unknown as PositionRow;

it("shows positions as a table that fits the terminal, with the reasons of each action below", () => {
  expect(formatPositions([held, unpriced], paint(80))).toEqual([
    "symbol   side   quantity  average  price  gain  gain %  action  stop",
    "AAPL     LONG         12    121.5    138  +198  +13.58  EXIT    139.00 REACHED",
    "BTC-USD  SHORT      0.25    91000      -     -       -  REVIEW  -",
    "Not shown at this width: signal, account, price of; --json has all",
    "AAPL  EXIT  The price 138 is at or above the target; The signal is now SHORT",
    "BTC-USD  REVIEW  There is no price",
    "  No provider has a price",
  ]);
});

const closed: JournalTrade = {
  order_id: `or_${"1".repeat(20)}`,
  connection_id: `cn_${"1".repeat(20)}`,
  symbol: "AAPL",
  side: "LONG",
  opened_at: "2026-01-05T15:00:00.000Z",
  closed_at: "2026-01-09T15:30:00.000Z",
  held_seconds: 347_400,
  quantity: "10",
  open_quantity: "0",
  entry_price: "121.5",
  exit_price: "119",
  fees: "0",
  realized_pnl: "-25",
  net_pnl: "-25",
  stop_loss: "118",
  r_multiple: -0.714,
  r_reason: null,
  signal: null,
  exits: [],
  notes: [{ order_id: `or_${"1".repeat(20)}`, note: "too early", noted_at: "2026-01-09T16:00:00.000Z" }],
};
const open: JournalTrade = {
  ...closed,
  symbol: "MSFT",
  closed_at: null,
  open_quantity: "10",
  exit_price: null,
  net_pnl: "0",
  r_multiple: null,
  notes: [],
};

it("shows trades of the journal as a table that fits the terminal, with their notes below", () => {
  expect(formatJournalTrades([closed, open], paint(80))).toEqual([
    "symbol  side  quantity  entry  exit  net      R  opened      closed",
    "AAPL    LONG        10  121.5  119   -25  -0.71  2026-01-05  2026-01-09",
    "MSFT    LONG        10  121.5  open    -      -  2026-01-05  -",
    "Not shown at this width: still open, stop, fees, signal, entry order; --json has all",
    "AAPL  of 2026-01-05 15:00",
    "  note 2026-01-09 16:00 too early",
  ]);
});
