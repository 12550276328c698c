import { z } from "zod";
import type { PutCallDay } from "../../domain/options-flow/options.ts";
import type { PutCallRepository } from "../../domain/options-flow/put-call-repository-port.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import { compare, listRows, type MarketDb, upsert } from "../queries.ts";
import { readRow } from "../row-schemas.ts";

const figure = z.number().nonnegative().nullable();
const StoredRatios = z.object({
  total: figure,
  index: figure,
  etp: figure,
  equity: figure,
  callVolume: figure,
  putVolume: figure,
});

export function putCallRepository({
  db,
  market,
  log,
  clock,
}: MarketDb & {
  readonly log: Log;
  readonly clock: Clock;
}): PutCallRepository {
  return {
    async days({ until, limit }) {
      const known = {
        market,
        json: compare({ "!=": null }),
        at: compare({ "<=": new Date(until).toISOString() }),
      };
      const page = { order: ["day desc"], limit: Math.max(0, limit) } as const;
      const rows = await listRows(db, "put_call_days", known, page);
      return rows.reverse().flatMap(({ day, at, source, json }) => {
        const read = readRow(StoredRatios, json ?? undefined);
        return read === null ? [] : [{ day, at: Date.parse(at), ...read, source }];
      });
    },

    async knownDates(dates) {
      // days from the future were given up while the clock was ahead
      const at = compare({ "<=": clock.now().toISOString() });
      const rows = await listRows(db, "put_call_days", { market, day: dates, at }, { columns: ["day"] });
      return new Set(rows.map(({ day }) => day));
    },

    async save(day, ratios, source) {
      const row = {
        at: ratios === null ? clock.now().toISOString() : new Date(ratios.at).toISOString(),
        source,
        json: ratios === null ? null : JSON.stringify(toStoredRatios(ratios)),
      };
      await upsert(db, "put_call_days", { market, day }, row).catch((cause: unknown) =>
        log.warn("put_call_day_not_stored", { day, cause }),
      );
    },
  };
}

const toStoredRatios = ({ day: _, at: __, ...ratios }: PutCallDay): z.infer<typeof StoredRatios> => ratios;
