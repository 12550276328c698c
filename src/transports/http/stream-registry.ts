import { asToolError, type ErrorCode, ToolError } from "../../kernel/errors.ts";

export interface StreamLimits {
  readonly maxStreams: number;
  readonly maxPerAccount: number;
  /** How often the key of every open stream is looked at again. */
  readonly recheckMs: number;
}

/** A stream that is held open for somebody. */
export interface OpenStream {
  readonly id: string;
  readonly account: string;
  /** Rejects when the key that opened the stream may no longer listen. */
  recheck(): Promise<void>;
  /** Ends it; hears why where the key was lost. */
  close(lost?: ToolError): void | Promise<void>;
}

/** The streams that are open at one door: capped, each bound to the account that opened it. */
export interface StreamRegistry<H extends OpenStream> {
  /** Counts a stream in. RATE_LIMITED when the account or the server has too many. */
  add(held: H): void;
  /** Counts it out. */
  remove(id: string): void;
  find(id: string): H | undefined;
  count(): number;
  close(): Promise<void>;
}

/** Streams of one server, none yet. The keys of those that are open are looked at again as often as the limits say. */
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
  /** A lost key closes its stream; a lookup that merely failed does not: the next one follows at once. */
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

/** What ends a stream whose caller may no longer listen. */
const ACCESS_LOST_CODES: ReadonlySet<ErrorCode> = new Set([
  "UNAUTHENTICATED",
  "PLAN_REQUIRED",
  "SCOPE_REQUIRED",
]);
