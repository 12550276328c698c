import type { Dividend, Split } from "../../domain/market/corporate-actions.ts";
import type { Paint } from "../../domain/terminal.ts";

/** Formats splits and dividends, newest first, and what is missing. */
export function formatCorporateActions(
  {
    symbol,
    from,
    source,
    splits,
    dividends,
    notes,
  }: {
    readonly symbol: string;
    readonly from: string | null;
    readonly source: string;
    readonly splits: readonly Split[] | null;
    readonly dividends: readonly Dividend[] | null;
    readonly notes: readonly string[];
  },
  paint: Paint,
): string {
  const none = splits?.length === 0 && dividends?.length === 0;
  return [
    `${paint("bold", symbol)} ${paint("dim", `since ${from ?? "no bar"}, from ${source}`)}`,
    ...(splits ?? []).map(({ date, ratio }) => `${date}  split ${formatRatio(ratio)}`),
    ...(dividends ?? []).map(({ date, amount }) => `${date}  dividend ${amount} USD`),
    ...(none ? ["no splits and no dividends"] : []),
    ...notes.map((note) => paint("yellow", note)),
  ].join("\n");
}

/** Formats a ratio as new shares to old shares: 4:1, or 1:10 for a reverse split. */
const formatRatio = (ratio: number): string =>
  ratio >= 1 ? `${Number(ratio.toFixed(4))}:1` : `1:${Number((1 / ratio).toFixed(4))}`;
