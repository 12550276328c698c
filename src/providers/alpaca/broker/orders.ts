import { z } from "zod";
import type { CallOptions } from "../../../domain/ports.ts";
import { ProviderFailure } from "../../../domain/providers/price-provider.ts";
import { mayFill } from "../../../domain/trading/trading.ts";
import type { BrokerOrder } from "../../../domain/trading/trading-port.ts";
import { ToolError } from "../../../kernel/errors.ts";
import type { AlpacaClient } from "./client.ts";
import { toBrokerOrders } from "./order.ts";
import { Order, OtherOrder, statusOf } from "./wire.ts";

const PAGE = 500;
const PAGES = 20;
/** A stop may be hit so long after its entry was sent, and is still told of. */
const LOOK_BACK_MS = 30 * 86_400_000;

const Row = z.union([Order, OtherOrder]);
const Page = z.array(Row);

/**
 * Orders made, or changed within 30 days of being made, at or after `since` (ISO 8601), and all that work; the oldest
 * first, legs behind their entry. Those of options and new issues are left out.
 */
export async function ordersSince(
  client: AlpacaClient,
  since: string,
  canonical: (symbol: string, kind: string) => string,
  asked: CallOptions,
): Promise<readonly BrokerOrder[]> {
  const from = new Date(Math.max(0, Date.parse(since) - LOOK_BACK_MS)).toISOString();
  // in this order, so that one that ends meanwhile is seen at least once
  const open = await pages(client, { status: "open" }, asked);
  const closed = await pages(client, { status: "closed", after: from }, asked);
  const rows = new Map([...open, ...closed].map((row) => [row.id, row]));
  const orders = [...rows.values()]
    .sort((a, b) => (a.submitted_at < b.submitted_at ? -1 : a.submitted_at > b.submitted_at ? 1 : 0))
    .flatMap((row) => (isOurs(row) ? [row] : []))
    .filter(
      ({ id, submitted_at, legs, updated_at }) =>
        open.some((one) => one.id === id) ||
        (legs ?? []).some((leg) => mayFill(statusOf(leg))) ||
        [submitted_at, updated_at, ...(legs ?? []).map((leg) => leg.updated_at)].some((at) => at >= since),
    )
    .flatMap((row) => toBrokerOrders(row, canonical, { nested: true }));
  // a leg that works may stand by itself besides, and then does not tell of its entry
  const entries = new Map(orders.flatMap(({ id, entry }) => (entry === null ? [] : [[id, entry]])));
  return [
    ...new Map(
      orders.map((order) => [order.id, { ...order, entry: entries.get(order.id) ?? null }]),
    ).values(),
  ];
}

const isOurs = (row: z.infer<typeof Row>): row is Order => "filled_qty" in row;

/** All pages, the oldest first. Rejects rather than leaving out what does not fit into so many pages. */
async function pages(
  client: AlpacaClient,
  query: Readonly<Record<string, string>>,
  asked: CallOptions,
): Promise<z.infer<typeof Page>> {
  const rows = new Map<string, z.infer<typeof Row>>();
  let { after } = query;
  for (let page = 0; page < PAGES; page++) {
    const next = await client.read(
      "/v2/orders",
      Page,
      { ...query, after, nested: "true", direction: "asc", limit: PAGE },
      asked,
    );
    const fresh = next.filter(({ id }) => !rows.has(id));
    for (const row of fresh) rows.set(row.id, row);
    const last = next.at(-1);
    if (next.length < PAGE || last === undefined || fresh.length === 0) return [...rows.values()];
    // what comes after is without the moment itself, which is told to the nanosecond
    after = new Date(Date.parse(last.submitted_at) - 1).toISOString();
  }
  throw new ToolError("UPSTREAM_UNAVAILABLE", "The account at Alpaca has more orders than are read at once", {
    cause: new ProviderFailure("malformed", "too many pages"),
  });
}
