import { PLAN_RANK, type Plan, type Principal } from "../domain/accounts/access.ts";
import type { PortName, Ports } from "../domain/ports.ts";
import { asToolError, ToolError } from "./errors.ts";
import { faultsOf } from "./faults.ts";
import { missingPorts } from "./registry.ts";
import { type OutputOf, type Progress, scopesOf, type Tool } from "./tool.ts";

/** What a call may take where its tool does not say. */
export const DEADLINE_MS = 30_000;

/** What every call runs on: the outside world, the same for all callers. */
export type RuntimePorts = Partial<Ports> & Pick<Ports, "clock" | "ids" | "log" | "meters">;

export interface Call {
  readonly ports: RuntimePorts;
  readonly principal: Principal;
  /** The door it came through, for the log line. */
  readonly door: string;
  readonly signal?: AbortSignal;
  /** In place of `signal`, for a door that watches its caller only where a call takes its time. */
  readonly ending?: Cancellation;
  /** UUID shown to the caller; made when absent. */
  readonly requestId?: string;
  /** What an unsaid `detail` means at this door. */
  readonly detail?: "concise" | "full";
  readonly progress?: (step: Progress) => void;
  /** Asked with the input as it was sent, once it was found fit and before anything of the day is spent: whether to run, or answer otherwise. */
  readonly once?: <R>(input: unknown, work: () => Promise<R>) => Promise<R>;
  /** true for the steps of an agent: the outer call was metered and logged already. */
  readonly inner?: boolean;
}

/** How one call can be ended from outside. */
export interface Cancellation {
  /** Aborting it cancels the call; the call aborts it at the deadline. */
  readonly stop: AbortController;
  /** Called once the work outlasts the turn of the event loop in which it began. */
  watch(): void;
}

/**
 * The one way to run a tool. Doors and agents come through here; nobody calls `handler` directly.
 * `raw` may be a function that reads the input: it is called only once the caller was admitted and counted.
 */
export async function invoke<T extends Tool>(tool: T, raw: unknown, call: Call): Promise<OutputOf<T>> {
  const { principal, ports, door, requestId = ports.ids.uuid(), inner = false } = call;
  const started = ports.clock.now().getTime();
  const note = (level: "info" | "error", code: string, cause?: object) => {
    const ms = ports.clock.now().getTime() - started;
    const line = { tool: tool.name, door, account: principal.account, request_id: requestId, code, ms };
    if (!inner || tool.effect !== "read")
      ports.log[level]("call", cause === undefined ? line : { ...line, ...cause });
  };
  try {
    const output = await run(tool, raw, call, requestId);
    note("info", "OK");
    return output;
  } catch (thrown) {
    const error = asToolError(thrown);
    if (error.code === "INTERNAL") note("error", error.code, { cause: error.cause });
    else note("info", error.code);
    throw error;
  }
}

async function run<T extends Tool>(
  tool: T,
  raw: unknown,
  call: Call,
  requestId: string,
): Promise<OutputOf<T>> {
  const { principal, ports, inner, signal = call.ending?.stop.signal } = call;
  authorize(tool, principal);
  if (!inner) await ports.meters.burst(principal);
  const given = typeof raw === "function" ? await raw() : raw;
  const input = parse(tool, withDetail(tool, given, call.detail));
  const lent = resolvePorts(tool, ports);
  const work = async () => {
    if (signal?.aborted) throw cancelled();
    // refused calls cost nothing of the day
    if (!inner) await ports.meters.day(principal, usesNaturalLanguage(tool, input) ? "assistant" : undefined);
    const output = await withDeadline(tool, call, (signal) =>
      tool.handler(input, {
        ...lent,
        principal,
        requestId,
        signal,
        progress: call.progress ?? (() => {}),
      } as never),
    );
    return tool.output.parse(output) as OutputOf<T>;
  };
  return call.once === undefined ? work() : call.once(given ?? {}, work);
}

/** Whether it is asked something in plain words. */
function usesNaturalLanguage(
  { interprets, routes }: Tool,
  input: Readonly<Record<string, unknown>>,
): boolean {
  const field = interprets ?? routes;
  return field !== undefined && input[field] !== undefined;
}

/** Lets a caller of at least this plan through. Throws UNAUTHENTICATED without a key, PLAN_REQUIRED below it. */
export function authorizePlan(what: string, required: Plan, { plan }: Principal): void {
  if (plan === "open")
    throw new ToolError("UNAUTHENTICATED", `${what} needs an API key`, {
      hint: "Send it as `Authorization: Bearer <key>`; `market-signal keys create` makes one.",
    });
  if (PLAN_RANK[plan] < PLAN_RANK[required])
    throw new ToolError("PLAN_REQUIRED", `${what} needs the "${required}" plan; this key has "${plan}"`, {
      hint: `Use a key of an account on the "${required}" plan or above.`,
      data: { plan, required_plan: required },
    });
}

