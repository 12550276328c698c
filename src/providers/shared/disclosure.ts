import { createHash } from "node:crypto";
import type { AmountBand } from "../../domain/congress/amount-band.ts";
import type { Chamber, Disclosure, Party } from "../../domain/congress/congress.ts";
import type { Filings } from "../../domain/congress/provider.ts";
import { mapInSteps } from "../../lib/event-loop.ts";
import { plainText } from "../../lib/plain-text.ts";
import { displayText } from "./display-text.ts";

const DAY_MS = 86_400_000;
const FILING_DEADLINE_DAYS = 45;
const MAX_LENGTHS = { name: 80, asset: 200, words: 80, url: 300 } as const;

/** One trade as returned by a provider, with unchanged texts. */
export interface FiledTrade {
  readonly id: string;
  readonly chamber: Chamber;
  readonly member: string;
  readonly party?: Party | null;
  readonly state?: string | null;
  readonly ticker: string | null;
  readonly asset: string;
  readonly assetType: Disclosure["asset_type"];
  readonly type: Disclosure["type"];
  readonly partial: boolean | null;
  readonly owner: Disclosure["owner"];
  readonly amount: AmountBand | null;
  /** `YYYY-MM-DD`. */
  readonly traded: string | null;
  readonly filed: string;
  readonly amended?: boolean;
  readonly docUrl?: string | null | undefined;
  readonly asFiled: { readonly type: string; readonly amount: string; readonly owner: string | null };
}

/** A trade whose type and owner are not parsed yet. */
export interface RawTrade extends Omit<FiledTrade, "type" | "partial" | "owner" | "asFiled"> {
  readonly typeText: string;
  readonly ownerText: string | null | undefined;
  readonly amountText: string;
}

/**
 * Converts rows to disclosures, in steps between which other events are handled. Rows for which `read` returns null, and
 * rows with an unknown trade type, are dropped.
 */
export async function disclosuresOf<R>(
  rows: readonly R[],
  read: (row: R) => RawTrade | null,
): Promise<readonly Disclosure[]> {
  const converted = await mapInSteps(rows, (row) => {
    const raw = read(row);
    const type = raw === null ? null : parseTradeType(raw.typeText);
    if (raw === null || type === null) return null;
    const { typeText, ownerText, amountText, ...trade } = raw;
    const asFiled = { type: typeText, amount: amountText, owner: ownerText ?? null };
    return toDisclosure({ ...trade, ...type, owner: parseOwner(ownerText), asFiled });
  });
  return converted.filter((trade) => trade !== null);
}

/** Returns a response with the trades filed between two dates, both included. */
export const filingsBetween = (
  trades: readonly Disclosure[],
  {
    since,
    until,
    completeFrom,
  }: { readonly since: string; readonly until: string; readonly completeFrom: string | null },
): Filings => ({
  trades: trades.filter(({ filing_date }) => filing_date >= since && filing_date <= until),
  unread: [],
  read: [],
  completeFrom,
  more: false,
});

/**
 * Converts a trade to a disclosure: plain text, computed days, and reasons for missing values. A trade dated after its
 * filing gets no date.
 */
export function toDisclosure(trade: FiledTrade): Disclosure {
  const { ticker, amount, owner, filed, docUrl, asFiled } = trade;
  const traded = trade.traded !== null && trade.traded <= filed ? trade.traded : null;
  const days = traded === null ? null : Math.round((Date.parse(filed) - Date.parse(traded)) / DAY_MS);
  const url = docUrl != null && /^https:\/\/[!-~]+$/.test(docUrl) ? docUrl : null;
  const missing = [
    ...(ticker === null ? ["ticker: not stated"] : []),
    ...(amount === null ? ["amount: not one of the form's ranges"] : []),
    ...(traded === null
      ? [`transaction_date: ${trade.traded === null ? "unreadable" : "after the filing"}`]
      : []),
    ...(owner === null ? ["owner: not stated"] : []),
    ...(trade.assetType === null ? ["asset_type: not stated"] : []),
  ];
  return {
    id: trade.id,
    ticker,
    asset: displayText(trade.asset, MAX_LENGTHS.asset),
    asset_type: trade.assetType,
    type: trade.type,
    partial: trade.partial,
    member: displayText(trade.member, MAX_LENGTHS.name),
    member_id: null,
    party: trade.party ?? null,
    chamber: trade.chamber,
    state: trade.state ?? null,
    owner,
    amount: amount === null ? null : { ...amount },
    transaction_date: traded,
    filing_date: filed,
    days_to_file: days,
    late: days === null ? null : days > FILING_DEADLINE_DAYS,
    amended: trade.amended ?? false,
    doc_url: url !== null && url.length <= MAX_LENGTHS.url ? url : null,
    missing: missing.length === 0 ? null : missing.join("; "),
    as_filed: {
      type: plainText(asFiled.type, MAX_LENGTHS.words),
      amount: plainText(asFiled.amount, MAX_LENGTHS.words),
      owner: asFiled.owner === null ? null : plainText(asFiled.owner, MAX_LENGTHS.words),
    },
  };
}

