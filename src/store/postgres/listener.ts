import pg from "pg";
import type { Log } from "../../domain/ports.ts";
import { connectionTo } from "./pool.ts";

/** Name of the connection in pg_stat_activity. */
export const LISTENER_NAME = "market-signal-listener";
/** Interval of the check that the connection still answers, and the timeout of a statement on it. */
const CHECK_MS = 5_000;
const ANSWER_MS = 2_000;
/** Minimum pause before the next attempt to connect; the maximum is twice as long, chosen at random. */
const RECONNECT_MS = 100;
/** Lets PostgreSQL end the connection of a machine that has disappeared, and its locks, after about 10 s. */
const KEEP_ALIVE =
  "SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3";

/** A user of the connection, with its own channels. */
export interface ListenerPart {
  /** Prepares a new connection before it is used; `pid` is that of its process in PostgreSQL. */
  readonly prepare: (send: Send, pid: number) => Promise<unknown>;
  /** Receives a notification of any channel, and the process that sent it. */
  readonly receive: (notification: { channel: string; payload: string; from: number }) => void;
  readonly onConnected?: () => void;
  readonly onLost?: () => void;
}

type Send = (statement: string, values?: readonly unknown[]) => Promise<readonly pg.QueryResultRow[]>;

/** The connection of this process that receives notifications. It is opened again whenever it is lost. */
export interface Listener {
  /** Process of the connection in PostgreSQL; null while it is lost. */
  pid(): number | null;
  /** Sends a statement, one at a time as the driver requires. Rejects while the connection is lost. */
  readonly send: Send;
  /** Adds a part. Resolves once it is prepared or, while the connection is lost, at once. */
  add(part: ListenerPart): Promise<void>;
  close(): Promise<void>;
}

/** Opens the listener of this process. Resolves also if the connection fails; it is then tried again. */
export async function openListener(url: string, log: Pick<Log, "warn"> | undefined): Promise<Listener> {
  const parts: ListenerPart[] = [];
  let current: pg.Client | null = null;
  let isClosed = false;
  let reconnecting: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function sendOn(client: pg.Client | null, statement: string, values?: readonly unknown[]) {
    const sent = last.then(async () => {
      if (client === null) throw new Error("The connection to PostgreSQL for messages is lost");
      return (await client.query(statement, values as unknown[] | undefined)).rows ?? [];
    });
    last = sent.catch(() => {});
    return sent;
  }

  async function connect(): Promise<void> {
    const client = new pg.Client({
      ...connectionTo(url),
      application_name: LISTENER_NAME,
      query_timeout: ANSWER_MS,
    });
    const lose = (cause?: unknown): void => {
      const wasCurrent = current === client;
      if (wasCurrent) current = null;
      client
        .removeAllListeners("end")
        .removeAllListeners("notification")
        .end()
        .catch(() => {});
      if (wasCurrent) for (const { onLost } of parts) onLost?.();
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
    client.on("notification", ({ channel, payload = "", processId: from }) => {
      if (from !== pidOf(client)) for (const { receive } of parts) receive({ channel, payload, from });
    });
    try {
      await client.connect();
      const send: Send = (statement, values) => sendOn(client, statement, values);
      await send(KEEP_ALIVE);
      for (const { prepare } of parts) await prepare(send, pidOf(client));
      if (isClosed) return void client.end().catch(() => {});
      current = client;
      for (const { onConnected } of parts) onConnected?.();
    } catch (cause) {
      lose(cause);
    }
  }

  // a connection may be lost without the event `end`
  const checking = setInterval(() => {
    const client = current;
    if (client !== null)
      sendOn(client, "SELECT 1").catch((cause: unknown) => client.emit("error", cause as Error));
  }, CHECK_MS).unref();
  await connect();

  const listener: Listener = {
    pid: () => (current === null ? null : pidOf(current)),
    send: (statement, values) => sendOn(current, statement, values),
    async add(part) {
      parts.push(part);
      const client = current;
      if (client === null) return;
      try {
        await part.prepare(listener.send, pidOf(client));
        part.onConnected?.();
      } catch (cause) {
        client.emit("error", cause as Error);
      }
    },
    async close() {
      isClosed = true;
      clearInterval(checking);
      clearTimeout(reconnecting);
      const client = current;
      current = null;
      for (const { onLost } of parts) onLost?.();
      await last;
      await client?.end().catch(() => {});
    },
  };
  return listener;
}

const pidOf = (client: pg.Client): number => (client as unknown as { readonly processID: number }).processID;
