import type {
  Idempotency,
  IdempotentCall,
  IdempotentRun,
  StoredResponse,
} from "../../domain/accounts/idempotency-port.ts";
import { type ErrorCode, ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { IDEMPOTENCY_KEY, idempotencyUuid } from "../../lib/idempotency-key.ts";
import type { Endpoint } from "../http/paths.ts";
import { PROBLEMS } from "../http/problem.ts";

/** Request header with the idempotency key, which makes a call safe to retry. */
export const IDEMPOTENCY_KEY_HEADER = "Idempotency-Key";
/** Response header that marks a replayed response. */
export const REPLAYED_HEADER = "Idempotency-Replayed";
/** Input field in which tools that deduplicate calls themselves receive the key. */
const KEY_FIELD = "idempotency_key";

/** Retry-After in seconds while a call with the same key is running. */
const RETRY_AFTER_SECONDS = 1;

/** Errors that are not stored: access and quota errors, and errors that may not occur again on a retry. */
const TRANSIENT_CODES: ReadonlySet<ErrorCode> = new Set([
  ...(["UNAUTHENTICATED", "PLAN_REQUIRED", "SCOPE_REQUIRED", "FORBIDDEN"] as const),
  ...(["CONFLICT", "RATE_LIMITED", "CANCELLED"] as const),
]);

/**
 * Returns true if a failure is stored and replayed to retries with the same key. Failures of trades are never stored:
 * an order refused because of the rules, the market or the positions may be accepted a minute later. The trade ticket
 * itself prevents a second execution.
 */
const isReplayable = ({ code }: ToolError, { effect }: Pick<Tool, "effect">): boolean =>
  effect !== "trade" && PROBLEMS[code].status < 500 && !TRANSIENT_CODES.has(code);

/** Returns true if the endpoint accepts an idempotency key: it changes something and is not a GET. */
export const acceptsIdempotencyKey = ({ tool, verb }: Endpoint): boolean =>
  tool.effect !== "read" && verb !== "GET";

/** Returns the key unchanged. Throws INVALID_INPUT if it is not a valid key. */
export function parseIdempotencyKey(header: string): string {
  if (IDEMPOTENCY_KEY.test(header)) return header;
  const message = `${IDEMPOTENCY_KEY_HEADER} must be 1 to 255 printable ASCII characters`;
  throw new ToolError("INVALID_INPUT", message, { hint: "Use a UUID." });
}

/** Returns the input; adds the key as a UUID if the tool has an `idempotency_key` field and the caller omitted it. */
export const withIdempotencyKey = (
  { input }: Tool,
  given: Record<string, unknown>,
  key: string,
): Record<string, unknown> =>
  KEY_FIELD in input.shape && given[KEY_FIELD] === undefined
    ? { ...given, [KEY_FIELD]: idempotencyUuid(key) }
    : given;

/** One call with an idempotency key: executed, or replayed from the stored response. */
export interface IdempotentExecution {
  /**
   * Runs the work unless a response is stored. Rejects with CONFLICT while it is running, and with REFUSED if the key
   * was used for another call.
   */
  run<R>(input: unknown, work: () => Promise<R>): Promise<R>;
  /** Returns the stored response to send instead of the result of `run`, or null if the work was executed. */
  replayedResponse(): StoredResponse | null;
  saveResponse(response: StoredResponse): Promise<void>;
  /** Stores a permanent failure; after any other failure releases the key so that a retry runs the work. */
  saveFailure(error: ToolError, response: () => StoredResponse): Promise<void>;
}

/**
 * Creates the execution of a tool call that runs once per key. `call` identifies the call and is evaluated just before
 * the run.
 */
export function createIdempotentCall(
  idempotency: Idempotency,
  tool: Pick<Tool, "effect">,
  call: () => Omit<IdempotentCall, "input">,
): IdempotentExecution {
  let current: IdempotentRun | null = null;
  let replayed: StoredResponse | null = null;
  return {
    async run<R>(input: unknown, work: () => Promise<R>): Promise<R> {
      const run = await idempotency.begin({ ...call(), input });
      if (run.state === "other") throw keyReusedError();
      if (run.state === "running") throw stillRunningError();
      if (run.state === "begun") {
        current = run;
        return work();
      }
      replayed = run.response;
      return undefined as never;
    },
    replayedResponse: () => replayed,
    saveResponse: async (response) => current?.complete(response),
    async saveFailure(error, response) {
      await (isReplayable(error, tool) ? current?.complete(response()) : current?.release());
    },
  };
}

const keyReusedError = (): ToolError =>
  new ToolError("REFUSED", `This ${IDEMPOTENCY_KEY_HEADER} was used for another call`, {
    hint: "An idempotency key is bound to one route and one input for 24 hours. Check whether the first call succeeded before using a new key.",
  });

const stillRunningError = (): ToolError =>
  new ToolError("CONFLICT", `A call with this ${IDEMPOTENCY_KEY_HEADER} is still running`, {
    hint: "Retry the same request in a moment; it does not run twice.",
    data: { retry_after: RETRY_AFTER_SECONDS },
  });
