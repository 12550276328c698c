import pg from "pg";
import type { Log } from "../../domain/ports.ts";
import { connectionTo } from "./pool.ts";

const CHANNEL = "market_signal_changes";
/** Changes of this process within this time are announced together. */
const ANNOUNCE_MS = 2;
/** Interval of the check that the connection still answers, and the time that it has for it. */
const CHECK_MS = 5_000;
const ANSWER_MS = 2_000;
/** Pause before the next attempt to connect, with up to as much again at random. */
const RECONNECT_MS = 100;

/** Changes of the database, by this process and by others. */
export interface Changes {
  /** Records a change by this process and announces it to the others. */
  note(): void;
  /** Returns a text that differs after every change; while others cannot be heard, it differs each time. */
  version(): string;
  close(): Promise<void>;
}

/**
 * Listens to the changes of other processes on a connection of its own, which is opened again whenever it ends. They are
 * announced outside of transactions: within one, all commits of the server would wait for each other.
 */
export async function listenToChanges(url: string, log: Pick<Log, "warn"> | undefined): Promise<Changes> {
  let own = 0;
  let others = 0;
  let unread = 0;
  let listener: pg.Client | null = null;
  let isClosed = false;
  let announcing: NodeJS.Timeout | undefined;
  let reconnecting: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const client = new pg.Client({ ...connectionTo(url), query_timeout: ANSWER_MS });
    const lose = (cause?: unknown): void => {
      if (listener === client) listener = null;
      client
        .removeAllListeners("end")
        .end()
        .catch(() => {});
      if (isClosed || reconnecting !== undefined) return;
      log?.warn("database_listener_lost", cause === undefined ? {} : { cause });
      reconnecting = setTimeout(
        () => {
          reconnecting = undefined;
          void connect();
        },
        RECONNECT_MS * (1 + Math.random()),
      ).unref();
    };
    client.on("error", lose);
    client.on("end", () => lose());
    client.on("notification", ({ processId }) => {
      if (processId !== (client as unknown as { readonly processID: number }).processID) others++;
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      if (isClosed) return void client.end().catch(() => {});
      others++; // what changed before is not known
      listener = client;
    } catch (cause) {
      lose(cause);
    }
  }

  /** Sends one statement at a time, as the driver requires; nothing while the connection is lost. */
  let last: Promise<unknown> = Promise.resolve();
  function send(statement: string): Promise<unknown> {
    const sent = last.then(() => listener?.query(statement));
    last = sent.catch(() => {});
    return sent;
  }

  // a connection may be lost without an end of it
  const checking = setInterval(() => {
    const client = listener;
    send("SELECT 1").catch((cause: unknown) => client?.emit("error", cause as Error));
  }, CHECK_MS).unref();
  await connect();

  return {
    note() {
      own++;
      announcing ??= setTimeout(() => {
        announcing = undefined;
        send(`NOTIFY ${CHANNEL}`).catch(() => {});
      }, ANNOUNCE_MS);
    },
    version: () => (listener === null ? `unheard ${++unread}` : `${own} ${others}`),
    async close() {
      isClosed = true;
      clearInterval(checking);
      clearTimeout(reconnecting);
      if (announcing !== undefined) await send(`NOTIFY ${CHANNEL}`).catch(() => {});
      clearTimeout(announcing);
      const client = listener;
      listener = null;
      await client?.end().catch(() => {});
    },
  };
}
