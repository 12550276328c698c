/** Destination of a subscription's alerts with its credentials, stored encrypted under `secretNameOf`. */
export interface Receiver {
  /** URL of a webhook, an ntfy topic or a Slack webhook; null for Telegram. */
  readonly url: string | null;
  /** Secret (`whsec_...`) that signs webhooks; null for other channels. */
  readonly signing_secret: string | null;
  /** Token of a Telegram bot, or access token of a protected ntfy topic. */
  readonly bot_token: string | null;
  readonly chat_id: string | null;
  /** Address of a mailbox. Default: none. */
  readonly email?: string | null;
}

/** Returns the name under which the receiver is stored among the secrets of the account. */
export const secretNameOf = (subscriptionId: string): string => `subscription|${subscriptionId}`;

/** Serializes a receiver as the text to encrypt. */
export const serializeReceiver = ({
  url,
  signing_secret,
  bot_token,
  chat_id,
  email = null,
}: Receiver): string => JSON.stringify({ url, signing_secret, bot_token, chat_id, email } satisfies Receiver);

/** Parses a receiver serialized by `serializeReceiver`. */
export const parseReceiver = (text: string): Receiver => JSON.parse(text) as Receiver;

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Returns true if this HTTP status means that the receiver will also refuse later attempts. */
export const isPermanentRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && !RETRYABLE_STATUSES.has(status);

/** Returns true when a text has the form of a Telegram bot token. */
export const isBotToken = (text: string): boolean => /^\d{1,20}:[\w-]{20,100}$/.test(text);
