import { z } from "zod";
import type { PutCallProvider, PutCallProviderAnswer } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { createFileReader } from "./client.ts";
import { Figure, FigureOrNone } from "./wire.ts";

const FOLDER = "/data/us/options/market_statistics/daily";
/** No market had so many puts for each call. */
const MAX_RATIO = 100;

/** A ratio of 0.00 stands for one that was not computed. */
const Ratio = z.object({
  name: z.string(),
  value: Figure.nullish().transform((value) =>
    value === undefined || value === null || !(value > 0) ? null : value,
  ),
});
const Row = z.object({ name: z.string(), call: FigureOrNone, put: FigureOrNone });
const Statistics = z.looseObject({
  ratios: z.array(Ratio),
  /** A list of rows by name since July 2026; the one row of volumes before. */
  "SUM OF ALL PRODUCTS": z.union([z.array(Row), Row.transform((row) => [row])]).nullish(),
});

const NAMES = {
  total: "TOTAL PUT/CALL RATIO",
  index: "INDEX PUT/CALL RATIO",
  etp: "EXCHANGE TRADED PRODUCTS PUT/CALL RATIO",
  equity: "EQUITY PUT/CALL RATIO",
} as const;

/**
 * Cboe's daily statistics of its options exchanges, one file for each day since 2019-10-15, read by name: rows come and go
 * and change places. A file that there is not is of a day that is not published. It does not say which day it is of.
 * Undocumented; no limits are known, and the budget is a part of what one address was served.
 */
export function cboePutCalls(setup: ProviderSetup): PutCallProvider {
  const read = createFileReader(setup);
  return {
    name: "cboe",
    budget: { calls: 6, perMs: 60_000, atOnce: 1 },
    async call({ date }, { signal }): Promise<PutCallProviderAnswer> {
      const told = await read(`${FOLDER}/${date}_daily_options`, Statistics, signal).catch(nullIfMissing);
      if (told === null) return { published: false };
      const ratio = (name: string): number | null =>
        told.ratios.find((one) => one.name.trim().toUpperCase() === name)?.value ?? null;
      const rows = told["SUM OF ALL PRODUCTS"] ?? [];
      const volume = rows.find(({ name }) => name.trim().toUpperCase() === "VOLUME");
      const found = {
        total: ratio(NAMES.total),
        index: ratio(NAMES.index),
        etp: ratio(NAMES.etp),
        equity: ratio(NAMES.equity),
      };
      const ratios = Object.values(found).filter((value) => value !== null);
      if (ratios.length === 0) throw new ProviderFailure("malformed", "statistics without a ratio");
      if (Math.max(...ratios) > MAX_RATIO) throw new ProviderFailure("malformed", "a ratio that cannot be");
      return {
        published: true,
        ...found,
        callVolume: volume?.call ?? null,
        putVolume: volume?.put ?? null,
      };
    },
  };
}

/** A day without a file is an answer. */
function nullIfMissing(cause: unknown): null {
  if (cause instanceof ProviderFailure && cause.kind === "unknown_symbol") return null;
  throw cause;
}
