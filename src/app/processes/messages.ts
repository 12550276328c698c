/** Role of a worker, sent by the primary process when the worker starts. */
export interface WorkerRole {
  /** Number of workers of the server. */
  readonly count: number;
  /** true for the one worker that runs the background work: schedules, alerts, backups. */
  readonly backgroundWork: boolean;
  /** Port to listen on; null for that of the settings. A server with `PORT=0` keeps its port when all workers end. */
  readonly port: number | null;
}

/** A request to all other workers. */
export interface PeerRequest {
  readonly kind: "request";
  /** Chosen by the sender; the responses carry the same id. */
  readonly id: number;
  readonly topic: string;
  readonly payload: unknown;
}

/** Messages of a worker to the primary process. A worker answers each `ping` with a `pong` from its event loop. */
export type FromWorker =
  | { readonly kind: "hello" }
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "pong" }
  | PeerRequest
  | { readonly kind: "response"; readonly id: number; readonly response: unknown };

/** Messages of the primary process to a worker. */
export type ToWorker =
  | ({ readonly kind: "start" } & WorkerRole)
  | { readonly kind: "ping" }
  | PeerRequest
  | { readonly kind: "responses"; readonly id: number; readonly responses: readonly unknown[] };
