import type { CongressTrade, Lean } from "../../domain/congress/congress.ts";
import { QUOTED, quoted } from "../../domain/outside-text.ts";
import type { Paint } from "../../domain/terminal.ts";

const COLOUR = { buy: "green", sell: "red", exchange: "yellow" } as const;
const LEAN_COLOUR = { BUYING: "green", SELLING: "red", NEUTRAL: "yellow" } as const;
const HEAD = ["filed", "traded", "ticker", "type", "amount", "chamber", "who"];
const WIDE = [12, 12, 9, 10, 26, 9];
const LONGEST = 60;

/** Disclosures as a table, newest filing first. */
export const tradeLines = (trades: readonly CongressTrade[], paint: Paint): readonly string[] =>
  trades.length === 0
    ? []
    : [
        paint("dim", QUOTED),
        paint("dim", row(HEAD)),
        ...trades.map((trade) => {
          const { filing_date, transaction_date, ticker, type, amount, chamber, party, state } = trade;
          const who = `${quoted(trade.member, LONGEST)} (${[party, state].filter((one) => one !== null).join("-") || "?"})`;
          const cells = [filing_date, transaction_date ?? "-", ticker ?? "-"];
          const after = [amount?.label ?? "-", chamber, who];
          return `${row(cells, WIDE)}${paint(COLOUR[type], type.padEnd(WIDE[3]!))}${row(after, WIDE.slice(4))}`;
        }),
      ];

/** Which way disclosures lean, in two lines. */
export function leanLines({ signal, score, members, usd, reason }: Lean, paint: Paint): readonly string[] {
  const counted =
    members === null || usd === null
      ? ""
      : `  score ${score === null ? "-" : score.toFixed(4)}; ${members.buying} members bought, ${members.selling} sold; net ${dollars(usd.net)}`;
  const said = signal === null ? paint("yellow", "no signal") : paint(LEAN_COLOUR[signal], signal);
  return [`${said}${counted}`, ...(reason === null ? [] : [paint("dim", reason)])];
}

/** Whole dollars as a person reads them. */
export const dollars = (usd: number): string =>
  `${usd < 0 ? "-" : ""}$${String(Math.round(Math.abs(usd))).replace(/\B(?=(\d{3})+$)/g, ",")}`;

const row = (cells: readonly string[], wide: readonly number[] = WIDE): string =>
  cells.map((cell, i) => (wide[i] === undefined ? cell : cell.padEnd(wide[i]))).join("");
