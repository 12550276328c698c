import { type Bars, mapColumns } from "../../domain/market/bars.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { splitLine } from "./csv.ts";

/** File of known splits at the top of the folder. */
export const SPLITS_FILE = "splits.csv";
const HEADER = "symbol,date,ratio";

/** One split of a symbol. */
export interface Split {
  /** 00:00 UTC of the first session at the new price, epoch ms. */
  readonly time: number;
  /** Shares after it for each share before it; below 1 for a reverse split. */
  readonly factor: number;
}

/**
 * Reads the known splits by symbol from lines such as `AAPL,2020-08-31,4:1`, shares after and before. @throws SetupError
 * for a line that is not one
 */
export function readSplits(text: string): ReadonlyMap<string, readonly Split[]> {
  const splits = new Map<string, Split[]>();
  const [header = "", ...lines] = text.split(/\r?\n/);
  const refuse = (line: number, found: string): SetupError =>
    new SetupError(
      `${SPLITS_FILE}, line ${line}: ${JSON.stringify(found.slice(0, 80))} is not ${line === 1 ? `the header ${HEADER}` : "a split such as AAPL,2020-08-31,4:1 (shares after:before)"}`,
    );
  if (header.trim().toLowerCase() !== HEADER) throw refuse(1, header);
  for (const [i, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const [symbol = "", date = "", ratio = "", ...rest] = splitLine(line, ",");
    const [, after, before] = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(ratio) ?? [];
    const factor = Number(after) / Number(before);
    const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN;
    if (
      symbol === "" ||
      rest.length > 0 ||
      !Number.isFinite(time) ||
      !(factor > 0 && Number.isFinite(factor))
    )
      throw refuse(i + 2, line);
    const own = splits.get(symbol.toUpperCase()) ?? [];
    own.push({ time, factor });
    splits.set(symbol.toUpperCase(), own);
  }
  return splits;
}

/** Returns bars with the prices before each split divided by its factor and the volumes multiplied. */
export function adjustForSplits(bars: Bars, splits: readonly Split[]): Bars {
  if (splits.length === 0) return bars;
  const factors = Float64Array.from(bars.time, (at) =>
    splits.reduce((product, { time, factor }) => (at < time ? product * factor : product), 1),
  );
  return mapColumns(bars, (column, name) => {
    if (name === "time") return column;
    return column.map((value, i) => (name === "volume" ? value * factors[i]! : value / factors[i]!));
  });
}
