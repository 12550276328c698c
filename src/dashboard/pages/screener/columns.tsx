import {
  columnVisibilityFeature,
  createColumnHelper,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import { Link } from "wouter";
import { compact, fixed, MISSING, price } from "../../views/format.ts";
import { Direction, Grade } from "../../views/parts.tsx";
import { Change, Sparkline } from "../../views/screener/row-parts.tsx";
import type { ScreenRow } from "../../views/screener/table-row.ts";
import { LatestPrice } from "./latest-price.tsx";

export const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature });
const column = createColumnHelper<typeof features, ScreenRow>();

/** How a column looks. `wide-cell`: only on wide screens. */
interface Look {
  readonly name: string;
  /** Heading, if the name is wider than the figures. Default: the name. */
  readonly short?: string;
  readonly className?: string;
}

/** Looks by id of the column, which is also the order by which the server sorts. */
export const LOOKS: Readonly<Record<string, Look>> = {
  symbol: { name: "Symbol" },
  bias: { name: "Signal", className: "signal-cell" },
  grade: { name: "Grade" },
  score: { name: "Score", className: "end wide-cell" },
  close: { name: "Close", className: "end" },
  change_percent: { name: "Change", className: "end wide-cell" },
  latest: { name: "Latest", className: "end wide-cell" },
  volume: { name: "Volume", className: "end wide-cell" },
  closes: { name: "30 closes", className: "wide-cell" },
  rr: { name: "Reward to risk", short: "R:R", className: "end wide-cell" },
  stage: { name: "Stage", className: "wide-cell" },
  phase: { name: "Wyckoff", className: "wide-cell" },
  wave: { name: "Elliott", className: "wide-cell" },
  sector: { name: "Sector", className: "wide-cell sector-cell" },
};

const rising = { sortDescFirst: false };
const falling = { sortDescFirst: true };
const unsorted = { enableSorting: false };

/** Columns of the table. */
export const columns = column.columns([
  column.accessor("symbol", {
    ...rising,
    enableHiding: false,
    cell: ({ row: { original: row } }) => (
      <span className="symbol-cell">
        <Link href={`/symbol/${encodeURIComponent(row.symbol)}`} data-row>
          {row.symbol}
        </Link>
        <span className="muted name">{row.name}</span>
      </span>
    ),
  }),
  column.accessor("bias", { ...rising, cell: ({ getValue }) => <Direction value={getValue()} /> }),
  column.accessor("grade", { ...falling, cell: ({ getValue }) => <Grade value={getValue()} /> }),
  column.accessor("overallScore", { id: "score", ...falling, cell: ({ getValue }) => fixed(getValue(), 0) }),
  column.accessor("close", {
    ...falling,
    cell: ({ row: { original: row } }) => (
      <>
        {price(row.close)}
        <span className="narrow-cell">
          <Change percent={row.change_percent} />
        </span>
      </>
    ),
  }),
  column.accessor("change_percent", { ...falling, cell: ({ getValue }) => <Change percent={getValue()} /> }),
  column.accessor("quote", {
    id: "latest",
    ...unsorted,
    cell: ({ getValue }) => <LatestPrice quote={getValue()} />,
  }),
  column.accessor("volume", { ...falling, cell: ({ getValue }) => compact(getValue()) }),
  column.accessor("closes", { ...unsorted, cell: ({ getValue }) => <Sparkline closes={getValue()} /> }),
  column.accessor((row) => row.actionCard.rr, {
    id: "rr",
    ...falling,
    cell: ({ getValue }) => fixed(getValue(), 2),
  }),
  column.accessor("stage", { ...rising, cell: ({ getValue }) => getValue() ?? MISSING }),
  column.accessor("phase", { ...rising, cell: ({ getValue }) => getValue() }),
  column.accessor("wave", { ...unsorted, cell: ({ getValue }) => getValue() || MISSING }),
  column.accessor("sector", { ...rising, cell: ({ getValue }) => getValue() ?? MISSING }),
]);
