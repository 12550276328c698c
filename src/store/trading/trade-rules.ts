import type { Kysely } from "kysely";
import { RiskLimits } from "../../domain/trading/risk.ts";
import type { TradeRules } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { deleteRows, findRow, upsert } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";

const StoredLimits = RiskLimits.partial();

/**
 * Creates the repository of risk limits and kill switches: one of each per account, for all markets and connections.
 * Rejects when stored limits cannot be read, so that nothing is sent.
 */
export function tradeRules({
  db,
  defaults,
}: {
  readonly db: Kysely<Schema>;
  readonly defaults: RiskLimits;
}): TradeRules {
  const setIn = async (on: Kysely<Schema>, account: string) => {
    const row = await findRow(on, "risk_limits", { account });
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
      accountTransaction(db, account, async (tx) => {
        if (change === null) {
          await deleteRows(tx, "risk_limits", { account });
          return defaults;
        }
        const set = withoutUndefined(StoredLimits.parse({ ...(await setIn(tx, account))?.set, ...change }));
        await upsert(tx, "risk_limits", { account }, { limits: JSON.stringify(set), set_at: at });
        return { ...defaults, ...set };
      }),

    async killSwitch(account) {
      const row = await findRow(db, "kill_switches", { account });
      if (row === undefined) return { engaged: false, since: null, reason: null };
      return { engaged: row.engaged !== 0, since: row.since, reason: row.reason };
    },

    async setKillSwitch(account, { engaged, since, reason }) {
      if (since === null) throw new Error("The time of the kill switch is missing");
      // once it is set, no order is begun that had read it as it was
      await accountTransaction(db, account, (tx) =>
        upsert(tx, "kill_switches", { account }, { engaged: engaged ? 1 : 0, since, reason }),
      );
    },
  };
}

const withoutUndefined = (set: Readonly<Record<string, unknown>>): Partial<RiskLimits> =>
  Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));

const unreadableLimitsError = (): ToolError =>
  new ToolError("INTERNAL", "The limits of this account cannot be read", {
    hint: "The owner of the server restores the defaults.",
    command: "market-signal limits reset",
  });
