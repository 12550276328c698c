import { isApp, PLAN_RANK, type Plan, type Principal } from "../domain/accounts/access.ts";
import { keyExpiryNotes } from "../domain/accounts/key-expiry.ts";
import type { AdmittedMessage, PortName, Ports } from "../domain/ports.ts";
import type { TraceContext } from "../domain/trace.ts";
import type { Tracer } from "../domain/tracing-port.ts";
import { continueAs } from "../lib/event-loop.ts";
import { sharedSignal } from "../lib/shared-signal.ts";
import { beginCall } from "./call-log.ts";
import { asToolError, ToolError } from "./errors.ts";
import { readInput } from "./read-input.ts";
import { missingPorts } from "./registry.ts";
import { withLabelField } from "./sample-label.ts";
import { scopeFault } from "./scope-fault.ts";
import { SharedAnswer, sizeOf } from "./shared-answer.ts";
import { type OutputOf, type Progress, scopesOf, type Tool, textFieldOf } from "./tool.ts";

/** Default deadline of a call, in milliseconds. */
export const DEADLINE_MS = 30_000;

/** Input fields that refer to the caller's account; answers to them are not shared with other accounts. */
const ACCOUNT_FIELDS: readonly string[] = ["watchlist", "connection_id"];

/** The connected ports that calls run on, the same for all callers. */
export type RuntimePorts = Partial<Ports> &
  Pick<Ports, "clock" | "ids" | "log" | "meters"> & {
    /** Records each call. Default: none is recorded. */
    readonly tracer?: Tracer;
  };

export interface Call {
  readonly ports: RuntimePorts;
  readonly principal: Principal;
  /** Transport of the call, for the log line. */
  readonly transport: string;
  /** The admission of the message that makes the call. Default: the call itself is charged to the burst window. */
  readonly admitted?: AdmittedMessage | undefined;
  readonly signal?: AbortSignal;
  /** Replaces `signal` for a transport that listens for a disconnect only once the call waits. */
  readonly cancellation?: Cancellation;
  /** UUID returned to the caller. Default: a new one. */
  readonly requestId?: string;
  /** Trace context of the caller. Default: none. */
  readonly trace?: TraceContext | undefined;
  /** Default of the input field `detail` over this transport. */
  readonly detail?: "concise" | "full";
  readonly progress?: (step: Progress) => void;
  /** true: the caller chose to use only tools that change nothing. Default: false. */
  readonly readonly?: boolean;
  /**
   * Idempotency hook: called with the raw input after validation and before the daily quota is charged. May return a
   * stored response instead of calling `work`.
   */
  readonly runOnce?: <R>(input: unknown, work: () => Promise<R>) => Promise<R>;
  /** true for the steps of an agent: the outer call is metered and logged. Default: false. */
  readonly nested?: boolean;
}

/** Lets a transport cancel a call. */
export interface Cancellation {
  /** Aborting it cancels the call; the deadline aborts it too. */
  readonly controller: AbortController;
  /** Called when the call continues after the event loop iteration in which it began. */
  watch(): void;
}

/**
 * Runs a tool. Transports and agents call this, never `handler`. `raw` may be a function that reads the input: it is
 * called only after the caller is authorized and the message counted.
 */
export function invoke<T extends Tool>(tool: T, raw: unknown, call: Call): Promise<OutputOf<T>> {
  const { ports, transport, trace } = call;
  if (ports.tracer === undefined) return invokeLogged(tool, raw, call);
  const facts = { parent: trace, attributes: { tool: tool.name, transport } };
  return ports.tracer.span(`tool ${tool.name}`, facts, ({ context }) =>
    invokeLogged(tool, raw, { ...call, trace: context }),
  );
}

async function invokeLogged<T extends Tool>(tool: T, raw: unknown, call: Call): Promise<OutputOf<T>> {
  const { ports, requestId = ports.ids.uuid(), nested = false } = call;
  const finish = beginCall(tool, call, requestId);
  try {
    const output = await run(tool, raw, call, requestId);
    finish("OK", nested || ports.usage === undefined ? 0 : sizeOf(output));
    return output;
  } catch (thrown) {
    const error = asToolError(thrown);
    finish(error.code, 0, error.code === "INTERNAL" ? { cause: error.cause } : undefined);
    throw error;
  }
}

