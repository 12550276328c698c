import { AlertFired, Delivery } from "../../domain/alerts/alerts.ts";
import type { Subscriptions } from "../../domain/alerts/alerts-port.ts";
import { compare, listRows, type MarketDb } from "../queries.ts";
import { readRow } from "../row-schemas.ts";

/** Maximum number of attempts returned per delivery, the newest. */
const MAX_ATTEMPTS_SHOWN = 20;

/** Creates the delivery log of one market: deliveries by account, newest first. */
export function deliveryLog({ db, market }: MarketDb): Pick<Subscriptions, "deliveries"> {
  return {
    async deliveries(account, { subscription, state, from, until, limit }) {
      const made_at = compare({
        ...(from != null && { ">=": new Date(from).toISOString() }),
        ...(until !== undefined && { "<=": new Date(until).toISOString() }),
      });
      const filter = {
        account,
        market,
        made_at,
        ...(subscription && { subscription }),
        ...(state && { state }),
      };
      const rows = await listRows(db, "deliveries", filter, { order: ["made_at desc", "seq desc"], limit });
      const delivery = rows.map(({ id }) => id);
      const attempts = await listRows(db, "delivery_attempts", { delivery }, { order: ["number"] });
      return rows.flatMap((row) => {
        const alert = readRow(AlertFired, row.alert);
        if (alert === null) return [];
        const own = attempts.filter(({ delivery }) => delivery === row.id).slice(-MAX_ATTEMPTS_SHOWN);
        const due = row.state === "waiting" ? row.next_at : null;
        return Delivery.parse({
          delivery_id: row.id,
          subscription_id: row.subscription,
          channel: row.channel,
          target: row.target,
          state: row.state,
          reason: row.reason,
          alert,
          next_attempt_at: due === null ? null : new Date(due).toISOString(),
          attempts: own.map(({ at, status, reason, ms }) => ({ at, status, reason, ms })),
        });
      });
    },
  };
}
