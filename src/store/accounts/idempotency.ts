import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Idempotency, IdempotentRun, StoredResponse } from "../../domain/accounts/idempotency-port.ts";
import type { Clock, Ids } from "../../domain/ports.ts";
import type { KeyedHash } from "../../domain/vault/secrets-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { isWithin, latestEnd } from "../../lib/expiry.ts";
import { compare, deleteRows, findRow, type MarketDb, updateRows, upsert } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";

/** Retention of stored responses. */
const RETENTION_MS = 24 * 60 * 60_000;
/** Time after the deadline of a call in which it may still store its response. */
const GRACE_MS = 10_000;
/** Maximum number of expired rows that each new call deletes. */
const SWEEP_LIMIT = 20;

/** Maximum size of the stored responses of one account and of all, bytes, each counted with the size of its row. */
const MAX_BYTES = { account: 20e6, all: 500e6 } as const;
const ROW_BYTES = 500;
/** Time for which a measured size is used, with what was stored since. */
const MEASURED_MS = 60_000;

const Headers: z.ZodType<StoredResponse["headers"]> = z.record(z.string(), z.string());

interface IdempotencyOptions extends MarketDb {
  readonly clock: Clock;
  readonly ids: Ids;
  /**
   * Returns the key of the input hash. The key is not in the database, so that inputs cannot be guessed from their
   * hashes.
   */
  readonly keyedHash: KeyedHash;
  /** Default: 20 MB for an account, 500 MB for all. */
  readonly maxBytes?: { readonly account: number; readonly all: number };
}

/**
 * Creates the store of one market's idempotent calls, by account and key. While the stored responses have their maximum
 * size, calls with a new key are rejected with RATE_LIMITED.
 */
export function idempotency({
  db,
  market,
  clock,
  ids,
  keyedHash,
  maxBytes = MAX_BYTES,
}: IdempotencyOptions): Idempotency {
  /** Sizes by account, and of all under the empty name. */
  const sizes = createBoundedCache<string, { bytes: number; readonly at: number }>({
    name: "sizes of idempotent responses",
    max: 1_000,
  });

  async function sizeOf(tx: Kysely<Schema>, account: string): Promise<number> {
    const now = clock.now().getTime();
    const known = sizes.get(account);
    if (known !== undefined && isWithin(known.at, now, MEASURED_MS)) return known.bytes;
    const { bytes } = await tx
      .selectFrom("idempotency")
      .select(sql<number>`coalesce(sum(octet_length(body)), 0) + count(*) * ${ROW_BYTES}`.as("bytes"))
      .$if(account !== "", (query) => query.where("account", "=", account))
      .executeTakeFirstOrThrow();
    sizes.set(account, { bytes, at: now });
    return bytes;
  }

  async function requireRoom(tx: Kysely<Schema>, account: string): Promise<void> {
    const whose =
      (await sizeOf(tx, account)) >= maxBytes.account
        ? "this account"
        : (await sizeOf(tx, "")) >= maxBytes.all
          ? "this server"
          : null;
    if (whose === null) return;
    throw new ToolError("RATE_LIMITED", `The stored responses of ${whose} have their maximum size`, {
      hint: "Responses under an idempotency key are stored for 24 hours. Retry later, or call without a key.",
      data: { retry_after: MEASURED_MS / 1_000 },
    });
  }

  return {
    async begin({ account, key, route, input, deadlineMs }) {
      const now = clock.now().getTime();
      const holder = ids.uuid();
      const hash = (await keyedHash(canonicalJson([account, route, input]))).toString("hex");
      const row = { hash, holder, held_until: now + deadlineMs + GRACE_MS, expires_at: now + RETENTION_MS };
      const id = { account, market, key };
      return accountTransaction(db, account, async (tx) => {
        await deleteRows(tx, "idempotency", { expires_at: compare({ "<=": now }) }, SWEEP_LIMIT);
        const found = await findRow(tx, "idempotency", id);
        const isExpired = found === undefined || found.expires_at <= now;
        if (!isExpired && found.hash !== hash) return { state: "other" } as const;
        if (!isExpired && found.status !== null) {
          const { status, headers, body } = found;
          return {
            state: "done",
            response: { status, headers: readRow(Headers, headers ?? "") ?? {}, body: body ?? "" },
          } as const;
        }
        const length = deadlineMs + GRACE_MS;
        if (!isExpired && found.held_until > latestEnd(now, length)) {
          // begun while the clock was ahead: it may still be running, so wait once more from now on
          await updateRows(tx, "idempotency", id, { held_until: now + length });
          return { state: "running" } as const;
        }
        if (!isExpired && found.held_until > now) return { state: "running" } as const;
        await requireRoom(tx, account);
        await upsert(tx, "idempotency", id, { ...row, status: null, headers: null, body: null });
        return begun({ ...id, holder });
      });
    },
  };

  /** Creates the handle of a begun run. It changes nothing once another run has taken over the call. */
  function begun(owned: { account: string; market: string; key: string; holder: string }): IdempotentRun {
    return {
      state: "begun",
      async complete({ status, headers, body }) {
        const expires_at = clock.now().getTime() + RETENTION_MS;
        const response = { status, headers: JSON.stringify(headers), body, expires_at };
        await updateRows(db, "idempotency", owned, response);
        for (const measured of [sizes.get(owned.account), sizes.get("")])
          if (measured !== undefined) measured.bytes += Buffer.byteLength(body) + ROW_BYTES;
      },
      async release() {
        await deleteRows(db, "idempotency", owned);
      },
    };
  }
}
