import { asToolError, type ErrorCode, ToolError } from "../../kernel/errors.ts";

export interface StreamLimits {
  readonly maxStreams: number;
  readonly maxPerAccount: number;
  /** Interval at which the key of every open stream is checked, in milliseconds. */
  readonly recheckMs: number;
}

export interface OpenStream {
  readonly id: string;
  readonly account: string;
  /** Rejects if the key that opened the stream is no longer authorized. */
  recheck(): Promise<void>;
  /** Ends the stream; `lost` is the error if its key lost access. */
  close(lost?: ToolError): void | Promise<void>;
}

/** Open streams of one transport, limited in total and per account. */
export interface StreamRegistry<H extends OpenStream> {
  /** Adds a stream. Throws RATE_LIMITED if the account or the server has too many. */
  add(stream: H): void;
  remove(id: string): void;
  find(id: string): H | undefined;
  count(): number;
  close(): Promise<void>;
}

/**
 * Creates an empty registry. Checks the keys of open streams every `recheckMs`. `instead`: the alternative that hints
 * suggest.
 */
export function createStreamRegistry<H extends OpenStream>(
  { maxStreams, maxPerAccount, recheckMs }: StreamLimits,
  instead: string,
): StreamRegistry<H> {
  const open = new Map<string, H>();
  const checking = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const updateTimer = () => {
    if (open.size > 0) timer ??= setInterval(recheckAll, recheckMs).unref();
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  /** Closes streams whose key lost access. Any other failure of the check is ignored. */
  const recheckAll = () => {
    for (const stream of open.values()) {
      if (checking.has(stream.id)) continue;
      checking.add(stream.id);
      stream
        .recheck()
        .catch((cause) => {
          const error = asToolError(cause);
          if (ACCESS_LOST_CODES.has(error.code)) return stream.close(error);
        })
        .finally(() => checking.delete(stream.id));
    }
  };
  const full = (message: string, limit: number) =>
    new ToolError("RATE_LIMITED", message, {
      hint: `Close a stream, or ${instead}.`,
      data: { limit, retry_after: 30 },
    });

  return {
    add(stream) {
      const openStreams = [...open.values()].filter(({ account }) => account === stream.account).length;
      if (openStreams >= maxPerAccount)
        throw full(`This account already has ${openStreams} open streams`, maxPerAccount);
      if (open.size >= maxStreams) throw full("This server has too many open streams", maxStreams);
      open.set(stream.id, stream);
      updateTimer();
    },
    remove(id) {
      open.delete(id);
      updateTimer();
    },
    find: (id) => open.get(id),
    count: () => open.size,
    async close() {
      await Promise.all([...open.values()].map((stream) => stream.close()));
    },
  };
}

/** Error codes that mean that the caller lost access to its stream. */
const ACCESS_LOST_CODES: ReadonlySet<ErrorCode> = new Set([
  "UNAUTHENTICATED",
  "PLAN_REQUIRED",
  "SCOPE_REQUIRED",
  "FORBIDDEN",
]);