async function run<T extends Tool>(
  tool: T,
  raw: unknown,
  call: Call,
  requestId: string,
): Promise<OutputOf<T>> {
  const { principal, ports, nested, admitted, signal = call.cancellation?.controller.signal } = call;
  authorize(tool, principal);
  if (!nested && admitted === undefined) await ports.meters.countBurst(principal);
  const given = typeof raw === "function" ? await raw() : raw;
  const { input, dropped, ...read } = readInput(tool, withDetail(tool, given, call.detail), ports);
  // the token of an app renews itself
  const keyNotes = nested || isApp(principal) ? [] : keyExpiryNotes(principal.expiresAt, ports.clock.now());
  const understood = [...read.understood, ...keyNotes];
  const toolPorts = resolvePorts(tool, ports, principal);
  const work = async () => {
    const ready = tool.ready?.(input, toolPorts as never, signal);
    if (ready !== undefined) {
      call.cancellation?.watch();
      await ready.catch(orCancelled(signal));
    }
    if (signal?.aborted) throw cancelled();
    const started = nested ? undefined : ports.meters.startCall(principal, signal);
    if (started instanceof Promise) call.cancellation?.watch();
    const end = started instanceof Promise ? await started.catch(orCancelled(signal)) : started;
    try {
      return await countAndRun();
    } finally {
      end?.();
    }
  };
  const countAndRun = async () => {
    // after parsing: invalid input is not charged to the daily quota
    if (!nested) {
      // nor are health checks without a key, so that probes never use up the day of their network
      if (tool.role !== "health" || principal.plan !== "open")
        await ports.meters.countDaily(principal, usesNaturalLanguage(tool, input) ? "assistant" : undefined);
      // calls that waited for the same write would otherwise all run in one iteration
      const turn = continueAs(principal.account);
      if (turn !== undefined) await turn;
    }
    const handle = (signal: AbortSignal) => {
      const facts = {
        principal,
        requestId,
        signal,
        progress: call.progress ?? (() => {}),
        readonly: call.readonly ?? false,
        // for the steps of an agent
        ...(ports.tracer && { tracer: ports.tracer }),
      };
      return tool.handler(input, Object.assign(facts, toolPorts) as never);
    };
    const checked = (result: object) => tool.output.parse(withLabelField(tool, ports.market, result));
    if (toolPorts.answers === undefined || ACCOUNT_FIELDS.some((field) => input[field] !== undefined))
      return withNotes(checked(await withDeadline(tool, call, handle)), understood) as OutputOf<T>;
    const { answers } = toolPorts;
    const key = `${tool.name} ${JSON.stringify(input)}`;
    const shared = await withDeadline(tool, call, (signal) =>
      answers.remember(key, async () => new SharedAnswer(checked(await handle(signal)))),
    );
    const server_time = ports.clock.now().toISOString();
    return withNotes(shared.forCall({ request_id: requestId, server_time }), understood) as OutputOf<T>;
  };
  return call.runOnce === undefined ? work() : call.runOnce(without(given ?? {}, dropped), work);
}

/** Returns fields without those that mean nothing to the tool, such as the id of a call, which changes with each retry. */
const without = (fields: object, names: readonly string[]): object =>
  names.length === 0
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Adds what was understood differently from what was sent. A copy is no shared answer. */
const withNotes = (answer: object, understood: readonly string[]): object =>
  understood.length === 0
    ? answer
    : { ...answer, understood: [...understood, ...((answer as UnderstoodAnswer).understood ?? [])] };

interface UnderstoodAnswer {
  readonly understood?: readonly string[];
}

/** Returns true for a call with a text to interpret, which the `assistant` quota counts. */
function usesNaturalLanguage(tool: Tool, input: Readonly<Record<string, unknown>>): boolean {
  const field = textFieldOf(tool);
  return field !== undefined && input[field] !== undefined;
}

/** Throws UNAUTHENTICATED without a key, PLAN_REQUIRED for a plan below `required`. */
export function authorizePlan(what: string, required: Plan, { plan }: Principal): void {
  if (plan === "open")
    throw new ToolError("UNAUTHENTICATED", `${what} needs an API key`, {
      hint: "Send it as `Authorization: Bearer <key>`.",
      command: "market-signal keys create",
    });
  if (PLAN_RANK[plan] < PLAN_RANK[required])
    throw new ToolError("PLAN_REQUIRED", `${what} needs the "${required}" plan; this account has "${plan}"`, {
      hint: `Use an account on the "${required}" plan or above; the owner of the server changes plans.`,
      data: { plan, required_plan: required },
    });
}

