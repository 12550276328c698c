/** Role of a worker, sent by the primary process when the worker starts. */
export interface WorkerRole {
  /** Number of workers of the server. */
  readonly count: number;
  /** true for the one worker that runs the background work: schedules, alerts, backups. */
  readonly backgroundWork: boolean;
}

/** A request to all other workers. */
interface PeerRequest {
  readonly kind: "request";
  /** Chosen by the sender; the responses carry the same id. */
  readonly id: number;
  readonly topic: string;
  readonly payload: unknown;
}

/** Messages of a worker to the primary process. */
export type FromWorker =
  | { readonly kind: "hello" }
  | { readonly kind: "listening" }
  | PeerRequest
  | { readonly kind: "response"; readonly id: number; readonly response: unknown };

/** Messages of the primary process to a worker. */
export type ToWorker =
  | ({ readonly kind: "start" } & WorkerRole)
  | PeerRequest
  | { readonly kind: "responses"; readonly id: number; readonly responses: readonly unknown[] };
