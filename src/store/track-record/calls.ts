import type { Kysely } from "kysely";
import type { z } from "zod";
import { planOfClaim } from "../../domain/claims/claim-state.ts";
import type { Clock } from "../../domain/ports.ts";
import {
  type AccountOrder,
  type CallPlan,
  type CallRepository,
  CallResult,
  CheckedOrder,
  type DueCall,
} from "../../domain/track-record/calls-port.ts";
import type { KeyedHash } from "../../domain/vault/secrets-port.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { StoredTerms } from "../claims/claims.ts";
import {
  compare,
  countRows,
  deleteRows,
  insertMissing,
  listRows,
  type MarketDb,
  updateRows,
  upsert,
} from "../queries.ts";
import type { Schema } from "../schema.ts";
import { storeTransaction } from "../transactions.ts";

/** Rows read or written before yielding to the event loop. */
const PAGE_SIZE = 500;
/** Maximum number of orders of one symbol and bar that are stored. */
const MAX_PER_BAR = 50;
/** Age, counted from the end of its horizon, at which a checked order is deleted. */
const MAX_AGE_MS = 2 * 365 * 86_400_000;

const OrderTerms = CheckedOrder.pick({ plan: true, version: true, odds: true, base: true });
/** Reads the plan of the stored terms of each table, in the order in which their calls are due. */
const PLANS = {
  claims: StoredTerms.transform(planOfClaim),
  checked_orders: OrderTerms.transform(({ plan }) => plan),
} as const satisfies Record<DueCall["table"], z.ZodType<CallPlan>>;
type CallTable = keyof typeof PLANS;

/** Creates the repository of the checked orders and claims of one market that wait for their bars. */
export const callRepository = ({
  db,
  market,
  clock,
  keyedHash,
}: MarketDb & {
  readonly clock: Clock;
  /** Hash of an order, from which its account cannot be guessed. */
  readonly keyedHash: KeyedHash;
}): CallRepository => {
  /** Returns the id of an order of an account; one at the market is the same at every price within a bar. */
  async function orderId(
    account: string,
    { symbol, decided_at, plan }: Pick<CheckedOrder, "symbol" | "decided_at" | "plan">,
  ) {
    const levels = plan.kind === "now" ? { ...plan, entry: 0 } : plan;
    const parts = [market, account, symbol, decided_at, JSON.stringify(levels)];
    return (await keyedHash(`checked order|${parts.join("\n")}`)).toString("hex").slice(0, 24);
  }

  return {
    async logChecks(orders) {
      const rowOf = async ({ account, plan, version, odds, base, ...head }: AccountOrder) => ({
        ...head,
        id: await orderId(account, { ...head, plan }),
        market,
        json: JSON.stringify({ plan, version, odds, base }),
        result: null,
        settled_at: null,
      });
      const rows = await Promise.all(orders.map(rowOf));
      await storeTransaction(db, async (tx) => {
        for (const row of rows) {
          const bar = { market, symbol: row.symbol, decided_at: row.decided_at };
          if ((await countRows(tx, "checked_orders", bar)) < MAX_PER_BAR)
            await insertMissing(tx, "checked_orders", [row]);
        }
      });
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

    async settle(results) {
      const now = clock.now();
      const settled_at = now.toISOString();
      let added = 0;
      for (let from = 0; from < results.length; from += PAGE_SIZE) {
        await storeTransaction(db, async (tx) => {
          for (const { table: name, id, result } of results.slice(from, from + PAGE_SIZE))
            added += await updateRows(
              tx,
              name,
              { market, id, settled_at: null },
              { settled_at, result: JSON.stringify(result) },
            );
        });
        await yieldToEventLoop();
      }
      const old = compare<string>({ "<": new Date(now.getTime() - MAX_AGE_MS).toISOString() });
      await deleteRows(db, "checked_orders", { market, until: old });
      return added;
    },

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
  };
};

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
