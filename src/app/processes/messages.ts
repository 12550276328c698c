/** What the first process tells a worker when it starts. */
export interface WorkerRole {
  /** Number of workers of the server. */
  readonly count: number;
  /** true for the one worker that does the upkeep: schedules, alerts, backups. */
  readonly upkeep: boolean;
}

/** Messages of a worker to the first process. */
export type FromWorker =
  | { readonly kind: "hello" }
  | { readonly kind: "listening" }
  | { readonly kind: "ask"; readonly id: number; readonly topic: string; readonly question: unknown }
  | { readonly kind: "reply"; readonly id: number; readonly reply: unknown };

/** Messages of the first process to a worker. */
export type ToWorker =
  | ({ readonly kind: "start" } & WorkerRole)
  | { readonly kind: "ask"; readonly id: number; readonly topic: string; readonly question: unknown }
  | { readonly kind: "replies"; readonly id: number; readonly replies: readonly unknown[] };
