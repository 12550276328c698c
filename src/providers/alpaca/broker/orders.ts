import { z } from "zod";
import type { CallOptions } from "../../../domain/ports.ts";
import { ProviderFailure } from "../../../domain/providers/price-provider.ts";
import { mayFill } from "../../../domain/trading/trading.ts";
import type { BrokerOrder } from "../../../domain/trading/trading-port.ts";
import { ToolError } from "../../../kernel/errors.ts";
import type { AlpacaClient } from "./client.ts";
import { toBrokerOrders } from "./order.ts";
import { Order, OtherOrder, statusOf } from "./wire.ts";

const PAGE_SIZE = 500;
const MAX_PAGES = 20;
/** Maximum age of an entry for which changed exits are still returned, ms. */
const HISTORY_MS = 30 * 86_400_000;

const Row = z.union([Order, OtherOrder]);
const Page = z.array(Row);

/**
 * Returns all working orders, and those created or changed (within 30 days of creation) at or after `since`
 * (ISO 8601); oldest first, legs after their entry. Orders of options and new issues are dropped.
 */
export async function ordersSince(
  client: AlpacaClient,
  since: string,
  canonical: (symbol: string, kind: string) => string,
  options: CallOptions,
): Promise<readonly BrokerOrder[]> {
  const from = new Date(Math.max(0, Date.parse(since) - HISTORY_MS)).toISOString();
  // working orders are read first, so that an order that ends between the two reads is not missed
  const open = await readPages(client, { status: "open" }, options);
  const closed = await readPages(client, { status: "closed", after: from }, options);
  const rows = new Map([...open, ...closed].map((row) => [row.id, row]));
  const orders = [...rows.values()]
    .sort((a, b) => (a.submitted_at < b.submitted_at ? -1 : a.submitted_at > b.submitted_at ? 1 : 0))
    .flatMap((row) => (isOurs(row) ? [row] : []))
    .filter(
      ({ id, submitted_at, legs, updated_at }) =>
        open.some((row) => row.id === id) ||
        (legs ?? []).some((leg) => mayFill(statusOf(leg))) ||
        [submitted_at, updated_at, ...(legs ?? []).map((leg) => leg.updated_at)].some((at) => at >= since),
    )
    .flatMap((row) => toBrokerOrders(row, canonical, { nested: true }));
  // a working leg may appear a second time, without its entry
  const entries = new Map(orders.flatMap(({ id, entry }) => (entry === null ? [] : [[id, entry]])));
  return [
    ...new Map(
      orders.map((order) => [order.id, { ...order, entry: entries.get(order.id) ?? null }]),
    ).values(),
  ];
}

const isOurs = (row: z.infer<typeof Row>): row is Order => "filled_qty" in row;

/** Reads all pages, oldest first. Rejects if there are more pages than the maximum. */
async function readPages(
  client: AlpacaClient,
  query: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<z.infer<typeof Page>> {
  const rows = new Map<string, z.infer<typeof Row>>();
  let { after } = query;
  for (let page = 0; page < MAX_PAGES; page++) {
    const next = await client.read(
      "/v2/orders",
      Page,
      { ...query, after, nested: "true", direction: "asc", limit: PAGE_SIZE },
      options,
    );
    const fresh = next.filter(({ id }) => !rows.has(id));
    for (const row of fresh) rows.set(row.id, row);
    const last = next.at(-1);
    if (next.length < PAGE_SIZE || last === undefined || fresh.length === 0) return [...rows.values()];
    // `after` is exclusive, and times have nanoseconds
    after = new Date(Date.parse(last.submitted_at) - 1).toISOString();
  }
  throw new ToolError(
    "UPSTREAM_UNAVAILABLE",
    "The account at Alpaca has more orders than can be read at once",
    { cause: new ProviderFailure("malformed", "too many pages") },
  );
}
