import type { CongressTrade, Lean } from "../../domain/congress/congress.ts";
import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import type { Paint } from "../../domain/terminal.ts";

const COLOUR = { buy: "green", sell: "red", exchange: "yellow" } as const;
const LEAN_COLOUR = { BUYING: "green", SELLING: "red", NEUTRAL: "yellow" } as const;
const HEAD = ["filed", "traded", "ticker", "type", "amount", "chamber", "who"];
const COLUMN_WIDTHS = [12, 12, 9, 10, 26, 9];
const MAX_TEXT_LENGTH = 60;

/** Formats disclosures as a table, in the given order. */
export const formatDisclosures = (trades: readonly CongressTrade[], paint: Paint): readonly string[] =>
  trades.length === 0
    ? []
    : [
        paint("dim", QUOTED_TEXT_NOTICE),
        paint("dim", formatRow(HEAD)),
        ...trades.map((trade) => {
          const { filing_date, transaction_date, ticker, type, amount, chamber, party, state } = trade;
          const who = `${quoted(trade.member, MAX_TEXT_LENGTH)} (${[party, state].filter((one) => one !== null).join("-") || "?"})`;
          const cells = [filing_date, transaction_date ?? "-", ticker ?? "-"];
          const after = [amount?.label ?? "-", chamber, who];
          return `${formatRow(cells, COLUMN_WIDTHS)}${paint(COLOUR[type], type.padEnd(COLUMN_WIDTHS[3]!))}${formatRow(after, COLUMN_WIDTHS.slice(4))}`;
        }),
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

const formatRow = (cells: readonly string[], wide: readonly number[] = COLUMN_WIDTHS): string =>
  cells.map((cell, i) => (wide[i] === undefined ? cell : cell.padEnd(wide[i]))).join("");
