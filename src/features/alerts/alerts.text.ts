import type { Delivery, Subscription } from "../../domain/alerts/alerts.ts";
import type { SignalChange, Verdict } from "../../domain/alerts/changes.ts";
import type { Paint } from "../../domain/terminal.ts";
import { rounded } from "../../lib/rounded.ts";
import { formatDriverMoves, formatSignalChange } from "./alert-message.text.ts";
import type { Comparison } from "./what-changed.ts";

const formatCondition = ({ condition, timeframe }: Subscription): string => {
  const { on, changes, above, below, rule } = condition;
  if (on === "signal") return `${changes.join(" or ")} of the ${timeframe} signal`;
  if (on === "rule") return `${rule} on ${timeframe} bars`;
  return [
    ...(above === null ? [] : [`above ${above} USD`]),
    ...(below === null ? [] : [`below ${below} USD`]),
  ].join(" or ");
};

/** A subscription as a person reads it. */
export function formatSubscription(one: Subscription, paint: Paint): readonly string[] {
  const goes =
    one.channel === "none" ? "kept" : `${one.channel}${one.target === null ? "" : ` ${one.target}`}`;
  const state = paint(one.state === "active" ? "green" : "yellow", one.state);
  return [
    `${paint("bold", one.subscription_id)} ${state}${one.name === null ? "" : ` ${one.name}`}`,
    `  ${one.watchlist === null ? "" : `${one.watchlist}: `}${one.symbols.join(", ")}`,
    `  ${formatCondition(one)}, ${goes}`,
    ...(one.reason === null ? [] : [paint("yellow", `  ${one.reason}`)]),
  ];
}

const STATE_COLOURS = {
  waiting: "yellow",
  sending: "yellow",
  delivered: "green",
  undelivered: "red",
  kept: "dim",
} as const;

/** An alert and what became of it as a person reads it. */
export function formatDelivery(
  { state, reason, channel, alert, attempts }: Delivery,
  paint: Paint,
): readonly string[] {
  const last = attempts.at(-1);
  return [
    `${paint(STATE_COLOURS[state], state)} ${alert.fired_at} ${channel}`,
    `  ${alert.text}`,
    ...(last === undefined
      ? []
      : [
          paint(
            "dim",
            `  ${attempts.length} attempts, the last at ${last.at}: ${last.status ?? "no answer"}`,
          ),
        ]),
    ...(reason === null ? [] : [paint("yellow", `  ${reason}`)]),
  ];
}

const formatVerdict = ({ direction, grade, score }: Verdict): string =>
  [direction, ...(grade === null ? [] : [grade]), ...(score === null ? [] : [rounded(score, 1)])].join(" ");

function formatComparison({
  symbol,
  timeframe,
  before,
  after,
  changed,
  drivers,
  reason,
}: Comparison): string {
  if (before === null || after === null) return `${symbol} ${timeframe}: ${reason}`;
  if (changed.length === 0)
    return `${symbol} ${timeframe}: unchanged, ${formatVerdict(after)} as at ${before.decided_at}`;
  const moved = drivers.length === 0 ? "" : `; moved most: ${formatDriverMoves(drivers)}`;
  return `${symbol} ${timeframe}: ${changed.join(" and ")} changed, ${formatVerdict(before)} at ${before.decided_at} to ${formatVerdict(after)} at ${after.decided_at}${moved}`;
}

/** An answer of changes as a person reads it. */
export const formatChanges = (
  told: {
    readonly since: string | null;
    readonly changes: readonly SignalChange[];
    readonly compared: readonly Comparison[];
    readonly notes: readonly string[];
    readonly cursor: string;
    readonly more: boolean;
  },
  paint: Paint,
): string =>
  [
    ...told.changes.map(formatSignalChange),
    ...(told.changes.length > 0
      ? []
      : [
          told.compared.some(({ changed }) => changed.length > 0)
            ? "Not watched all the time: the signal of then beside that of now"
            : `No change was noticed${told.since === null ? "" : ` since ${told.since}`}`,
        ]),
    ...told.compared.map(formatComparison),
    ...told.notes.map((note) => paint("dim", note)),
    ...(told.more ? [paint("dim", `more: --after ${told.cursor}`)] : []),
  ].join("\n");
