import type { SubscriptionRepository, Subscriptions } from "../../domain/alerts/alerts-port.ts";
import type { Mailer } from "../../domain/alerts/mail-port.ts";
import type { OutboundClient } from "../../domain/alerts/outbound-client-port.ts";
import { secretNameOf, serializeReceiver } from "../../domain/alerts/receiver.ts";
import type { Secrets } from "../../domain/vault/secrets-port.ts";
import { newSigningSecret } from "../../lib/webhook-signature.ts";
import { TELEGRAM_API_URL } from "./channel-message.ts";

/**
 * Creates the store of subscriptions, which encrypts their receivers. Rejects a subscription whose URL is not allowed.
 */
export function createSubscriptions({
  rows,
  deliveries,
  secrets,
  post,
  mailer,
}: {
  readonly rows: SubscriptionRepository;
  readonly deliveries: Subscriptions["deliveries"];
  readonly secrets: Secrets;
  readonly post: Pick<OutboundClient, "check">;
  readonly mailer: Pick<Mailer, "check">;
}): Subscriptions {
  return {
    deliveries,
    find: (account, id) => rows.find(account, id),
    list: (account) => rows.list(account),

    async add(account, { subscription, seen, receiver }) {
      if (subscription.channel === "none") {
        await rows.add(account, { subscription, seen });
        return { signing_secret: null };
      }
      if (subscription.channel === "email") mailer.check(receiver.email ?? "");
      else await post.check(receiver.url ?? TELEGRAM_API_URL);
      const signing_secret = subscription.channel === "webhook" ? newSigningSecret() : null;
      const name = secretNameOf(subscription.subscription_id);
      await secrets.save(account, name, serializeReceiver({ ...receiver, signing_secret }));
      try {
        await rows.add(account, { subscription, seen });
      } catch (cause) {
        await secrets.remove(account, name);
        throw cause;
      }
      return { signing_secret };
    },

    async remove(account, id) {
      const found = await rows.find(account, id);
      const removed = await rows.remove(account, id);
      if (found !== null && found.channel !== "none") await secrets.remove(account, secretNameOf(id));
      return removed;
    },
  };
}
