import { z } from "zod";
import type { PutCallProvider, PutCallProviderAnswer } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { Figure } from "../shared/fields.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { assertEarlierFile } from "../shared/missing-file.ts";
import { rowsOf } from "../shared/rows.ts";
import { CountOrNull, createFileReader } from "./files.ts";

const FOLDER = "/data/us/options/market_statistics/daily";
/** Puts per call; higher ratios are errors. */
const MAX_RATIO = 100;

/** A ratio; 0.00 means that it was not computed. */
const Ratio = z.object({
  name: z.string(),
  value: Figure.nullish().transform((value) =>
    value === undefined || value === null || !(value > 0) ? null : value,
  ),
});
const Row = z.object({ name: z.string(), call: CountOrNull, put: CountOrNull });
const Statistics = z.looseObject({
  ratios: rowsOf(Ratio),
  /** Since July 2026 a list of named rows; before that, only the row of volumes. */
  "SUM OF ALL PRODUCTS": z.union([rowsOf(Row), Row.transform((row) => [row])]).nullish(),
});

/**
 * Creates the provider of Cboe's daily statistics of its options exchanges, one file per day since 2019-10-15. Rows are
 * read by name, because rows are added and removed over time. A missing file means that the day is not published, if
 * the file of an earlier day exists. A file does not state its day. Undocumented. The budget is part of the limit that
 * Cboe applies to one IP address.
 */
export function cboePutCalls(setup: ProviderSetup): PutCallProvider {
  const read = createFileReader(setup);
  const statisticsOf = (date: string, signal: AbortSignal) =>
    read(`${FOLDER}/${date}_daily_options`, Statistics, signal).catch(nullIfMissing);
  return {
    name: "cboe",
    budget: { calls: 6, perMs: 60_000, atOnce: 1 },
    async call({ date }, { signal }): Promise<PutCallProviderAnswer> {
      const file = await statisticsOf(date, signal);
      if (file === null) {
        await assertEarlierFile(date, async (earlier) => (await statisticsOf(earlier, signal)) !== null);
        return { published: false };
      }
      const ratio = (name: string): number | null =>
        file.ratios.find((row) => row.name.trim().toUpperCase() === name)?.value ?? null;
      const rows = file["SUM OF ALL PRODUCTS"] ?? [];
      const volume = rows.find(({ name }) => name.trim().toUpperCase() === "VOLUME");
      const found = {
        total: ratio("TOTAL PUT/CALL RATIO"),
        index: ratio("INDEX PUT/CALL RATIO"),
        etp: ratio("EXCHANGE TRADED PRODUCTS PUT/CALL RATIO"),
        equity: ratio("EQUITY PUT/CALL RATIO"),
      };
      const ratios = Object.values(found).filter((value) => value !== null);
      if (ratios.length === 0) throw new ProviderFailure("malformed", "statistics without a ratio");
      if (Math.max(...ratios) > MAX_RATIO) throw new ProviderFailure("malformed", "a ratio out of range");
      return {
        published: true,
        ...found,
        callVolume: volume?.call ?? null,
        putVolume: volume?.put ?? null,
      };
    },
  };
}

function nullIfMissing(cause: unknown): null {
  if (cause instanceof ProviderFailure && cause.kind === "unknown_symbol") return null;
  throw cause;
}
