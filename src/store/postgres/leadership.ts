import { type Kysely, sql } from "kysely";
import type { Log } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Schema } from "../schema.ts";
import type { Listener } from "./listener.ts";
import { RELEASE_LEADER_LOCK, TRY_LEADER_LOCK } from "./locks.ts";

const CHANNEL = "market_signal_leader";
/** Interval at which a process that is not the leader tries to become it. */
const TRY_MS = 1_000;

/** Table with the number of the newest term; not part of the schema, because SQLite needs no election. */
export const LEADER_TABLE =
  "CREATE TABLE IF NOT EXISTS leader (one BIGINT PRIMARY KEY CHECK (one = 1), term BIGINT NOT NULL)";

/** The time during which one process is the leader. */
interface Term {
  readonly term: number;
  /** Ends the background work of the term. */
  stop(): Promise<void>;
}

/** Starts the work of the leader; returns a function that ends it. */
export type LeaderWork = () => () => Promise<void>;

export interface Leadership {
  /**
   * Starts the work whenever this process becomes the leader, and ends it once another process may lead. Returns a function
   * that ends the work and gives up the leadership.
   */
  lead(work: LeaderWork): () => Promise<void>;
  /** Returns true while this process leads. */
  leads(): boolean;
  /** Returns the term whose work runs in this process, also if the leadership was lost meanwhile; undefined without any. */
  term(): number | undefined;
}

/** Returns the statement that finds the term if it is still the newest, and locks it until the transaction ends. */
export const termCheck = (term: number): string => `select term from leader where term = ${term} for share`;

/** Returns the error of a write by background work that another process has taken over. */
export const supersededError = (): ToolError =>
  new ToolError("CANCELLED", "Nothing was stored: another server has taken over the background work", {
    hint: "That server does it from now on.",
  });

/**
 * Elects a leader by a lock that ends with the listener. A process may not notice at once that its listener is lost, so the
 * lock alone does not stop the writes of a former leader: each term has a number, and a write of an older term is refused.
 */
export function createLeadership(
  listener: Listener,
  {
    db,
    log,
  }: {
    readonly db: Kysely<Schema>;
    readonly log: Pick<Log, "info" | "warn"> | undefined;
  },
): Leadership {
  let work: LeaderWork | null = null;
  let held: Term | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Terms begin and end one after the other. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const done = last.then(step);
    last = done.catch(() => {});
    return done;
  };

  async function begin(): Promise<void> {
    const pid = listener.pid();
    if (work === null || held !== null || pid === null) return;
    const [row] = await listener.send(TRY_LEADER_LOCK);
    if (!(row as { readonly taken: boolean }).taken) return;
    try {
      // waits until running writes of a former leader are committed
      const { rows } = await sql<{ term: number }>`
        insert into leader (one, term) values (1, 1) on conflict (one) do update set term = leader.term + 1
        returning term`.execute(db);
      const { term } = rows[0]!;
      if (work === null || listener.pid() !== pid) return await release();
      log?.info("leader", { term });
      let stop = async () => {};
      held = { term, stop: () => stop() };
      stop = work();
    } catch (cause) {
      held = null;
      await release();
      throw cause;
    }
  }

  const release = async (): Promise<void> => void (await listener.send(RELEASE_LEADER_LOCK).catch(() => {}));

  /** Returns true if this process led. */
  async function end(): Promise<boolean> {
    if (held === null) return false;
    log?.info("leader_ends", { term: held.term });
    try {
      await held.stop();
    } finally {
      held = null;
    }
    return true;
  }

  let isTrying = false;
  async function tryToLead(): Promise<void> {
    if (isTrying) return;
    isTrying = true;
    try {
      await inTurn(begin);
    } catch (cause) {
      // the listener reports a lost connection
      if (listener.pid() !== null) log?.warn("leader_unknown", { cause });
    } finally {
      isTrying = false;
    }
  }

  return {
    term: () => held?.term,
    leads: () => held !== null && listener.pid() !== null,
    lead(given) {
      work = given;
      timer ??= setInterval(() => held === null && void tryToLead(), TRY_MS).unref();
      void listener.add({
        prepare: (send) => send(`LISTEN ${CHANNEL}`),
        receive: ({ channel }) => {
          if (channel === CHANNEL) void tryToLead();
        },
        onConnected: () => void tryToLead(),
        onLost: () => void inTurn(end).catch((cause: unknown) => log?.warn("leader_work", { cause })),
      });
      return async () => {
        work = null;
        clearInterval(timer);
        if (!(await inTurn(end))) return;
        await release();
        await listener.send(`NOTIFY ${CHANNEL}`).catch(() => {});
      };
    },
  };
}
