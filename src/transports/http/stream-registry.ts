import { asToolError, type ErrorCode, ToolError } from "../../kernel/errors.ts";

export interface StreamLimits {
  readonly maxStreams: number;
  readonly maxPerAccount: number;
  /** Interval at which the key of every open stream is checked. */
  readonly recheckMs: number;
}

/** An open stream of one account. */
export interface OpenStream {
  readonly id: string;
  readonly account: string;
  /** Rejects if the key that opened the stream is no longer authorized. */
  recheck(): Promise<void>;
  /** Ends the stream; `lost` is the reason if its key lost access. */
  close(lost?: ToolError): void | Promise<void>;
}

/** Open streams of one transport, limited in total and per account. */
export interface StreamRegistry<H extends OpenStream> {
  /** Adds a stream. Throws RATE_LIMITED if the account or the server has too many. */
  add(held: H): void;
  /** Removes a stream. */
  remove(id: string): void;
  find(id: string): H | undefined;
  count(): number;
  close(): Promise<void>;
}

/** Creates an empty registry. Checks the keys of open streams every `recheckMs`; `instead` is the alternative named in hints. */
export function createStreamRegistry<H extends OpenStream>(
  { maxStreams, maxPerAccount, recheckMs }: StreamLimits,
  instead: string,
): StreamRegistry<H> {
  const open = new Map<string, H>();
  const checking = new Set<string>();
  let watch: NodeJS.Timeout | undefined;

  const watching = () => {
    if (open.size > 0) watch ??= setInterval(recheckAll, recheckMs).unref();
    else {
      clearInterval(watch);
      watch = undefined;
    }
  };
  /** Closes streams whose key lost access. Other failures of the check are ignored until the next interval. */
  const recheckAll = () => {
    for (const held of open.values()) {
      if (checking.has(held.id)) continue;
      checking.add(held.id);
      held
        .recheck()
        .catch((cause) => {
          const error = asToolError(cause);
          if (ACCESS_LOST_CODES.has(error.code)) return held.close(error);
        })
        .finally(() => checking.delete(held.id));
    }
  };
  const full = (message: string, limit: number) =>
    new ToolError("RATE_LIMITED", message, {
      hint: `Close a stream, or ${instead}.`,
      data: { limit, retry_after: 30 },
    });

  return {
    add(held) {
      const own = [...open.values()].filter(({ account }) => account === held.account).length;
      if (own >= maxPerAccount) throw full(`This account already has ${own} open streams`, maxPerAccount);
      if (open.size >= maxStreams) throw full("This server has no stream left", maxStreams);
      open.set(held.id, held);
      watching();
    },
    remove(id) {
      open.delete(id);
      watching();
    },
    find: (id) => open.get(id),
    count: () => open.size,
    async close() {
      await Promise.all([...open.values()].map((held) => held.close()));
    },
  };
}

/** Error codes that mean that the caller lost access to its stream. */
const ACCESS_LOST_CODES: ReadonlySet<ErrorCode> = new Set([
  "UNAUTHENTICATED",
  "PLAN_REQUIRED",
  "SCOPE_REQUIRED",
]);
