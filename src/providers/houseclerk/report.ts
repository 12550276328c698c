import { bandIn } from "../../domain/congress/amount-band.ts";
import type { Disclosure } from "../../domain/congress/congress.ts";
import { plainText } from "../../lib/plain-text.ts";
import { parseUsDate } from "../shared/timestamps.ts";
import type { TextPiece } from "./pdf-text.ts";

/** Minimum font size of a table cell. Smaller pieces are remarks below a row. */
const MIN_CELL_FONT_SIZE = 11.9;

/** Start of a remark: capital letters (the others have no Unicode mapping and become blanks), then a colon. */
const REMARK = /^[A-Z](?: [A-Z])* ?:/;

/**
 * Joins text pieces into lines: pieces at the same height form one line, and a remark with its wrapped lines
 * forms one line.
 */
export function toTextLines(pages: readonly (readonly TextPiece[])[]): readonly string[] {
  const lines: string[] = [];
  let before: TextPiece | null = null;
  for (const piece of pages.flat()) {
    const text = piece.text.replace(/\s+/g, " ");
    const isSameLine = before !== null && before.y === piece.y && Math.abs(before.size - piece.size) < 0.2;
    const isWrappedRemark =
      before !== null &&
      piece.size < MIN_CELL_FONT_SIZE &&
      before.size === piece.size &&
      !REMARK.test(text.trim());
    if ((isSameLine || isWrappedRemark) && lines.length > 0) lines[lines.length - 1] += ` ${text}`;
    else lines.push(text);
    before = piece;
  }
  return lines;
}

