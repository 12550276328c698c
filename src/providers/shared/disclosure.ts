import { createHash } from "node:crypto";
import type { AmountBand } from "../../domain/congress/amount-band.ts";
import type { Chamber, Disclosure, Party } from "../../domain/congress/congress.ts";
import { plainText } from "../../lib/plain-text.ts";

const DAY_MS = 86_400_000;
const FILING_DEADLINE_DAYS = 45;
const MAX_LENGTHS = { name: 80, asset: 200, words: 80, url: 300 } as const;

/** What a source says of one trade; outside text as it came. */
export interface FiledTrade {
  readonly id: string;
  readonly chamber: Chamber;
  readonly member: string;
  readonly memberId?: string | null;
  readonly party?: Party | null;
  readonly state: string | null;
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
  readonly docUrl: string | null;
  readonly asFiled: { readonly type: string; readonly amount: string; readonly owner: string | null };
}

/** A disclosure as callers see it: text made plain, days counted, and why what is missing is. A trade after its filing has no date. */
export function toDisclosure(said: FiledTrade): Disclosure {
  const { member, ticker, amount, owner, filed, docUrl, asFiled } = said;
  const traded = said.traded !== null && said.traded <= filed ? said.traded : null;
  const days = traded === null ? null : Math.round((Date.parse(filed) - Date.parse(traded)) / DAY_MS);
  const party = said.party ?? null;
  const url = docUrl !== null && /^https:\/\/[!-~]+$/.test(docUrl) ? docUrl : null;
  const missing = [
    ...(ticker === null ? ["ticker: none named"] : []),
    ...(amount === null ? ["amount: no range of the form"] : []),
    ...(traded === null
      ? [`transaction_date: ${said.traded === null ? "unreadable" : "after the filing"}`]
      : []),
    ...(owner === null ? ["owner: not said"] : []),
    ...(said.assetType === null ? ["asset_type: not said"] : []),
  ];
  return {
    id: said.id,
    ticker,
    asset: plainText(said.asset, MAX_LENGTHS.asset).replace(/\s+/g, " "),
    asset_type: said.assetType,
    type: said.type,
    partial: said.partial,
    member: plainText(member, MAX_LENGTHS.name).replace(/\s+/g, " "),
    member_id: said.memberId ?? null,
    party,
    chamber: said.chamber,
    state: said.state,
    owner,
    amount: amount === null ? null : { ...amount },
    transaction_date: traded,
    filing_date: filed,
    days_to_file: days,
    late: days === null ? null : days > FILING_DEADLINE_DAYS,
    amended: said.amended ?? false,
    doc_url: url !== null && url.length <= MAX_LENGTHS.url ? url : null,
    missing: missing.length === 0 ? null : missing.join("; "),
    as_filed: {
      type: plainText(asFiled.type, MAX_LENGTHS.words),
      amount: plainText(asFiled.amount, MAX_LENGTHS.words),
      owner: asFiled.owner === null ? null : plainText(asFiled.owner, MAX_LENGTHS.words),
    },
  };
}

/** What vendors call a trade: nine spellings and more, in any case; null for what is none. */
export function parseTradeType(words: string): Pick<Disclosure, "type" | "partial"> | null {
  const plain = words.trim().toLowerCase();
  if (/^(buy|purchase|purchased|p)$/.test(plain)) return { type: "buy", partial: null };
  // what is received or exercised is neither bought nor sold on the market
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
/** What vendors call an owner; null for `not-disclosed` and the like. */
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
/** What vendors call an asset; null where they do not say, `other` for what is none of ours. */
export function parseAssetType(words: string | null | undefined): Disclosure["asset_type"] {
  const plain = (words ?? "").trim().toLowerCase();
  if (plain === "") return null;
  return ASSET_TYPE_PATTERNS.find(([shape]) => shape.test(plain))?.[1] ?? "other";
}

/** A US ticker with classes behind a point; null for `--`, a blank and whatever else is none. */
export function parseFiledTicker(words: string | null | undefined): string | null {
  const plain = (words ?? "").trim().toUpperCase();
  return /^[A-Z][A-Z0-9]{0,5}(?:[./-][A-Z]{1,2})?$/.test(plain) && plain !== "N/A"
    ? plain.replace(/[/-]/, ".")
    : null;
}

/** Names for rows that have none of their own: the same row has the same one, and rows alike are counted. */
export function createRowIds(
  source: string,
): (row: readonly (string | number | null | undefined)[]) => string {
  const seen = new Map<string, number>();
  return (row) => {
    const hash = createHash("sha256").update(JSON.stringify(row)).digest("hex").slice(0, 16);
    const nth = seen.get(hash) ?? 0;
    seen.set(hash, nth + 1);
    return `${source}:${hash}:${nth}`;
  };
}
