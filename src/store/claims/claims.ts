import { createHash } from "node:crypto";
import type { z } from "zod";
import { stateOfClaim } from "../../domain/claims/claim-state.ts";
import { authorKey, Claim } from "../../domain/claims/claims.ts";
import type { Claims, NewClaim, StoredClaim } from "../../domain/claims/claims-port.ts";
import type { Ids } from "../../domain/ports.ts";
import type { CallResult } from "../../domain/track-record/calls-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { countRows, findRow, insertRows, listRows, type MarketDb, updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";

const MAX_CLAIMS = 10_000;

/** The part of a claim that is stored as JSON. */
export const StoredTerms = Claim.omit({
  claim_id: true,
  symbol: true,
  asset_class: true,
  recorded_at: true,
  data_as_of: true,
  withdrawn_at: true,
  state: true,
  settled_at: true,
});

/** Creates the repository of the claims of one market. */
export function claims({ db, market, ids }: MarketDb & { readonly ids: Ids }): Claims {
  return {
    add: (account, claim) =>
      accountTransaction(db, account, async (tx) => {
        const known = await findRow(tx, "claims", { account, market, hash: hashOf(claim) });
        if (known !== undefined) return { claim: read(known), isNew: false };
        if ((await countRows(tx, "claims", { account, market })) >= MAX_CLAIMS)
          throw new ToolError("REFUSED", `An account has at most ${MAX_CLAIMS} claims`, {
            hint: "Claims are never deleted: record further ones with a key of another account.",
          });
        const row = rowOf(claim, { account, market, id: `cl_${idDigits(ids.uuid())}` });
        await insertRows(tx, "claims", [row]);
        return { claim: read(row), isNew: true };
      }),
    async list(account) {
      const rows = await listRows(db, "claims", { account, market }, { order: ["recorded_at desc", "id"] });
      return rows.map(read);
    },
    withdraw: (account, id, withdrawn_at) =>
      accountTransaction(db, account, async (tx) => {
        await updateRows(tx, "claims", { account, market, id, withdrawn_at: null }, { withdrawn_at });
        const row = await findRow(tx, "claims", { account, market, id });
        return row === undefined ? null : read(row);
      }),
  };
}

type Row = Schema["claims"];

const rowOf = (claim: NewClaim, owner: Pick<Row, "account" | "market" | "id">): Row => {
  const { symbol, asset_class, recorded_at, until, data_as_of: decided_at, close } = claim;
  const json = JSON.stringify(StoredTerms.parse(claim));
  const head = { symbol, asset_class, recorded_at, until, decided_at, close };
  return { ...owner, hash: hashOf(claim), ...head, result: null, settled_at: null, withdrawn_at: null, json };
};

function read(row: Row): StoredClaim {
  const { id: claim_id, symbol, asset_class, recorded_at, until, decided_at: data_as_of } = row;
  // checked when they were written: checking 10,000 rows again would hold the event loop for a second
  const terms: z.output<typeof StoredTerms> = JSON.parse(row.json);
  const result: CallResult | null = row.result === null ? null : JSON.parse(row.result);
  const { withdrawn_at, settled_at } = row;
  const state = stateOfClaim(terms, result);
  const head = { claim_id, symbol, recorded_at, data_as_of, withdrawn_at, state, settled_at, until };
  return { ...terms, asset_class: asset_class as Claim["asset_class"], ...head };
}

/** Hash of what makes two claims of an account equal: author, terms and the last closed bar. */
function hashOf({ author, symbol, side, rule, entry, target, stop, deadline, data_as_of }: NewClaim): string {
  const parts = [authorKey(author), symbol, side, rule, entry, target, stop, deadline, data_as_of];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24);
}