/** Lets through whoever may call a tool. Throws UNAUTHENTICATED, PLAN_REQUIRED or SCOPE_REQUIRED. */
export function authorize(tool: Tool, principal: Principal): void {
  if (tool.plan === "open") return;
  authorizePlan(`"${tool.name}"`, tool.plan, principal);
  const scope = scopesOf(tool).find((one) => !principal.scopes.includes(one));
  if (scope !== undefined)
    throw new ToolError("SCOPE_REQUIRED", `"${tool.name}" needs the "${scope}" scope`, {
      hint: principal.scopes.includes("admin")
        ? `Use a key that carries "${scope}" beside "admin", as \`market-signal keys create --account ${principal.account} --scopes ${scope},admin\` makes one.`
        : `Use a key that carries "${scope}".`,
      data: { required_scope: scope },
    });
}

/** Gives an unsaid `detail` the door's meaning; anything that is not an object is left for the schema to refuse. */
function withDetail(tool: Tool, raw: unknown, detail: Call["detail"]): unknown {
  if (detail === undefined || !("detail" in tool.input.shape)) return raw ?? {};
  if (raw === undefined || raw === null) return { detail };
  return typeof raw === "object" && !Array.isArray(raw) ? { detail, ...raw } : raw;
}

/** The input of a tool as it was meant. Throws INVALID_INPUT, naming each fault and the fields there are. */
export function parse<T extends Tool>(tool: T, raw: unknown) {
  const input = tool.input.safeParse(raw);
  if (input.success) return input.data;
  const errors = faultsOf(input.error, tool.input, raw);
  const told = errors
    .slice(0, 3)
    .map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer.slice(1) || '""'}: ${detail}`));
  throw new ToolError("INVALID_INPUT", `Invalid input for "${tool.name}": ${told.join("; ")}`, {
    hint: `Fields: ${Object.keys(tool.input.shape).join(", ") || "none"}.`,
    data: { errors },
    cause: input.error,
  });
}

/** The ports a tool asked for; a missing one is a setting the operator has not made. */
function resolvePorts(tool: Tool, ports: RuntimePorts): Partial<Ports> {
  const missing = missingPorts(tool, ports);
  if (missing.length > 0)
    throw new ToolError("NOT_CONNECTED", `"${tool.name}" is not connected here: no ${missing.join(", ")}`, {
      hint: "`market-signal config` lists the settings that connect it.",
    });
  const lent: Record<string, unknown> = {};
  for (const port of tool.needs) lent[port] = ports[port as PortName];
  return lent;
}

/** Runs until the work is done, the caller is gone or the deadline has passed, whichever comes first. */
async function withDeadline<R>(
  tool: Tool,
  { signal: caller, ending }: Call,
  work: (signal: AbortSignal) => Promise<R> | R,
): Promise<R> {
  const stop = ending?.stop ?? new AbortController();
  const leave = () => stop.abort(cancelled());
  caller?.addEventListener("abort", leave, { once: true });
  if (caller?.aborted) leave();
  try {
    stop.signal.throwIfAborted();
    const begun = work(stop.signal);
    return begun instanceof Promise ? await untilStopped(tool, begun, stop, ending) : begun;
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown;
    throw stop.signal.reason instanceof ToolError ? stop.signal.reason : cancelled();
  } finally {
    caller?.removeEventListener("abort", leave);
  }
}

/** The outcome of work, or why it was stopped. The deadline is watched only for work that outlasts this turn. */
function untilStopped<R>(
  { name, deadlineMs = DEADLINE_MS }: Tool,
  work: Promise<R>,
  stop: AbortController,
  ending: Cancellation | undefined,
): Promise<R> {
  return new Promise((resolve, reject) => {
    const { signal } = stop;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUp = () => reject(signal.reason);
    const turn = setImmediate(() => {
      timer = setTimeout(() => {
        const late = `"${name}" did not finish within ${deadlineMs} ms`;
        stop.abort(new ToolError("DEADLINE", late, { hint: "Ask for less, or try again." }));
      }, deadlineMs);
      signal.addEventListener("abort", giveUp, { once: true });
      ending?.watch();
      if (signal.aborted) giveUp();
    });
    const over = () => {
      clearImmediate(turn);
      if (timer === undefined) return;
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    work.then(
      (output) => {
        over();
        resolve(output);
      },
      (thrown: unknown) => {
        over();
        reject(thrown);
      },
    );
  });
}

const cancelled = (): ToolError =>
  new ToolError("CANCELLED", "The call was cancelled", { hint: "Call again if it is still wanted." });
