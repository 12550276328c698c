import type { Bars } from "../../../src/domain/market/bars.ts";
import { isoDate } from "../../../src/lib/iso-date.ts";

/** Returns bars as the text of a daily file. */
export const fileText = ({ time, open, high, low, close, volume }: Bars): string =>
  [
    "date,open,high,low,close,volume",
    ...Array.from(time, (start, i) =>
      [isoDate(start), open[i], high[i], low[i], close[i], volume[i]].join(","),
    ),
    "",
  ].join("\n");
