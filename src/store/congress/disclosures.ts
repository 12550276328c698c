import type { Kysely, Transaction } from "kysely";
import { Disclosure, UnreadFiling } from "../../domain/congress/congress.ts";
import type {
  DisclosureBatch,
  DisclosureKey,
  DisclosureRepository,
} from "../../domain/congress/disclosure-repository-port.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

/** Rows that one statement writes. */
const BATCH_SIZE = 200;

/** Disclosures of one market in the store, shared by its processes. A row that is spoiled is none. */
export function disclosureRepository(db: Kysely<Schema>, market: string): DisclosureRepository {
  const of = (table: "disclosures", { source, chamber }: DisclosureKey) =>
    db
      .selectFrom(table)
      .where("market", "=", market)
      .where("source", "=", source)
      .where("chamber", "=", chamber);
  const filingsOf = ({ source, chamber }: DisclosureKey) =>
    db
      .selectFrom("disclosure_filings")
      .where("market", "=", market)
      .where("source", "=", source)
      .where("chamber", "=", chamber);

  return {
    save: (entry) =>
      db.transaction().execute(async (tx) => {
        await saveTrades(tx, market, entry);
        await saveFilings(tx, market, entry);
        await saveState(tx, market, entry);
      }),
    async state(place) {
      const row = await db
        .selectFrom("disclosure_sources")
        .selectAll()
        .where("market", "=", market)
        .where("source", "=", place.source)
        .where("chamber", "=", place.chamber)
        .executeTakeFirst();
      const held = await of("disclosures", place)
        .select((select) => select.fn.max("filing_date").as("newest"))
        .executeTakeFirst();
      return {
        answeredAt: epochOf(row?.told_at),
        refreshedAt: epochOf(row?.refreshed_at),
        completeFrom: row?.complete_from ?? null,
        newest: held?.newest ?? null,
      };
    },
    async known(place, retrySince) {
      const rows = await filingsOf(place).select(["doc_id", "again", "filing_date"]).execute();
      return new Set(
        rows.flatMap(({ doc_id, again, filing_date }) =>
          again === 1 && (filing_date ?? "") >= retrySince ? [] : [doc_id],
        ),
      );
    },
    async trades(place, { from, until, ticker }) {
      const all = of("disclosures", place)
        .select("said")
        .where("filing_date", ">=", from)
        .where("filing_date", "<=", until)
        .orderBy("filing_date", "desc")
        .orderBy("id", "desc");
      const rows = await (ticker === null ? all : all.where("ticker", "=", ticker)).execute();
      return rows.flatMap(({ said }) => readRow(Disclosure, said) ?? []);
    },
    async unread(place, { from, until }) {
      const rows = await filingsOf(place)
        .select("unread")
        .where("filing_date", ">=", from)
        .where("filing_date", "<=", until)
        .where("unread", "is not", null)
        .orderBy("filing_date", "desc")
        .orderBy("doc_id", "desc")
        .execute();
      return rows.flatMap(({ unread }) => readRow(UnreadFiling, unread ?? undefined) ?? []);
    },
    async unmatched(place, since) {
      const rows = await of("disclosures", place)
        .select("said")
        .where("member_id", "is", null)
        .where("filing_date", ">=", since)
        .execute();
      return rows.flatMap(({ said }) => readRow(Disclosure, said) ?? []);
    },
  };
}

function epochOf(text: string | null | undefined): number | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : at;
}

async function saveTrades(tx: Transaction<Schema>, market: string, { source, trades }: DisclosureBatch) {
  const rows = trades.map((trade) => ({
    market,
    source,
    id: trade.id,
    chamber: trade.chamber,
    ticker: trade.ticker,
    filing_date: trade.filing_date,
    member_id: trade.member_id,
    said: JSON.stringify(trade),
  }));
  for (let at = 0; at < rows.length; at += BATCH_SIZE)
    await tx
      .insertInto("disclosures")
      .values(rows.slice(at, at + BATCH_SIZE))
      .onConflict((conflict) =>
        conflict.columns(["market", "source", "id"]).doUpdateSet((row) => ({
          chamber: row.ref("excluded.chamber"),
          ticker: row.ref("excluded.ticker"),
          filing_date: row.ref("excluded.filing_date"),
          member_id: row.ref("excluded.member_id"),
          said: row.ref("excluded.said"),
        })),
      )
      .execute();
}

async function saveFilings(tx: Transaction<Schema>, market: string, entry: DisclosureBatch) {
  const { source, chamber, read, unread } = entry;
  const silent = new Map(unread.map((filing) => [filing.doc_id, filing]));
  for (const doc_id of new Set([...read, ...silent.keys()])) {
    const filing = silent.get(doc_id);
    const { again = false, ...told } = filing ?? {};
    const row = {
      chamber,
      filing_date: filing?.filing_date ?? null,
      again: again ? 1 : 0,
      unread: filing === undefined ? null : JSON.stringify(told),
    };
    await tx
      .insertInto("disclosure_filings")
      .values({ market, source, doc_id, ...row })
      .onConflict((conflict) => conflict.columns(["market", "source", "doc_id"]).doUpdateSet(row))
      .execute();
  }
}

async function saveState(tx: Transaction<Schema>, market: string, entry: DisclosureBatch) {
  const { source, chamber, completeFrom, answeredAt, refreshedAt } = entry;
  const row = {
    ...(completeFrom !== null && { complete_from: completeFrom }),
    ...(answeredAt !== null && { told_at: new Date(answeredAt).toISOString() }),
    ...(refreshedAt !== null && { refreshed_at: new Date(refreshedAt).toISOString() }),
  };
  const place = { market, source, chamber };
  const write = tx
    .insertInto("disclosure_sources")
    .values({ ...place, told_at: null, refreshed_at: null, complete_from: null, ...row });
  await (Object.keys(row).length === 0
    ? write.onConflict((conflict) => conflict.columns(["market", "source", "chamber"]).doNothing())
    : write.onConflict((conflict) => conflict.columns(["market", "source", "chamber"]).doUpdateSet(row))
  ).execute();
}
