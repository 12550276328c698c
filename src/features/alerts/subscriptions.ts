import pLimit from "p-limit";
import { ruleOf } from "../../analytics/conditions/rule.ts";
import type { Subscription } from "../../domain/alerts/alerts.ts";
import type {
  NewSubscription,
  ReceiverRequest,
  SubscriptionRepository,
  Subscriptions,
} from "../../domain/alerts/alerts-port.ts";
import type { Mailer } from "../../domain/alerts/mail-port.ts";
import type { OutboundClient } from "../../domain/alerts/outbound-client-port.ts";
import { parseReceiver, secretNameOf, serializeReceiver } from "../../domain/alerts/receiver.ts";
import type { Secrets } from "../../domain/vault/secrets-port.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
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
  /** Returns the active subscription of an account for the same to the same receiver; null for none. */
  async function findEqual(account: string, { subscription, receiver }: Omit<NewSubscription, "seen">) {
    const [subject, destination] = [subjectOf(subscription), destinationOf(receiver)].map(canonicalJson);
    for (const stored of await rows.list(account)) {
      if (stored.state !== "active" || stored.channel !== subscription.channel) continue;
      if (canonicalJson(subjectOf(stored)) !== subject) continue;
      if (stored.channel === "none") return stored;
      const sealed = await secrets.open(account, secretNameOf(stored.subscription_id));
      if (sealed !== null && canonicalJson(destinationOf(parseReceiver(sealed))) === destination)
        return stored;
    }
    return null;
  }
  async function addOrFind(account: string, { subscription, seen, receiver }: NewSubscription) {
    const equal = await findEqual(account, { subscription, receiver });
    if (equal !== null) return { subscription: equal, signing_secret: null };
    if (subscription.channel === "none") {
      await rows.add(account, { subscription, seen });
      return { subscription, signing_secret: null };
    }
    const signing_secret = subscription.channel === "webhook" ? newSigningSecret() : null;
    const name = secretNameOf(subscription.subscription_id);
    await secrets.save(account, name, serializeReceiver({ ...receiver, signing_secret }));
    try {
      await rows.add(account, { subscription, seen });
    } catch (cause) {
      await secrets.remove(account, name);
      throw cause;
    }
    return { subscription, signing_secret };
  }
  // so that equal requests at once add one; two processes may still add one each
  const oneAtATime = pLimit(1);

  return {
    deliveries,
    find: (account, id) => rows.find(account, id),
    list: (account) => rows.list(account),

    async add(account, request) {
      const { subscription, receiver } = request;
      if (subscription.channel === "email") mailer.check(receiver.email ?? "");
      else if (subscription.channel !== "none") await post.check(receiver.url ?? TELEGRAM_API_URL);
      return oneAtATime(() => addOrFind(account, request));
    },

    async remove(account, id) {
      const found = await rows.find(account, id);
      const removed = await rows.remove(account, id);
      if (found !== null && found.channel !== "none") await secrets.remove(account, secretNameOf(id));
      return removed;
    },
  };
}

/** What a subscription watches. A watchlist stands for its symbols; a confirmation has no timeframe. */
const subjectOf = ({ symbols, watchlist, timeframe, condition }: Subscription) => [
  watchlist ?? symbols.toSorted(),
  watchlist !== null,
  condition.on === "confirmation" ? null : timeframe,
  { ...condition, rule: condition.rule === null ? null : parsedRule(condition.rule) },
];

/** Returns a rule as its conditions, so that other spaces make no other rule; its text if it cannot be parsed. */
function parsedRule(text: string): unknown {
  const rule = ruleOf(text);
  return "plan" in rule ? { terms: rule.plan.terms, entry: rule.plan.entry } : text;
}

const destinationOf = ({ url, bot_token, chat_id, email = null }: ReceiverRequest) => [
  url,
  bot_token,
  chat_id,
  email,
];
