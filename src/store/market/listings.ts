import type { Kysely } from "kysely";
import { z } from "zod";
import type {
  ListingRepository,
  ListingTable,
  TokenRow,
  UsRow,
} from "../../domain/market/listing-repository-port.ts";
import type { Schema } from "../schema.ts";

/** A list of fewer rows, in proportion to the kept one's, has lost some. */
const MIN_SIZE_RATIO = 0.9;

const UsRows: z.ZodType<readonly UsRow[]> = z.array(
  z.object({
    ticker: z.string(),
    name: z.string(),
    asset_class: z.enum(["equity", "etf"]),
    exchange: z.string(),
  }),
);
const TokenRows: z.ZodType<readonly TokenRow[]> = z.array(
  z.object({ base: z.string(), name: z.string(), id: z.string(), rank: z.number() }),
);

/**
 * The lists of one market in the store, shared by its processes; each is one row, so that it is replaced whole. What a
 * stand-in for the real listers said is never another market's.
 */
export const listingRepository = (db: Kysely<Schema>, market: string): ListingRepository => ({
  us: listingTable(db, { market, kind: "us" }, UsRows),
  tokens: listingTable(db, { market, kind: "tokens" }, TokenRows),
});

const listingTable = <Row>(
  db: Kysely<Schema>,
  { market, kind }: { readonly market: string; readonly kind: "us" | "tokens" },
  shape: z.ZodType<readonly Row[]>,
): ListingTable<Row> => ({
  async read() {
    const row = await db
      .selectFrom("listings")
      .selectAll()
      .where("market", "=", market)
      .where("kind", "=", kind)
      .executeTakeFirst();
    if (row === undefined) return null;
    const rows = shape.safeParse(parseJson(row.listed));
    const fetchedAt = Date.parse(row.fetched_at);
    if (!rows.success || Number.isNaN(fetchedAt)) return null;
    return { rows: rows.data, fetchedAt, source: row.source };
  },
  replace: ({ rows, fetchedAt, source }, reason) =>
    db.transaction().execute(async (tx) => {
      const kept = await tx
        .selectFrom("listings")
        .select("count")
        .where("market", "=", market)
        .where("kind", "=", kind)
        .executeTakeFirst();
      if (reason === undefined && kept !== undefined && rows.length < MIN_SIZE_RATIO * kept.count)
        return false;
      const row = {
        market,
        kind,
        source,
        fetched_at: new Date(fetchedAt).toISOString(),
        count: rows.length,
        listed: JSON.stringify(rows),
        reason: reason ?? null,
      };
      await tx
        .insertInto("listings")
        .values(row)
        .onConflict((conflict) => conflict.columns(["market", "kind"]).doUpdateSet(row))
        .execute();
      return true;
    }),
});

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
