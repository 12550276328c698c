import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { z } from "zod";
import { planOfClaim } from "../../domain/claims/claim-state.ts";
import type { Clock } from "../../domain/ports.ts";
import type { CallRepository, DueCall } from "../../domain/track-record/calls-port.ts";
import { type CallPlan, CallResult, CheckedOrder } from "../../domain/track-record/calls-port.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { ClaimTerms } from "../claims/claims.ts";
import { compare, insertMissing, listRows, type MarketDb, updateRows, upsert } from "../queries.ts";
import type { Schema } from "../schema.ts";

/** Rows read before yielding to the event loop. */
const PAGE_SIZE = 500;

const OrderTerms = CheckedOrder.pick({ plan: true, version: true, odds: true, base: true });
/** Reads the plan of the stored terms of each table. */
const PLANS = {
  checked_orders: OrderTerms.transform(({ plan }) => plan),
  claims: ClaimTerms.transform(planOfClaim),
} as const satisfies Record<DueCall["table"], z.ZodType<CallPlan>>;
type CallTable = keyof typeof PLANS;

/** Creates the repository of the checked orders and claims of one market that wait for their bars. */
export const callRepository = ({
  db,
  market,
  clock,
}: MarketDb & { readonly clock: Clock }): CallRepository => ({
  async logChecks(orders) {
    const rows = orders.map(({ account, plan, version, odds, base, ...head }) => ({
      ...head,
      id: orderId([market, account, head.symbol, head.decided_at, head.until, JSON.stringify(plan)]),
      market,
      json: JSON.stringify({ plan, version, odds, base }),
      result: null,
      settled_at: null,
    }));
    await insertMissing(db, "checked_orders", rows);
  },

  async due(now) {
    const before = {
      market,
      settled_at: null,
      until: compare<string>({ "<=": new Date(now).toISOString() }),
    };
    const found: DueCall[] = [];
    for (const name of Object.keys(PLANS) as CallTable[]) {
      for (const { json, ...row } of await dueRows(db, name, before)) {
        const plan = PLANS[name].safeParse(JSON.parse(json)).data;
        if (plan !== undefined) found.push({ ...row, table: name, plan });
      }
      await yieldToEventLoop();
    }
    return found;
  },

  settle: (results) =>
    db.transaction().execute(async (tx) => {
      const settled_at = clock.now().toISOString();
      let added = 0;
      for (const { table: name, id, result } of results)
        added += await updateRows(
          tx,
          name,
          { market, id, settled_at: null },
          { settled_at, result: JSON.stringify(result) },
        );
      return added;
    }),

  async *settledChecks() {
    let after = "";
    for (;;) {
      const rows = await listRows(
        db,
        "checked_orders",
        { market, settled_at: compare<string | null>({ "!=": null }), id: compare<string>({ ">": after }) },
        { order: ["id"], limit: PAGE_SIZE },
      );
      yield rows.flatMap(({ json, result, ...head }) => {
        const terms = OrderTerms.safeParse(JSON.parse(json)).data;
        const order = CheckedOrder.safeParse({ ...head, ...terms }).data;
        const found = CallResult.safeParse(JSON.parse(result ?? "null")).data;
        return order === undefined || found === undefined ? [] : [{ ...order, result: found }];
      });
      const last = rows.length < PAGE_SIZE ? undefined : rows.at(-1);
      if (last === undefined) return;
      after = last.id;
      await yieldToEventLoop();
    }
  },

  publishChecks: (record) =>
    upsert(
      db,
      "check_records",
      { market },
      { computed_at: record.computed_at, json: JSON.stringify(record) },
    ),
});

const dueRows = (
  db: Kysely<Schema>,
  name: CallTable,
  filter: Parameters<typeof listRows<CallTable>>[2],
): Promise<
  readonly Pick<
    Schema["claims"],
    "id" | "symbol" | "recorded_at" | "until" | "decided_at" | "close" | "json"
  >[]
> =>
  listRows<CallTable, "id" | "symbol" | "recorded_at" | "until" | "decided_at" | "close" | "json">(
    db,
    name,
    filter,
    {
      columns: ["id", "symbol", "recorded_at", "until", "decided_at", "close", "json"],
      order: ["until", "id"],
    },
  );

const orderId = (parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 24);
