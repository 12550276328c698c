import type { Kysely, Transaction } from "kysely";
import { Disclosure, UnreadFiling } from "../../domain/congress/congress.ts";
import type {
  DisclosureBatch,
  DisclosureKey,
  DisclosureRepository,
} from "../../domain/congress/disclosure-repository-port.ts";
import { findRow, upsert } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

/** Rows of one statement. */
const BATCH_SIZE = 200;

/** Congressional disclosures of one market, shared by its processes. Invalid rows are ignored. */
export function disclosureRepository(db: Kysely<Schema>, market: string): DisclosureRepository {
  const tradesOf = ({ source, chamber }: DisclosureKey) =>
    db.selectFrom("disclosures").where((is) => is.and({ market, source, chamber }));
  const filingsOf = ({ source, chamber }: DisclosureKey) =>
    db.selectFrom("disclosure_filings").where((is) => is.and({ market, source, chamber }));

  return {
    save: (entry) =>
      db.transaction().execute(async (tx) => {
        await saveTrades(tx, market, entry);
        await saveFilings(tx, market, entry);
        await saveState(tx, market, entry);
      }),
    async state(key) {
      const { source, chamber } = key;
      const row = await findRow(db, "disclosure_sources", { market, source, chamber });
      const stored = await tradesOf(key)
        .select((select) => select.fn.max("filing_date").as("newest"))
        .executeTakeFirst();
      return {
        answeredAt: epochOf(row?.told_at),
        refreshedAt: epochOf(row?.refreshed_at),
        completeFrom: row?.complete_from ?? null,
        newest: stored?.newest ?? null,
      };
    },
    async known(key, retrySince) {
      const rows = await filingsOf(key).select(["doc_id", "again", "filing_date"]).execute();
      return new Set(
        rows.flatMap(({ doc_id, again, filing_date }) =>
          again === 1 && (filing_date ?? "") >= retrySince ? [] : [doc_id],
        ),
      );
    },
    async trades(key, { from, until, ticker }) {
      const all = tradesOf(key)
        .select("said")
        .where("filing_date", ">=", from)
        .where("filing_date", "<=", until)
        .orderBy("filing_date", "desc")
        .orderBy("id", "desc");
      const rows = await (ticker === null ? all : all.where("ticker", "=", ticker)).execute();
      return rows.flatMap(({ said }) => readRow(Disclosure, said) ?? []);
    },
    async unread(key, { from, until }) {
      const rows = await filingsOf(key)
        .select("unread")
        .where("filing_date", ">=", from)
        .where("filing_date", "<=", until)
        .where("unread", "is not", null)
        .orderBy("filing_date", "desc")
        .orderBy("doc_id", "desc")
        .execute();
      return rows.flatMap(({ unread }) => readRow(UnreadFiling, unread ?? undefined) ?? []);
    },
    async unmatched(key, since) {
      const rows = await tradesOf(key)
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
  const unreadById = new Map(unread.map((filing) => [filing.doc_id, filing]));
  for (const doc_id of new Set([...read, ...unreadById.keys()])) {
    const filing = unreadById.get(doc_id);
    const { again = false, ...stored } = filing ?? {};
    const row = {
      chamber,
      filing_date: filing?.filing_date ?? null,
      again: again ? 1 : 0,
      unread: filing === undefined ? null : JSON.stringify(stored),
    };
    await upsert(tx, "disclosure_filings", { market, source, doc_id }, row);
  }
}

async function saveState(tx: Transaction<Schema>, market: string, entry: DisclosureBatch) {
  const { source, chamber, completeFrom, answeredAt, refreshedAt } = entry;
  const key = { market, source, chamber };
  const toIso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  const before = await findRow(tx, "disclosure_sources", key);
  await upsert(tx, "disclosure_sources", key, {
    complete_from: completeFrom ?? before?.complete_from ?? null,
    told_at: toIso(answeredAt) ?? before?.told_at ?? null,
    refreshed_at: toIso(refreshedAt) ?? before?.refreshed_at ?? null,
  });
}
