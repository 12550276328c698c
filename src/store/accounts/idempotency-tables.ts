/** Calls that may be sent again; times are epoch ms. */
export interface IdempotencyTables {
  readonly idempotency: {
    readonly account: string;
    readonly market: string;
    /** As the caller named the call. */
    readonly key: string;
    /** Of route and input, keyed. */
    readonly hash: string;
    /** Names the one run of the call that may write its answer. */
    readonly holder: string;
    /** From then on whoever holds it is dead. */
    readonly held_until: number;
    readonly expires_at: number;
    /** Null until it is answered. */
    readonly status: number | null;
    /** JSON. */
    readonly headers: string | null;
    readonly body: string | null;
  };
}