/** Throws UNAUTHENTICATED, PLAN_REQUIRED or SCOPE_REQUIRED if the caller may not call the tool. */
export function authorize(tool: Tool, principal: Principal): void {
  if (tool.plan === "open") return;
  authorizePlan(`"${tool.name}"`, tool.plan, principal);
  const scope = scopesOf(tool).find((required) => !principal.scopes.includes(required));
  if (scope !== undefined) throw scopeFault(tool.name, scope, principal);
}

/** Adds the transport's default of `detail`. The schema rejects anything that is not an object. */
function withDetail(tool: Tool, raw: unknown, detail: Call["detail"]): unknown {
  if (detail === undefined || !("detail" in tool.input.shape)) return raw ?? {};
  if (raw === undefined || raw === null) return { detail };
  return typeof raw === "object" && !Array.isArray(raw) ? { detail, ...raw } : raw;
}

/** Returns the ports a tool needs. Throws NOT_CONNECTED if a port is not connected. */
function resolvePorts(tool: Tool, ports: RuntimePorts, { account }: Principal): Partial<Ports> {
  const missing = missingPorts(tool, ports);
  if (missing.length > 0)
    throw new ToolError("NOT_CONNECTED", `"${tool.name}" is not connected: it needs ${missing.join(", ")}`, {
      hint: "The owner of the server connects it with a setting.",
      command: "market-signal config",
    });
  const needed: Record<string, unknown> = {};
  for (const port of tool.needs)
    needed[port] = port === "compute" ? ports.compute?.of(account) : ports[port as PortName];
  return needed;
}

/** Runs until the work is done, the caller disconnects or the deadline passes, whichever comes first. */
async function withDeadline<R>(
  tool: Tool,
  { signal: caller, cancellation }: Call,
  work: (signal: AbortSignal) => Promise<R> | R,
): Promise<R> {
  const controller = cancellation?.controller ?? new AbortController();
  const signal = sharedSignal(controller.signal);
  const cancel = () => controller.abort(cancelled());
  caller?.addEventListener("abort", cancel, { once: true });
  if (caller?.aborted) cancel();
  try {
    signal.throwIfAborted();
    const started = work(signal);
    return started instanceof Promise ? await untilAborted(tool, started, controller, cancellation) : started;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    throw signal.reason instanceof ToolError ? signal.reason : cancelled();
  } finally {
    caller?.removeEventListener("abort", cancel);
  }
}

/**
 * Resolves to the result of the work, or rejects with the reason of its abort. The deadline timer starts only for work
 * that continues after this iteration of the event loop.
 */
function untilAborted<R>(
  { name, deadlineMs = DEADLINE_MS }: Tool,
  work: Promise<R>,
  controller: AbortController,
  cancellation: Cancellation | undefined,
): Promise<R> {
  return new Promise((resolve, reject) => {
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abort = () => reject(signal.reason);
    const immediate = setImmediate(() => {
      timer = setTimeout(() => {
        const message = `"${name}" did not finish within ${deadlineMs} ms`;
        controller.abort(new ToolError("DEADLINE", message, { hint: "Request less data, or retry." }));
      }, deadlineMs);
      signal.addEventListener("abort", abort, { once: true });
      cancellation?.watch();
      if (signal.aborted) abort();
    });
    const release = () => {
      clearImmediate(immediate);
      if (timer === undefined) return;
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    work.then(
      (output) => {
        release();
        resolve(output);
      },
      (thrown: unknown) => {
        release();
        reject(thrown);
      },
    );
  });
}

/** Rejects with CANCELLED if the caller cancelled, else with the cause. */
const orCancelled =
  (signal: AbortSignal | undefined) =>
  (cause: unknown): never => {
    throw signal?.aborted ? cancelled() : cause;
  };

const cancelled = (): ToolError =>
  new ToolError("CANCELLED", "The call was cancelled", { hint: "Retry if the result is still needed." });
