import { randomUUID } from "node:crypto";
import { type Peers, RESPONSE_TIMEOUT_MS } from "../../domain/peers-port.ts";
import type { Log } from "../../domain/ports.ts";
import type { Listener } from "./listener.ts";
import { PEER_LOCK, PEERS } from "./locks.ts";

const TO_ALL = "market_signal_peers";
const channelOf = (pid: number): string => `market_signal_peer_${pid}`;
/** Maximum length of a notification in bytes, with room for its id: PostgreSQL refuses 8,000. */
const MAX_BYTES = 7_900;
/** Age in seconds at which a stored body is deleted that was not removed, as after its sender was killed. */
const MAX_AGE_S = 60;

/** Table of the bodies of long messages until they are read; not part of the schema, because SQLite needs none. */
export const PEER_TABLE =
  'CREATE UNLOGGED TABLE IF NOT EXISTS peer_messages (id TEXT COLLATE "C" PRIMARY KEY, body TEXT NOT NULL, sent_at TIMESTAMPTZ NOT NULL DEFAULT now())';

type Message =
  | { readonly kind: "request"; readonly id: number; readonly topic: string; readonly payload: unknown }
  | { readonly kind: "response"; readonly id: number; readonly response: unknown };
type Sent = Message | { readonly kind: "stored"; readonly ref: string; readonly of: Message["kind"] };

interface PendingRequest {
  /** Processes that have not responded yet; null until the request is sent. */
  awaited: Set<number> | null;
  readonly responded: Set<number>;
  readonly responses: unknown[];
  readonly settle: () => void;
}

export interface NotifiedPeers extends Peers {
  /** Starts to receive the requests of other processes, which wait for the responses of this one from then on. */
  join(): Promise<void>;
}

/**
 * Connects the processes on one database by notifications. Each process has a channel, and holds a shared lock, which ends
 * with its listener, as the sign that it responds. A request is sent once, so that no process handles it twice: a process
 * whose listener is lost at that time does not receive it.
 */
export function connectPeers(listener: Listener, log: Pick<Log, "warn"> | undefined): NotifiedPeers {
  const handlers = new Map<string, (payload: never) => unknown>();
  const pending = new Map<number, PendingRequest>();
  const waiting = new Set<() => void>();
  let nextId = 0;

  /** Sends a message; resolves to the ids of the other processes that respond, and a function that deletes its stored body. */
  async function send(channel: string, message: Message) {
    const text = JSON.stringify(message);
    const isLong = Buffer.byteLength(text) > MAX_BYTES;
    const ref = isLong ? randomUUID() : null;
    if (ref !== null) {
      await listener.send(
        `DELETE FROM peer_messages WHERE sent_at < now() - interval '${MAX_AGE_S} seconds'`,
      );
      await listener.send("INSERT INTO peer_messages (id, body) VALUES ($1, $2)", [ref, text]);
    }
    const sent: Sent = ref === null ? message : { kind: "stored", ref, of: message.kind };
    const [row] = await listener.send(
      `SELECT pg_notify($1, $2), ARRAY(SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND classid = 0 AND objid = ${PEERS} AND objsubid = 1 AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS pids`,
      [channel, ref === null ? text : JSON.stringify(sent)],
    );
    return {
      pids: (row as { readonly pids: readonly number[] }).pids,
      remove: () => (ref === null ? undefined : void take(ref).catch(() => {})),
    };
  }

  const take = async (ref: string): Promise<Message | null> => {
    const [row] = await listener.send("DELETE FROM peer_messages WHERE id = $1 RETURNING body", [ref]);
    return row === undefined ? null : (JSON.parse((row as { readonly body: string }).body) as Message);
  };

  const read = async (ref: string): Promise<Message | null> => {
    const [row] = await listener.send("SELECT body FROM peer_messages WHERE id = $1", [ref]);
    return row === undefined ? null : (JSON.parse((row as { readonly body: string }).body) as Message);
  };

  async function responseTo({ topic, payload }: Extract<Message, { kind: "request" }>): Promise<unknown> {
    try {
      return (await handlers.get(topic)?.(payload as never)) ?? null;
    } catch (cause) {
      log?.warn("peer_request", { topic, cause });
      return null;
    }
  }

  async function receive(text: string, from: number): Promise<void> {
    const sent = JSON.parse(text) as Sent;
    // all readers of a request need its body, only one reads a response
    const message = sent.kind !== "stored" ? sent : await (sent.of === "request" ? read : take)(sent.ref);
    if (message?.kind === "request") {
      const response = await responseTo(message);
      await send(channelOf(from), { kind: "response", id: message.id, response });
    }
    if (message?.kind === "response") {
      const request = pending.get(message.id);
      if (request === undefined) return;
      request.responded.add(from);
      if (message.response !== null) request.responses.push(message.response);
      settleIfComplete(request);
    }
  }

  function settleIfComplete({ awaited, responded, settle }: PendingRequest): void {
    if (awaited !== null && [...awaited].every((pid) => responded.has(pid))) settle();
  }

  /** Resolves once the listener is connected, or after the time limit of a request. */
  const connected = (): Promise<void> =>
    new Promise((resolve) => {
      if (listener.pid() !== null) return resolve();
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, RESPONSE_TIMEOUT_MS).unref();
      waiting.add(done);
    });

  return {
    onRequest: (topic, handler) => void handlers.set(topic, handler),
    join: () =>
      listener.add({
        async prepare(send, pid) {
          await send(`LISTEN ${TO_ALL}`);
          await send(`LISTEN ${channelOf(pid)}`);
          await send(PEER_LOCK); // last: others wait for the responses of those that hold it
        },
        receive({ channel, payload, from }) {
          if (channel === TO_ALL || channel.startsWith("market_signal_peer_"))
            receive(payload, from).catch((cause: unknown) => log?.warn("peer_message", { cause }));
        },
        onConnected() {
          for (const resume of waiting) resume();
        },
        onLost() {
          // the responses were sent to the connection that ended
          for (const { settle } of [...pending.values()]) settle();
        },
      }),
    async request(topic, payload) {
      await connected();
      const id = nextId++;
      let remove = () => {};
      const responses = await new Promise<readonly unknown[]>((resolve) => {
        const settle = () => {
          clearTimeout(timer);
          pending.delete(id);
          resolve(request.responses);
        };
        const timer = setTimeout(settle, RESPONSE_TIMEOUT_MS).unref();
        const request: PendingRequest = { awaited: null, responded: new Set(), responses: [], settle };
        pending.set(id, request);
        send(TO_ALL, { kind: "request", id, topic, payload }).then(
          (sent) => {
            ({ remove } = sent);
            request.awaited = new Set(sent.pids);
            settleIfComplete(request);
          },
          (cause: unknown) => {
            log?.warn("peer_request", { topic, cause });
            settle();
          },
        );
      });
      remove();
      return responses;
    },
  };
}
