import type { AlertFired } from "../../domain/alerts/alerts.ts";
import type { SubscriptionRepository, WatchUpdate } from "../../domain/alerts/alerts-port.ts";
import type { Clock, Ids, Log } from "../../domain/ports.ts";

interface NoticeDeps {
  readonly subscriptions: Pick<SubscriptionRepository, "list">;
  readonly alerts: { add(alerts: WatchUpdate["alerts"], at: number): Promise<number> };
  /** Sends what is due now. */
  readonly wake: () => void;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly market: AlertFired["market"];
}

/**
 * Creates a function that sends an account's subscriptions to confirmations the message that something waits. `symbol`:
 * null for a request without one. Logs a failure and does not reject, because the request is stored.
 */
export const createConfirmationNotices =
  ({ subscriptions, alerts, wake, clock, ids, log, market }: NoticeDeps) =>
  async (account: string, { symbol, text }: { readonly symbol: string | null; readonly text: string }) => {
    try {
      const now = clock.now();
      const at = now.toISOString();
      const wanted = (await subscriptions.list(account)).filter(
        ({ condition, state }) => condition.on === "confirmation" && state === "active",
      );
      const added = await alerts.add(
        wanted.map(({ subscription_id }) => ({
          account,
          alert: {
            alert_id: ids.uuid(),
            subscription_id,
            symbol,
            timeframe: null,
            fired_at: at,
            as_of: at,
            text,
            change: null,
            figures: {},
            source: "market-signal",
            market,
          },
        })),
        now.getTime(),
      );
      if (added > 0) wake();
    } catch (cause) {
      log.error("confirmation_notice", { account, cause });
    }
  };
