import { type Kysely, sql } from "kysely";
import type { Log } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Schema } from "../schema.ts";
import type { Listener } from "./listener.ts";
import { RELEASE_LEADER_LOCK, TRY_LEADER_LOCK } from "./locks.ts";

const CHANNEL = "market_signal_leader";
/** Interval at which a process that does not lead asks whether another still does. */
const ASK_MS = 1_000;

/** Number of the newest term; not part of the schema, as SQLite has one process that works in the background. */
export const LEADER_TABLE =
  "CREATE TABLE IF NOT EXISTS leader (one BIGINT PRIMARY KEY CHECK (one = 1), term BIGINT NOT NULL)";

/** The time in which one process leads. */
interface Term {
  readonly term: number;
  /** Ends the work of the term. */
  stop(): Promise<void>;
}

/** Starts the work of the leader; returns a function that ends it. */
export type LeaderWork = () => () => Promise<void>;

export interface Leadership {
  /**
   * Starts the work whenever this process becomes the one of all that leads, and ends it once it no longer does. Returns a
   * function that gives the leadership up.
   */
  lead(work: LeaderWork): () => Promise<void>;
  /** Returns true while this process leads. */
  leads(): boolean;
  /** Returns the term in which this process leads or, until the work of a lost one has ended, that term; else undefined. */
  term(): number | undefined;
}

/** Returns the statement that finds, and holds until the transaction ends, a term that is still the newest. */
export const termCheck = (term: number): string => `select term from leader where term = ${term} for share`;

/** @throws ToolError for a write of work that another process has taken over */
export const supersededError = (): ToolError =>
  new ToolError("CANCELLED", "Nothing was stored: another server has taken over the background work", {
    hint: "That server does it from now on.",
  });

/**
 * Elects a leader by a lock that ends with the connection that listens. A connection can be lost without notice, so the
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
  const next = <T>(step: () => Promise<T>): Promise<T> => {
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
      // waits for what a former leader is committing
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

  let isAsking = false;
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      await next(begin);
    } catch (cause) {
      // a lost connection is reported by itself
      if (listener.pid() !== null) log?.warn("leader_unknown", { cause });
    } finally {
      isAsking = false;
    }
  }

  return {
    term: () => held?.term,
    leads: () => held !== null && listener.pid() !== null,
    lead(given) {
      work = given;
      timer ??= setInterval(() => held === null && void ask(), ASK_MS).unref();
      void listener.add({
        prepare: (send) => send(`LISTEN ${CHANNEL}`),
        receive: ({ channel }) => {
          if (channel === CHANNEL) void ask();
        },
        onConnected: () => void ask(),
        onLost: () => void next(end).catch((cause: unknown) => log?.warn("leader_work", { cause })),
      });
      return async () => {
        work = null;
        clearInterval(timer);
        if (!(await next(end))) return;
        await release();
        await listener.send(`NOTIFY ${CHANNEL}`).catch(() => {});
      };
    },
  };
}
