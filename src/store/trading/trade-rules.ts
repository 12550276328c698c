import type { Kysely } from "kysely";
import { RiskLimits } from "../../domain/trading/risk.ts";
import type { TradeRules } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

const StoredLimits = RiskLimits.partial();

/**
 * Limits and kill switches of accounts in the store: one of each for an account, whatever the market and the connection.
 * Limits that cannot be read are no limits: they reject, and so nothing is sent.
 */
export function tradeRules({
  db,
  defaults,
}: {
  readonly db: Kysely<Schema>;
  /** Limits that apply unless set. */
  readonly defaults: RiskLimits;
}): TradeRules {
  const setIn = async (on: Kysely<Schema>, account: string) => {
    const row = await on
      .selectFrom("risk_limits")
      .selectAll()
      .where("account", "=", account)
      .executeTakeFirst();
    if (row === undefined) return null;
    const set = readRow(StoredLimits, row.limits);
    if (set === null) throw unreadableLimitsError();
    return { set: withoutUndefined(set), at: row.set_at };
  };
  return {
    async limits(account) {
      const found = await setIn(db, account);
      const set = found?.set ?? {};
      return { limits: { ...defaults, ...set }, set, setAt: found?.at ?? null };
    },

    setLimits: (account, change, at) =>
      db.transaction().execute(async (tx) => {
        if (change === null) {
          await tx.deleteFrom("risk_limits").where("account", "=", account).execute();
          return defaults;
        }
        const set = withoutUndefined(StoredLimits.parse({ ...(await setIn(tx, account))?.set, ...change }));
        const row = { limits: JSON.stringify(set), set_at: at };
        await tx
          .insertInto("risk_limits")
          .values({ account, ...row })
          .onConflict((conflict) => conflict.column("account").doUpdateSet(row))
          .execute();
        return { ...defaults, ...set };
      }),

    async killSwitch(account) {
      const row = await db
        .selectFrom("kill_switches")
        .selectAll()
        .where("account", "=", account)
        .executeTakeFirst();
      if (row === undefined) return { engaged: false, since: null, reason: null };
      return { engaged: row.engaged !== 0, since: row.since, reason: row.reason };
    },

    async setKillSwitch(account, { engaged, since, reason }) {
      if (since === null) throw new Error("The time of the kill switch is missing");
      const row = { engaged: engaged ? 1 : 0, since, reason };
      await db
        .insertInto("kill_switches")
        .values({ account, ...row })
        .onConflict((conflict) => conflict.column("account").doUpdateSet(row))
        .execute();
    },
  };
}

/** Removes undefined values. */
const withoutUndefined = (set: Readonly<Record<string, unknown>>): Partial<RiskLimits> =>
  Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));

const unreadableLimitsError = (): ToolError =>
  new ToolError("INTERNAL", "The limits of this account cannot be read", {
    hint: "The server owner restores the defaults with `market-signal limits reset`.",
  });
