import type { CongressTrade, Lean } from "../../domain/congress/congress.ts";
import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";

const COLOUR = { buy: "green", sell: "red", exchange: "yellow" } as const;
const LEAN_COLOUR = { BUYING: "green", SELLING: "red", NEUTRAL: "yellow" } as const;
const MAX_TEXT_LENGTH = 60;

/** Formats disclosures as a table, in the given order. */
export const formatDisclosures = (trades: readonly CongressTrade[], paint: Paint): readonly string[] =>
  trades.length === 0
    ? []
    : [paint("dim", QUOTED_TEXT_NOTICE), ...formatTable(trades, columnsOf(paint), paint)];

const columnsOf = (paint: Paint): readonly Column<CongressTrade>[] => [
  { head: "filed", cell: ({ filing_date }) => filing_date },
  { head: "traded", cell: ({ transaction_date }) => transaction_date ?? "-", rank: 1 },
  { head: "ticker", cell: ({ ticker }) => ticker ?? "-" },
  { head: "type", cell: ({ type }) => paint(COLOUR[type], type) },
  { head: "amount", cell: ({ amount }) => amount?.label ?? "-" },
  { head: "chamber", cell: ({ chamber }) => chamber, rank: 2 },
  {
    head: "who",
    cell: ({ member, party, state }) =>
      `${quoted(member, MAX_TEXT_LENGTH)} (${[party, state].filter((one) => one !== null).join("-") || "?"})`,
  },
];

export function formatLean({ signal, lean, members, usd, reason }: Lean, paint: Paint): readonly string[] {
  const counted =
    members === null || usd === null
      ? ""
      : `  lean ${lean === null ? "-" : lean.toFixed(4)} of -1 to 1; ${members.buying} members bought, ${members.selling} sold; net ${formatDollars(usd.net)}`;
  const verdict = signal === null ? paint("yellow", "no signal") : paint(LEAN_COLOUR[signal], signal);
  return [`${verdict}${counted}`, ...(reason === null ? [] : [paint("dim", reason)])];
}

/** Formats an amount rounded to whole dollars. */
export const formatDollars = (usd: number): string =>
  `${usd < 0 ? "-" : ""}$${String(Math.round(Math.abs(usd))).replace(/\B(?=(\d{3})+$)/g, ",")}`;