const MAX_ASSET_LENGTH = 200;
const DATE = String.raw`\d{2}/\d{2}/\d{4}`;
const AMOUNT = String.raw`(?:Spouse/DC )?Over \$[\d,]+|\$[\d,]+(?:\.\d\d)?(?:\s*-(?:\s*\$[\d,]+(?:\.\d\d)?)?)?`;
/** Matches type, two dates and an amount. No other part of a report matches. */
const ROW = new RegExp(String.raw`(?:^|\s)(P|S \(partial\)|S|E) (${DATE}) ?(${DATE}) ?(${AMOUNT})?`, "g");
/** Matches lines above the table, of its header, and at page ends. */
const BOILERPLATE =
  /^(?:P T R|F I|T|ID Owner Asset|ID|Owner|Asset|Transaction|Type|Date Notification|Date|Notification|Amount|Amount Cap\.|Cap\.|Gains >|\$200\?|Filing ID #\d+|Clerk of the House|Name:|Status:|State\/District:)(?:$| )/;
const END = /^(?:\* For the complete list|I P O$|C S$|I CERTIFY|Digitally Signed)/;
const OWNERS = { SP: "spouse", JT: "joint", DC: "child" } as const;
/**
 * Asset types by their code on the form; all other codes count as other. @see
 * https://fd.house.gov/reference/asset-type-codes.aspx
 */
const KINDS: Readonly<Record<string, NonNullable<Disclosure["asset_type"]>>> = {
  ST: "stock",
  EF: "fund",
  ET: "fund",
  MF: "fund",
  OP: "option",
  GS: "bond",
  CS: "bond",
  AB: "bond",
  CT: "crypto",
};
const TYPES = { P: "buy", S: "sell", "S (partial)": "sell", E: "exchange" } as const;

/** One row of a report: the part of a disclosure that the report holds. */
type ReportRow = Pick<
  Disclosure,
  "ticker" | "asset" | "asset_type" | "type" | "partial" | "owner" | "amount" | "as_filed" | "amended"
> & {
  /** `YYYY-MM-DD`; null for a date that does not exist. */
  readonly traded: string | null;
};

/** Rows of a report; `whole` is false if some rows could not be read. */
interface ReportRows {
  readonly rows: readonly ReportRow[];
  readonly whole: boolean;
}

/**
 * Parses the rows of a periodic transaction report from its text lines. A row has an owner, an asset with ticker and
 * code, a type, two dates and an amount that may wrap; remarks below it mark amendments. Other text yields no rows.
 */
export function parseReportRows(lines: readonly string[]): ReportRows {
  const rows: ReportRow[] = [];
  let block: string[] = [];
  let [dates, inTable] = [0, false];
  const flush = () => {
    rows.push(...blockRows(block));
    block = [];
  };
  for (const raw of lines) {
    const line = plainText(raw, 2_000).replace(/\s+/g, " ").trim();
    if (/\$200\?$/.test(line)) inTable = true;
    if (!inTable || line === "") continue;
    if (END.test(line)) break;
    if (BOILERPLATE.test(line)) continue;
    if (!REMARK.test(line)) {
      dates += line.match(new RegExp(DATE, "g"))?.length ?? 0;
      block.push(line);
      continue;
    }
    flush();
    const last = rows.at(-1);
    if (last !== undefined && /^F S ?: ?Amended/i.test(line))
      rows[rows.length - 1] = { ...last, amended: true };
  }
  flush();
  return { rows, whole: dates <= 2 * rows.length };
}

/** Parses the rows between two remarks: one row, or several if some have no remark. */
function blockRows(block: readonly string[]): readonly ReportRow[] {
  const text = block.join("\n");
  const rows: ReportRow[] = [];
  let from = 0;
  for (const match of text.replaceAll("\n", " ").matchAll(ROW)) {
    const [, type, traded, , amount = ""] = match;
    const cell = text.slice(from, match.index).trim();
    from = match.index + match[0].length;
    rows.push(rowOf(cell, { type: type as keyof typeof TYPES, traded: traded!, amount: amount.trim() }));
  }
  return rows;
}

function rowOf(
  cell: string,
  { type, traded, amount }: { type: keyof typeof TYPES; traded: string; amount: string },
): ReportRow {
  const { owner, asset } = ownerAndAsset(cell);
  const [, code = null] = / ?\[([A-Z0-9]{2})\]$/.exec(asset) ?? [];
  const kind = code === null ? null : (KINDS[code] ?? "other");
  return {
    ticker: tickerIn(asset, kind),
    asset: plainText(asset, MAX_ASSET_LENGTH),
    asset_type: kind,
    type: TYPES[type],
    partial: TYPES[type] === "sell" ? type === "S (partial)" : null,
    owner: owner === null ? "self" : OWNERS[owner],
    amount: bandIn(amount),
    amended: false,
    traded: parseUsDate(traded),
    as_filed: { type, amount, owner },
  };
}

/**
 * Returns owner and asset of a row. The row starts at the last line with an owner; the end of a remark or the row's
 * number may precede it.
 */
function ownerAndAsset(cell: string): { readonly owner: keyof typeof OWNERS | null; readonly asset: string } {
  const lines = cell.split("\n");
  const at = lines.findLastIndex((line) => /^(?:\d{6,12} )?(?:SP|JT|DC)(?: |$)/.test(line));
  const [, owner, rest] = /^(?:\d{6,12} )?(SP|JT|DC)(?: (.*))?$/.exec(lines[at] ?? "") ?? [];
  const asset = at === -1 ? lines : [rest ?? "", ...lines.slice(at + 1)];
  const joined = asset.join(" ").replace(/\s+/g, " ").trim();
  return {
    owner: (owner as keyof typeof OWNERS | undefined) ?? null,
    asset: joined.replace(/^\d{6,12} /, ""),
  };
}

/**
 * Returns the ticker in brackets before the code, with the share class after a dot; for a token, its pair with the
 * dollar.
 */
function tickerIn(asset: string, kind: Disclosure["asset_type"]): string | null {
  const [, ticker] = /\(([A-Z][A-Z0-9]{0,7}(?:[.\-/][A-Z]{1,2})?)\)(?: ?\[[A-Z0-9]{2}\])?$/.exec(asset) ?? [];
  if (ticker === undefined) return null;
  return kind === "crypto" ? `${ticker}-USD` : ticker.replace(/[-/]/, ".");
}
