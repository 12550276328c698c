import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { MAX_RECEIPTS, MAX_STORED_INPUTS } from "../../domain/receipts/receipt.ts";
import type { ReceiptRepository } from "../../domain/receipts/receipts-port.ts";
import { findRow, insertRows, type MarketDb } from "../queries.ts";
import { accountTransaction } from "../transactions.ts";

/** Maximum size of unpacked inputs, bytes. */
const MAX_INPUT_BYTES = 64 * 1_048_576;

/** More receipts than an account ever has: SQLite has no offset without a limit. */
const MAX_OLDER = 1_000_000;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export function receiptRepository({
  db,
  market,
  maxReceipts = MAX_RECEIPTS,
  maxInputs = MAX_STORED_INPUTS,
}: MarketDb & {
  readonly maxReceipts?: number;
  readonly maxInputs?: number;
}): ReceiptRepository {
  return {
    async save(account, receipt, inputs) {
      const { receipt_id: id, issued_at } = receipt;
      const packed = (await compress(inputs)).toString("base64");
      await accountTransaction(db, account, async (tx) => {
        const key = { account, market, id };
        await insertRows(tx, "receipts", [{ ...key, issued_at, receipt: JSON.stringify(receipt) }]);
        await insertRows(tx, "receipt_inputs", [{ ...key, packed }]);
        const older = (newest: number) =>
          tx
            .selectFrom("receipts")
            .select("id")
            .where((is) => is.and({ account, market }))
            .orderBy("issued_at", "desc")
            .orderBy("id", "desc")
            .limit(MAX_OLDER)
            .offset(newest);
        await tx
          .deleteFrom("receipt_inputs")
          .where((is) => is.and({ account, market }))
          .where("id", "in", older(maxInputs))
          .execute();
        await tx
          .deleteFrom("receipts")
          .where((is) => is.and({ account, market }))
          .where("id", "in", older(maxReceipts))
          .execute();
      });
    },

    async find(account, id) {
      return (await findRow(db, "receipts", { account, market, id }))?.receipt ?? null;
    },

    async inputs(account, id) {
      const row = await findRow(db, "receipt_inputs", { account, market, id });
      if (row === undefined) return null;
      const bytes = Buffer.from(row.packed, "base64");
      // Different base64 text for the same bytes counts as damaged too.
      if (bytes.toString("base64") !== row.packed) return "damaged";
      try {
        return await decompress(bytes, { maxOutputLength: MAX_INPUT_BYTES });
      } catch {
        return "damaged";
      }
    },
  };
}
