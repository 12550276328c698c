import type {
  ConvictionRow,
  Coverage,
  OffExchangeRow,
  PrintRow,
} from "../../domain/off-exchange/darkpool.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import type { symbolPage } from "./symbol-page.ts";

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
    ...(conviction === null ? [] : [formatConviction(conviction)]),
    ...(coverage.as_of === null ? [] : formatPrints(prints, paint)),
    ...nextPageLine(next_cursor, paint),
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

const COLUMNS: readonly Column<PrintRow>[] = [
  { head: "reported (UTC)", cell: ({ reported_at }) => reported_at.slice(0, 19).replace("T", " ") },
  { head: "symbol", cell: ({ symbol }) => symbol },
  { head: "price", cell: ({ price }) => formatPrice(price) },
  { head: "size", cell: ({ size }) => String(size) },
  { head: "notional", cell: ({ notional }) => formatMillions(notional) },
  { head: "side", cell: ({ side }) => side ?? "-" },
  { head: "conditions", cell: ({ conditions }) => conditions.join(" ") || "-", rank: 1 },
];

const formatPrints = (prints: readonly PrintRow[], paint: Paint): readonly string[] =>
  prints.length === 0 ? ["no prints"] : formatTable(prints, COLUMNS, paint);

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
