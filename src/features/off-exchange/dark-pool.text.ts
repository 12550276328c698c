import type {
  ConvictionRow,
  Coverage,
  OffExchangeRow,
  PrintRow,
} from "../../domain/off-exchange/darkpool.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import type { symbolPage } from "./symbol-page.ts";

const HEAD = ["reported (UTC)", "symbol", "price", "size", "notional", "side", "conditions"] as const;
const LEVELS_SHOWN = 5;
const DAYS_SHOWN = 5;

type SymbolPage = Awaited<ReturnType<typeof symbolPage>>;
interface DarkPoolPage
  extends Pick<SymbolPage, "prints" | "coverage" | "levels" | "conviction" | "next_cursor" | "notes"> {
  readonly symbol: string | null;
  readonly off_exchange: Pick<SymbolPage["off_exchange"], "days" | "coverage"> | null;
}

export function formatDarkPool(page: DarkPoolPage, paint: Paint): string {
  const { symbol, prints, coverage, levels, conviction, off_exchange, next_cursor, notes } = page;
  const origin =
    coverage.source === null
      ? []
      : [
          paint(
            "dim",
            `${coverage.source}, ${coverage.as_of === null ? "no data" : `data until ${coverage.as_of}`}`,
          ),
        ];
  return [
    [paint("bold", symbol ?? "All symbols"), ...origin].join(" "),
    ...(coverage.reason === null ? [] : [paint("yellow", coverage.reason)]),
    ...(coverage.stale ? [paint("yellow", "STALE: no provider responds now")] : []),
    ...(coverage.as_of === null ? [] : formatPrints(prints)),
    ...nextPageLine(next_cursor, paint),
    ...(conviction === null ? [] : [formatConviction(conviction)]),
    ...levels
      .slice(0, LEVELS_SHOWN)
      .map(
        ({ price, notional, holds, fails }) =>
          `level ${formatPrice(price)}  ${formatMillions(notional)}  held ${holds}, failed ${fails}`,
      ),
    ...(off_exchange === null ? [] : formatOffExchange(off_exchange, paint)),
    ...notes.map((note) => paint("dim", note)),
  ].join("\n");
}

function formatPrints(prints: readonly PrintRow[]): readonly string[] {
  if (prints.length === 0) return ["no prints"];
  const rows = prints.map((print) => [
    print.reported_at.slice(0, 19).replace("T", " "),
    print.symbol,
    formatPrice(print.price),
    String(print.size),
    formatMillions(print.notional),
    print.side ?? "-",
    print.conditions.join(" ") || "-",
  ]);
  const widths = HEAD.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)));
  return [[...HEAD], ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd(),
  );
}

const formatConviction = ({ score, conviction, source, tests, reason }: ConvictionRow): string =>
  `conviction ${score === null ? "-" : score.toFixed(1)} ${conviction} (${source}, ${tests} tests)${reason === null ? "" : `: ${reason}`}`;

function formatOffExchange(
  { days, coverage }: { readonly days: readonly OffExchangeRow[]; readonly coverage: Coverage },
  paint: Paint,
): readonly string[] {
  const percent = (share: number | null) => (share === null ? "-" : `${(100 * share).toFixed(1)}%`);
  const from = `off exchange, from ${coverage.source}${coverage.stale ? ", STALE: no response now" : ""}`;
  return [
    ...(days.length === 0 || coverage.source === null ? [] : [paint("dim", from)]),
    ...days
      .slice(0, DAYS_SHOWN)
      .map(
        ({ date, off_exchange_share, short_share }) =>
          `${date}  off exchange ${percent(off_exchange_share)} (proxy)  of which sold short ${percent(short_share)}`,
      ),
    ...(coverage.reason === null ? [] : [paint("yellow", coverage.reason)]),
  ];
}

const formatMillions = (dollars: number): string => `$${(dollars / 1e6).toFixed(2)}M`;
