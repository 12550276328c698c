import type { Kysely, Transaction } from "kysely";
import { Disclosure, UnreadFiling } from "../../domain/congress/congress.ts";
import type {
  DisclosureBatch,
  DisclosureKey,
  DisclosureRepository,
} from "../../domain/congress/disclosure-repository-port.ts";
import { compare, findRow, listRows, upsert, upsertRows } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { storeTransaction } from "../transactions.ts";

/**
 * Creates the repository of one market's congressional disclosures, shared by its processes. Invalid rows are ignored.
 */
export function disclosureRepository(db: Kysely<Schema>, market: string): DisclosureRepository {
  const listTrades = async (
    { source, chamber }: DisclosureKey,
    filter: Parameters<typeof listRows<"disclosures">>[2],
  ) => {
    const page = { columns: ["json"], order: ["filing_date desc", "id desc"] } as const;
    const rows = await listRows(db, "disclosures", { market, source, chamber, ...filter }, page);
    return rows.flatMap(({ json }) => readRow(Disclosure, json) ?? []);
  };

  return {
    save: (entry) =>
      storeTransaction(db, async (tx) => {
        await saveTrades(tx, market, entry);
        await saveFilings(tx, market, entry);
        await saveState(tx, market, entry);
      }),
    async state(key) {
      const { source, chamber } = key;
      const row = await findRow(db, "disclosure_sources", { market, source, chamber });
      const newest = await findRow(
        db,
        "disclosures",
        { market, source, chamber },
        { columns: ["filing_date"], order: ["filing_date desc"] },
      );
      return {
        answeredAt: epochOf(row?.answered_at),
        refreshedAt: epochOf(row?.refreshed_at),
        completeFrom: row?.complete_from ?? null,
        newest: newest?.filing_date ?? null,
      };
    },
    async known({ source, chamber }, retrySince) {
      const rows = await listRows(db, "disclosure_filings", { market, source, chamber });
      return new Set(
        rows.flatMap(({ doc_id, again, filing_date }) =>
          again === 1 && (filing_date ?? "") >= retrySince ? [] : [doc_id],
        ),
      );
    },
    trades: (key, { from, until, ticker }) => {
      const filing_date = compare({ ">=": from, "<=": until });
      return listTrades(key, ticker === null ? { filing_date } : { filing_date, ticker });
    },
    async unread({ source, chamber }, { from, until }) {
      const rows = await listRows(
        db,
        "disclosure_filings",
        {
          market,
          source,
          chamber,
          filing_date: compare({ ">=": from, "<=": until }),
          unread: compare({ "!=": null }),
        },
        { order: ["filing_date desc", "doc_id desc"] },
      );
      return rows.flatMap(({ unread }) => readRow(UnreadFiling, unread ?? undefined) ?? []);
    },
    unmatched: (key, since) => listTrades(key, { member_id: null, filing_date: compare({ ">=": since }) }),
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
    json: JSON.stringify(trade),
  }));
  await upsertRows(tx, "disclosures", ["market", "source", "id"], rows);
}

async function saveFilings(tx: Transaction<Schema>, market: string, entry: DisclosureBatch) {
  const { source, chamber, read, unread } = entry;
  const unreadById = new Map(unread.map((filing) => [filing.doc_id, filing]));
  for (const doc_id of new Set([...read, ...unreadById.keys()])) {
    const filing = unreadById.get(doc_id);
    const { retryable: again = false, ...stored } = filing ?? {};
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
    answered_at: toIso(answeredAt) ?? before?.answered_at ?? null,
    refreshed_at: toIso(refreshedAt) ?? before?.refreshed_at ?? null,
  });
}