/** Parses the type of a trade in the spellings of all providers; null for other text. */
export function parseTradeType(words: string): Pick<Disclosure, "type" | "partial"> | null {
  const plain = words.trim().toLowerCase();
  if (/^(buy|purchase|purchased|p)$/.test(plain)) return { type: "buy", partial: null };
  // receiving or exercising securities is neither a purchase nor a sale on the market
  if (/^(exchange|exchanged|e|receive|received|exercise|exercised)$/.test(plain))
    return { type: "exchange", partial: null };
  const sold = /^(?:sell|sale|sold|s)(?: ?\((partial|full)\))?$/.exec(plain);
  if (sold === null) return null;
  return { type: "sell", partial: sold[1] === undefined ? null : sold[1] === "partial" };
}

const OWNER_PATTERNS: readonly (readonly [RegExp, NonNullable<Disclosure["owner"]>])[] = [
  [/^self$/, "self"],
  [/^(spouse|sp)$/, "spouse"],
  [/^(joint|jt)$/, "joint"],
  [/^(child|dependent|dependent child|dc)$/, "child"],
];
/** Parses the owner in the spellings of all providers; null for other text, such as `not-disclosed`. */
export function parseOwner(words: string | null | undefined): Disclosure["owner"] {
  const plain = (words ?? "").trim().toLowerCase();
  return OWNER_PATTERNS.find(([shape]) => shape.test(plain))?.[1] ?? null;
}

const ASSET_TYPE_PATTERNS: readonly (readonly [RegExp, NonNullable<Disclosure["asset_type"]>])[] = [
  [/option/, "option"],
  [/crypto/, "crypto"],
  [/non-public|not publicly|ownership|hedge|private/, "other"],
  [/\bbond|municipal|government|gov security|corporate securit|treasury|note/, "bond"],
  [/fund|etf|exchange traded/, "fund"],
  [/stock|equity|\bst\b/, "stock"],
];
/** Parses the asset type in the spellings of all providers; null for missing text, `other` for unknown text. */
export function parseAssetType(words: string | null | undefined): Disclosure["asset_type"] {
  const plain = (words ?? "").trim().toLowerCase();
  if (plain === "") return null;
  return ASSET_TYPE_PATTERNS.find(([shape]) => shape.test(plain))?.[1] ?? "other";
}

/** Parses a US ticker, with its class after a dot; null for other text. */
export function parseFiledTicker(words: string | null | undefined): string | null {
  const plain = (words ?? "").trim().toUpperCase();
  return /^[A-Z][A-Z0-9]{0,5}(?:[./-][A-Z]{1,2})?$/.test(plain) && plain !== "N/A"
    ? plain.replace(/[/-]/, ".")
    : null;
}

/**
 * Creates a function that returns ids for rows without one: a hash of the row, plus a running number for identical
 * rows.
 */
export function createRowIds(
  provider: string,
): (row: readonly (string | number | null | undefined)[]) => string {
  const seen = new Map<string, number>();
  return (row) => {
    const hash = createHash("sha256").update(JSON.stringify(row)).digest("hex").slice(0, 16);
    const nth = seen.get(hash) ?? 0;
    seen.set(hash, nth + 1);
    return `${provider}:${hash}:${nth}`;
  };
}
