import type {
  Idempotency,
  IdempotentCall,
  IdempotentRun,
  StoredResponse,
} from "../../domain/accounts/idempotency-port.ts";
import { type ErrorCode, ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { CALL_KEY, uuidOf } from "../../lib/uuid-of.ts";
import type { Endpoint } from "../http/paths.ts";
import { STATUS } from "../http/problem.ts";

/** The header by which a caller names a call, to send it again safely. */
export const IDEMPOTENCY_KEY_HEADER = "Idempotency-Key";
/** The header of an answer that is told again. */
export const REPLAYED_HEADER = "Idempotency-Replayed";
/** The field of tools that keep calls apart by themselves, which then hear of the key. */
const KEY_FIELD = "idempotency_key";

/** Seconds to wait for a call of that key that still runs. */
const RETRY_AFTER_SECONDS = 1;

/** Refusals of the door and its meters, and such as are gone once the same call is sent again: they are told, not kept. */
const TRANSIENT_CODES: ReadonlySet<ErrorCode> = new Set([
  ...(["UNAUTHENTICATED", "PLAN_REQUIRED", "SCOPE_REQUIRED", "FORBIDDEN"] as const),
  ...(["CONFLICT", "RATE_LIMITED", "CANCELLED"] as const),
]);

/**
 * Whether a failure is told again to whoever sends the same again. Of a trade none is: what its rules, the market or what
 * is held refuse now may pass in a minute, and nothing was begun. That it is begun once is kept by its ticket, whatever is
 * sent how often.
 */
const isReplayable = ({ code }: ToolError, { effect }: Pick<Tool, "effect">): boolean =>
  effect !== "trade" && STATUS[code] < 500 && !TRANSIENT_CODES.has(code);

/** Whether calls there may be named by a key: those that change something. */
export const acceptsIdempotencyKey = ({ tool, verb }: Endpoint): boolean =>
  tool.effect !== "read" && verb !== "GET";

/** The key as it was sent. INVALID_INPUT where it is none. */
export function parseIdempotencyKey(header: string): string {
  if (CALL_KEY.test(header)) return header;
  throw new ToolError(
    "INVALID_INPUT",
    `${IDEMPOTENCY_KEY_HEADER} must be 1 to 255 printable ASCII characters`,
    {
      hint: "A UUID does.",
    },
  );
}

/** The input, to which a tool that keeps calls apart by itself gets the key, unless the caller gave another. */
export const withIdempotencyKey = (
  { input }: Tool,
  given: Record<string, unknown>,
  key: string,
): Record<string, unknown> =>
  KEY_FIELD in input.shape && given[KEY_FIELD] === undefined ? { ...given, [KEY_FIELD]: uuidOf(key) } : given;

/** One call under a key, run or told again. */
export interface IdempotentExecution {
  /** Runs the work unless it was run. CONFLICT while it runs elsewhere, REFUSED where the key is another call's. */
  run<R>(input: unknown, work: () => Promise<R>): Promise<R>;
  /** The answer to tell again, in place of what `run` came to; null where the work was run. */
  replayedAnswer(): StoredResponse | null;
  /** Keeps what the work came to. */
  saveAnswer(answer: StoredResponse): Promise<void>;
  /** Keeps a failure of the work where it would fail again; forgets the call where it may go better. */
  saveFailure(error: ToolError, answer: () => StoredResponse): Promise<void>;
}

/** Runs a call of a tool once for its key; `call` tells which it is when it is about to run. */
export function createIdempotentCall(
  idempotency: Idempotency,
  tool: Pick<Tool, "effect">,
  call: () => Omit<IdempotentCall, "input">,
): IdempotentExecution {
  let begun: IdempotentRun | null = null;
  let told: StoredResponse | null = null;
  return {
    async run<R>(input: unknown, work: () => Promise<R>): Promise<R> {
      const standing = await idempotency.begin({ ...call(), input });
      if (standing.state === "other") throw keyReusedError();
      if (standing.state === "running") throw stillRunningError();
      if (standing.state === "begun") {
        begun = standing;
        return work();
      }
      told = standing.response;
      return undefined as never;
    },
    replayedAnswer: () => told,
    saveAnswer: async (answer) => begun?.complete(answer),
    async saveFailure(error, answer) {
      await (isReplayable(error, tool) ? begun?.complete(answer()) : begun?.release());
    },
  };
}

const keyReusedError = (): ToolError =>
  new ToolError("REFUSED", `This ${IDEMPOTENCY_KEY_HEADER} was used for another call`, {
    hint: "Look whether it was done before you use a new key: a key belongs to one route and one input, as it was first sent, for 24 hours.",
  });

const stillRunningError = (): ToolError =>
  new ToolError("CONFLICT", `The call of this ${IDEMPOTENCY_KEY_HEADER} is still running`, {
    hint: "Send the same again in a moment: it is not run twice.",
    data: { retry_after: RETRY_AFTER_SECONDS },
  });
