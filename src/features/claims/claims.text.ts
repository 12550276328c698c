import { type AuthorRecord, type Claim, MAX_AUTHOR } from "../../domain/claims/claims.ts";
import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import type { Paint } from "../../domain/terminal.ts";

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** Formats the terms of a claim as a sentence. */
function claimText({ symbol, side, rule, price, entry, target, stop, deadline }: Claim): string {
  const above = side === "LONG" ? "above" : "below";
  const from = entry === null ? "" : `after an entry at ${entry}, `;
  const event =
    rule === "close_beyond"
      ? `closes at ${target} or ${above}`
      : `${from}trades at ${target}${stop === null ? "" : ` before ${stop}`}`;
  return `${symbol} ${side} at ${price}: ${event} ${rule === "close_beyond" ? "on" : "by"} ${deadline}`;
}

/** Formats a claim as a line for a terminal. */
export function formatClaim(claim: Claim, paint: Paint): string {
  const { claim_id, author, state, base, windows, withdrawn_at, recorded_at } = claim;
  const colour = state === "right" ? "green" : state === "wrong" ? "red" : "dim";
  const states = `${state.replace("_", " ")}${withdrawn_at === null ? "" : ", withdrawn"}`;
  const baseText =
    base === null ? `base unknown (${windows} windows)` : `base ${percent(base)} of ${windows} past windows`;
  return [
    `${paint(colour, states.padEnd(11))} ${claimText(claim)}; ${baseText}`,
    paint(
      "dim",
      `  ${claim_id} by ${quoted(author, MAX_AUTHOR)}, ${recorded_at.slice(0, 16)}Z${withdrawn_at === null ? "" : `, withdrawn ${withdrawn_at.slice(0, 10)}, still counts`}`,
    ),
  ].join("\n");
}

/** States the record of an author beside its base. */
function recordText({ author, claims, open, n, right, interval, base, without_base }: AuthorRecord): string {
  const head = `${quoted(author, MAX_AUTHOR)}: ${claims} ${claims === 1 ? "claim" : "claims"}, ${open} open`;
  if (right === null || interval === null)
    return without_base.right === null
      ? `${head}; none right or wrong yet`
      : `${head}; without a base, right in ${percent(without_base.right)} of ${without_base.n}`;
  const others =
    without_base.right === null
      ? ""
      : `; without a base, right in ${percent(without_base.right)} of ${without_base.n}`;
  return `${head}; right in ${percent(right)} of ${n} (95% interval ${percent(interval.low)} to ${percent(interval.high)}), base ${base === null ? "-" : percent(base)}${others}`;
}

/** Formats records and claims for a terminal; names are shown as plain text. */
export const formatClaims = (
  {
    records,
    claims,
    notes,
  }: {
    readonly records: readonly AuthorRecord[];
    readonly claims: readonly Claim[];
    readonly notes: readonly string[];
  },
  paint: Paint,
): string =>
  [
    ...(claims.length === 0 ? [] : [paint("dim", QUOTED_TEXT_NOTICE)]),
    ...records.map(recordText),
    ...claims.map((claim) => formatClaim(claim, paint)),
    ...notes.map((note) => paint("dim", note)),
  ].join("\n");
