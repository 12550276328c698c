import type { Kysely } from "kysely";
import type { Jobs } from "../../src/domain/jobs-port.ts";
import type { Market } from "../../src/domain/market/market.ts";
import { noPeers, type Peers } from "../../src/domain/peers-port.ts";
import type { Clock, Log } from "../../src/domain/ports.ts";
import { createJobs } from "../../src/jobs/jobs.ts";
import { jobQueue } from "../../src/store/jobs.ts";
import type { Schema } from "../../src/store/schema.ts";

/** The jobs of one process on a database. */
export const testJobs = ({
  db,
  market,
  clock,
  log,
  peers = noPeers,
  ...times
}: {
  readonly db: Kysely<Schema>;
  readonly market: Pick<Market, "id">;
  readonly clock: Clock;
  readonly log: Log;
  readonly peers?: Peers;
  readonly leaseMs?: number;
  readonly retryMs?: number;
}): Jobs => createJobs({ queue: jobQueue({ db, market: market.id, clock }), peers, log, ...times });
