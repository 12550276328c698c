import { type MessageExtraInfo, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/access.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { type SseStream, type SseStreamOptions, sseStream } from "./sse-stream.ts";

export interface SseLimits extends Omit<SseStreamOptions, "id" | "messageUrl"> {
  readonly maxStreams: number;
  readonly maxPerAccount: number;
  /** How often the key of every open stream is looked at again. */
  readonly recheckMs: number;
}

export const SSE_LIMITS: SseLimits = {
  keepAliveMs: 15_000,
  idleMs: 30 * 60_000,
  bufferBytes: 1 << 20,
  maxStreams: 100,
  maxPerAccount: 10,
  recheckMs: 500,
};

interface Opening {
  readonly id: string;
  readonly messageUrl: string;
  readonly account: string;
  /** Rejects when the key that opened the stream may no longer listen. */
  recheck(): Promise<void>;
  /** Puts a server behind the stream. */
  serve(stream: SseStream): Promise<void>;
}

interface SseStreams {
  /** The response of a new stream. RATE_LIMITED when the account or the server has too many. */
  open(opening: Opening): Promise<Response>;
  /** Takes one posted message. NOT_FOUND unless this account opened the stream; INVALID_INPUT unless it is JSON-RPC. */
  post(id: string, body: unknown, caller: Principal, extra: MessageExtraInfo): void;
  count(): number;
  close(): Promise<void>;
}

interface Open {
  readonly stream: SseStream;
  readonly opening: Opening;
}

/** All open HTTP+SSE streams of a process: capped, each bound to the account that opened it. */
export function sseStreams(limits: SseLimits = SSE_LIMITS): SseStreams {
  const open = new Map<string, Open>();
  const checking = new Set<string>();
  let watch: NodeJS.Timeout | undefined;

  const watching = () => {
    if (open.size > 0) watch ??= setInterval(recheckAll, limits.recheckMs).unref();
    else {
      clearInterval(watch);
      watch = undefined;
    }
  };
  /** A lost key closes its stream; a lookup that merely failed does not: each POST is checked again anyway. */
  const recheckAll = () => {
    for (const { stream, opening } of open.values()) {
      if (checking.has(opening.id)) continue;
      checking.add(opening.id);
      opening
        .recheck()
        .catch((cause) => {
          if (LOST.has(asToolError(cause).code)) return stream.close();
        })
        .finally(() => checking.delete(opening.id));
    }
  };

  return {
    async open(opening) {
      const own = [...open.values()].filter((other) => other.opening.account === opening.account).length;
      if (own >= limits.maxPerAccount)
        throw full(`This account already has ${own} open streams`, limits.maxPerAccount);
      if (open.size >= limits.maxStreams) throw full("This server has no stream left", limits.maxStreams);
      const stream = sseStream({ ...limits, id: opening.id, messageUrl: opening.messageUrl });
      stream.onclose = () => {
        open.delete(opening.id);
        watching();
      };
      open.set(opening.id, { stream, opening });
      watching();
      try {
        await opening.serve(stream);
      } catch (cause) {
        await stream.close();
        throw cause;
      }
      return stream.response;
    },
    post(id, body, { account }, extra) {
      const found = open.get(id);
      if (found?.opening.account !== account)
        throw new ToolError("NOT_FOUND", "No open stream with this id for this key", {
          hint: "Open the event stream again; its first event names the new message URL.",
        });
      found.stream.receive(messageOf(body), extra);
    },
    count: () => open.size,
    async close() {
      await Promise.all([...open.values()].map(({ stream }) => stream.close()));
    },
  };
}

const LOST: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "PLAN_REQUIRED"]);

const full = (message: string, limit: number) =>
  new ToolError("RATE_LIMITED", message, {
    hint: "Close a stream, or use the streamable HTTP address, which keeps none open.",
    data: { limit, retry_after: 30 },
  });

function messageOf(body: unknown) {
  try {
    return parseJSONRPCMessage(body);
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", "The body is not one JSON-RPC 2.0 message", { cause });
  }
}
