import type { Kysely } from "kysely";
import { z } from "zod";
import type {
  ListingRepository,
  ListingTable,
  TokenRow,
  UsRow,
} from "../../domain/market/listing-repository-port.ts";
import { findRow, upsert } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { storeTransaction } from "../transactions.ts";

/** A list with fewer than this share of the stored list's rows counts as incomplete. */
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
 * Creates the repository of one market's instrument listings, shared by its processes. Each list is one row and is
 * replaced completely.
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
    const row = await findRow(db, "listings", { market, kind });
    if (row === undefined) return null;
    const rows = readRow(shape, row.listed);
    const fetchedAt = Date.parse(row.fetched_at);
    return rows === null || Number.isNaN(fetchedAt) ? null : { rows, fetchedAt, source: row.source };
  },
  replace: ({ rows, fetchedAt, source }, reason) =>
    storeTransaction(db, async (tx) => {
      const stored = await findRow(tx, "listings", { market, kind });
      if (reason === undefined && rows.length < MIN_SIZE_RATIO * (stored?.count ?? 0)) return false;
      const row = {
        source,
        fetched_at: new Date(fetchedAt).toISOString(),
        count: rows.length,
        listed: JSON.stringify(rows),
        reason: reason ?? null,
      };
      await upsert(tx, "listings", { market, kind }, row);
      return true;
    }),
});
