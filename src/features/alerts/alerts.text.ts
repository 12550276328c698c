import type { Delivery, Subscription } from "../../domain/alerts/alerts.ts";
import type { SignalChange, Verdict } from "../../domain/alerts/changes.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";
import { rounded } from "../../lib/rounded.ts";
import { formatDriverMoves, formatSignalChange } from "./alert-message.text.ts";
import type { SignalComparison } from "./what-changed.ts";

const formatCondition = ({ condition, timeframe }: Subscription): string => {
  const { on, changes, above, below, rule } = condition;
  if (on === "signal") return `${changes.join(" or ")} of the ${timeframe} signal`;
  if (on === "confirmation") return "something waits for a person's confirmation";
  if (on === "rule") return `${rule} on ${timeframe} bars`;
  return [
    ...(above === null ? [] : [`above ${above} USD`]),
    ...(below === null ? [] : [`below ${below} USD`]),
  ].join(" or ");
};

export function formatSubscription(subscription: Subscription, paint: Paint): readonly string[] {
  const destination =
    subscription.channel === "none"
      ? "no channel"
      : `${subscription.channel}${subscription.target === null ? "" : ` ${subscription.target}`}`;
  const state = paint(subscription.state === "active" ? "green" : "yellow", subscription.state);
  return [
    `${paint("bold", subscription.subscription_id)} ${state}${subscription.name === null ? "" : ` ${subscription.name}`}`,
    ...(subscription.condition.on === "confirmation"
      ? []
      : [
          `  ${subscription.watchlist === null ? "" : `${subscription.watchlist}: `}${subscription.symbols.join(", ")}`,
        ]),
    `  ${formatCondition(subscription)}, ${destination}`,
    ...(subscription.reason === null ? [] : [paint("yellow", `  ${subscription.reason}`)]),
  ];
}

const STATE_COLOURS = {
  waiting: "yellow",
  sending: "yellow",
  delivered: "green",
  undelivered: "red",
  stored: "dim",
} as const;

export function formatDelivery(
  { state, reason, channel, alert, attempts }: Delivery,
  paint: Paint,
): readonly string[] {
  const attempted = attempts
    .slice(-1)
    .map(({ at, status }) => `  ${attempts.length} attempts, the last at ${at}: ${status ?? "no response"}`);
  return [
    `${paint(STATE_COLOURS[state], state)} ${alert.fired_at} ${channel}`,
    `  ${alert.text}`,
    ...attempted.map((line) => paint("dim", line)),
    ...(reason === null ? [] : [paint("yellow", `  ${reason}`)]),
  ];
}

const formatVerdict = ({ direction, grade, score }: Verdict): string =>
  [direction, ...(grade === null ? [] : [grade]), ...(score === null ? [] : [rounded(score, 1)])].join(" ");

function formatComparison(comparison: SignalComparison): string {
  const { symbol, timeframe, before, after, changed, drivers, reason } = comparison;
  if (before === null || after === null) return `${symbol} ${timeframe}: ${reason}`;
  if (changed.length === 0)
    return `${symbol} ${timeframe}: ${formatVerdict(after)}, same direction and grade as at ${before.decided_at}`;
  const moved = drivers.length === 0 ? "" : `; largest changes: ${formatDriverMoves(drivers)}`;
  return `${symbol} ${timeframe}: ${changed.join(" and ")} changed, ${formatVerdict(before)} at ${before.decided_at} to ${formatVerdict(after)} at ${after.decided_at}${moved}`;
}

export const formatChanges = (
  answer: {
    readonly since: string | null;
    readonly changes: readonly SignalChange[];
    readonly compared: readonly SignalComparison[];
    readonly notes: readonly string[];
    readonly cursor: string;
    readonly more: boolean;
  },
  paint: Paint,
): string =>
  [
    ...answer.changes.map(formatSignalChange),
    ...(answer.changes.length > 0
      ? []
      : [
          answer.compared.some(({ changed }) => changed.length > 0)
            ? "Not watched continuously: the past signal is compared with the current one"
            : `No change was detected${answer.since === null ? "" : ` since ${answer.since}`}`,
        ]),
    ...answer.compared.map(formatComparison),
    ...answer.notes.map((note) => paint("dim", note)),
    ...nextPageLine(answer.more ? answer.cursor : null, paint, "after"),
  ].join("\n");
