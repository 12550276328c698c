import { createHmac, type KeyObject } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Idempotency, IdempotentRun, StoredResponse } from "../../domain/accounts/idempotency-port.ts";
import type { Clock, Ids } from "../../domain/ports.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

/** How long an answer is kept. */
const RETENTION_MS = 24 * 60 * 60_000;
/** What a call may take beyond its deadline to write its answer down. */
const GRACE_MS = 10_000;
/** Old rows that each new call removes: more than it adds. */
const SWEEP_LIMIT = 20;

const Headers: z.ZodType<StoredResponse["headers"]> = z.record(z.string(), z.string());

interface IdempotencyOptions {
  readonly db: Kysely<Schema>;
  readonly market: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Keys the hash of inputs, and is not in the database: what was sent cannot be guessed from there. */
  readonly secret: () => KeyObject;
}

/** Calls of one market by account and key. Those of another market are other calls. */
export function idempotency({ db, market, clock, ids, secret }: IdempotencyOptions): Idempotency {
  return {
    async begin({ account, key, route, input, deadlineMs }) {
      const now = clock.now().getTime();
      const holder = ids.uuid();
      const hash = createHmac("sha256", secret())
        .update(canonicalJson([account, route, input]))
        .digest("hex");
      const row = { hash, holder, held_until: now + deadlineMs + GRACE_MS, expires_at: now + RETENTION_MS };
      const mine = { account, market, key };
      return db.transaction().execute(async (tx) => {
        await sweep(tx, now);
        const found = await tx
          .selectFrom("idempotency")
          .selectAll()
          .where((is) => is.and(mine))
          .executeTakeFirst();
        const old = found === undefined || found.expires_at <= now;
        if (!old && found.hash !== hash) return { state: "other" } as const;
        if (!old && found.status !== null) {
          const { status, headers, body } = found;
          return {
            state: "done",
            answer: { status, headers: readRow(Headers, headers ?? "") ?? {}, body: body ?? "" },
          } as const;
        }
        if (!old && found.held_until > now) return { state: "running" } as const;
        await tx
          .insertInto("idempotency")
          .values({ ...mine, ...row, status: null, headers: null, body: null })
          .onConflict((conflict) =>
            conflict
              .columns(["account", "market", "key"])
              .doUpdateSet({ ...row, status: null, headers: null, body: null }),
          )
          .execute();
        return begun({ ...mine, holder });
      });
    },
  };

  /** Whoever lost the call to another, having taken too long, changes nothing any more. */
  function begun(held: { account: string; market: string; key: string; holder: string }): IdempotentRun {
    return {
      state: "begun",
      async complete({ status, headers, body }) {
        await db
          .updateTable("idempotency")
          .set({ status, headers: JSON.stringify(headers), body })
          .set({ expires_at: clock.now().getTime() + RETENTION_MS })
          .where((is) => is.and(held))
          .execute();
      },
      async release() {
        await db
          .deleteFrom("idempotency")
          .where((is) => is.and(held))
          .execute();
      },
    };
  }
}

/** Removes some of what has been kept long enough. */
async function sweep(tx: Kysely<Schema>, now: number): Promise<void> {
  await tx
    .deleteFrom("idempotency")
    .where((is) =>
      is(
        is.refTuple("account", "market", "key"),
        "in",
        is
          .selectFrom("idempotency")
          .select(["account", "market", "key"])
          .where("expires_at", "<=", now)
          .limit(SWEEP_LIMIT)
          .$asTuple("account", "market", "key"),
      ),
    )
    .execute();
}
