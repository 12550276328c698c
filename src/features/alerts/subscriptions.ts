import type { SubscriptionRows, Subscriptions } from "../../domain/alerts/alerts-port.ts";
import type { Post } from "../../domain/alerts/outgoing-port.ts";
import { sealedReceiver, secretNameOf } from "../../domain/alerts/receiver.ts";
import type { Secrets } from "../../domain/vault/secrets-port.ts";
import { newSigningSecret } from "../../lib/webhook-signature.ts";
import { TELEGRAM } from "./deliver-formats.ts";

/** Subscriptions with their receivers under seal. Nothing is kept of one whose address would never be sent to. */
export function subscriptionsOf({
  rows,
  deliveries,
  secrets,
  post,
}: {
  readonly rows: SubscriptionRows;
  readonly deliveries: Subscriptions["deliveries"];
  readonly secrets: Secrets;
  readonly post: Pick<Post, "check">;
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
      await post.check(receiver.url ?? TELEGRAM);
      const signing_secret = subscription.channel === "webhook" ? newSigningSecret() : null;
      const name = secretNameOf(subscription.subscription_id);
      await secrets.keep(account, name, sealedReceiver({ ...receiver, signing_secret }));
      try {
        await rows.add(account, { subscription, seen });
      } catch (cause) {
        await secrets.forget(account, name);
        throw cause;
      }
      return { signing_secret };
    },

    async remove(account, id) {
      const found = await rows.find(account, id);
      const removed = await rows.remove(account, id);
      if (found !== null && found.channel !== "none") await secrets.forget(account, secretNameOf(id));
      return removed;
    },
  };
}
