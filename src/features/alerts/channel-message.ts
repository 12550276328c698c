import type { AlertFired, Channel, Condition } from "../../domain/alerts/alerts.ts";
import type { Mail } from "../../domain/alerts/mail-port.ts";
import type { OutgoingRequest } from "../../domain/alerts/outbound-client-port.ts";
import { isBotToken, type Receiver } from "../../domain/alerts/receiver.ts";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { plainText } from "../../lib/plain-text.ts";
import { signatureHeaders } from "../../lib/webhook-signature.ts";

export const TELEGRAM_API_URL = "https://api.telegram.org";
const MAX_TEXT_LENGTH = 3_000;
/** Title of a message that something waits for a person. */
const CONFIRMATION_TITLE = "Market Signal: confirmation needed";

/** An alert with its channel, its receiver and the time at which it is sent. */
export interface OutgoingAlert {
  readonly alert: AlertFired;
  readonly on: Condition["on"];
  readonly channel: Channel;
  readonly receiver: Receiver;
  readonly at: Date;
}

/** Builds the request for a channel; null when the receiver is incomplete or the channel takes none. */
export function formatChannelMessage(
  outgoing: OutgoingAlert,
): Pick<OutgoingRequest, "url" | "headers" | "body"> | null {
  switch (outgoing.channel) {
    case "webhook":
      return webhook(outgoing);
    case "ntfy":
      return ntfy(outgoing);
    case "telegram":
      return telegram(outgoing);
    case "slack":
      return slack(outgoing);
    case "email":
    case "none":
      return null;
  }
}

/** Formats an alert as text; sample data is labelled first. */
export const formatAlertText = ({ market, text }: AlertFired): string =>
  plainText(`${market === "sample" ? `${SAMPLE_LABEL} | ` : ""}${text}`, MAX_TEXT_LENGTH);

const json = (value: unknown) => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

/** Builds a webhook request. Body and id are the same at every attempt; only time and signature change. */
function webhook({ alert, on, receiver: { url, signing_secret }, at }: OutgoingAlert) {
  if (url === null || signing_secret === null) return null;
  const { market } = alert;
  const label = market === "sample" ? SAMPLE_LABEL : null;
  const { headers, body } = json({ type: `alert.${on}`, market, label, alert });
  const signed = signatureHeaders({ id: alert.alert_id, at, body }, signing_secret);
  return { url, headers: { ...headers, ...signed }, body };
}

/** Builds an ntfy request: headers Title and Tags, text as body. @see ntfy, publishing */
function ntfy({ alert, on, receiver: { url, bot_token } }: OutgoingAlert) {
  if (url === null) return null;
  const { market, change } = alert;
  const simulated = market === "sample";
  const tag = change === null ? "bell" : DIRECTION_TAGS[change.after.direction];
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    title: titleOf(alert, on),
    tags: [tag, ...(simulated ? ["sample"] : [])].join(","),
    ...(bot_token !== null && { authorization: `Bearer ${bot_token}` }),
  };
  return { url, headers, body: formatAlertText(alert) };
}

/** Returns the title of an alert in printable ASCII, so that it fits a header. */
function titleOf({ symbol, timeframe, market }: AlertFired, on: Condition["on"]): string {
  const subject = on === "confirmation" ? CONFIRMATION_TITLE : `${symbol} ${timeframe}`;
  return toAscii(`${market === "sample" ? `${SAMPLE_LABEL} | ` : ""}${subject}`);
}

/** Builds the mail of an alert. */
export const formatMail = ({
  alert,
  on,
  to,
}: Pick<OutgoingAlert, "alert" | "on"> & { readonly to: string }): Mail => ({
  to,
  subject: titleOf(alert, on),
  text: `${formatAlertText(alert)}\n`,
  id: alert.alert_id,
});

/** Emoji names of ntfy, by direction. */
const DIRECTION_TAGS = {
  LONG: "chart_with_upwards_trend",
  SHORT: "chart_with_downwards_trend",
  WAIT: "hourglass_flowing_sand",
} as const satisfies Record<NonNullable<AlertFired["change"]>["after"]["direction"], string>;

/**
 * Builds a Telegram request in plain text: without a parse mode, Telegram reads no markup. @see Telegram Bot API,
 * sendMessage
 */
function telegram({ alert, receiver: { bot_token, chat_id } }: OutgoingAlert) {
  // the token becomes part of the URL path
  if (bot_token === null || chat_id === null || !isBotToken(bot_token)) return null;
  const text = formatAlertText(alert);
  return {
    url: `${TELEGRAM_API_URL}/bot${bot_token}/sendMessage`,
    ...json({ chat_id, text, link_preview_options: { is_disabled: true } }),
  };
}

/** Builds a Slack request. Only &, < and > are escaped. @see Slack, formatting text: escaping */
function slack({ alert, receiver: { url } }: OutgoingAlert) {
  if (url === null) return null;
  const text = formatAlertText(alert)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
  return { url, ...json({ text }) };
}

const toAscii = (text: string): string => text.replace(/[^ -~]/g, "?");
