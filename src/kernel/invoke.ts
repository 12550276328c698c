import { PLAN_RANK, type Plan, type Principal } from "../domain/access.ts";
import type { PortName, Ports } from "../ports/index.ts";
import { asToolError, ToolError } from "./errors.ts";
import { faultsOf } from "./faults.ts";
import { missingPorts } from "./registry.ts";
import { type OutputOf, type Progress, SCOPE_OF, type Tool } from "./tool.ts";

const DEADLINE_MS = 30_000;

/** What every call runs on: the outside world, the same for all callers. */
export type Ground = Partial<Ports> & Pick<Ports, "clock" | "ids" | "log" | "meters">;

export interface Call {
  readonly ports: Ground;
  readonly principal: Principal;
  /** The door it came through, for the log line. */
  readonly door: string;
  readonly signal?: AbortSignal;
  /** UUID shown to the caller; made when absent. */
  readonly requestId?: string;
  /** What an unsaid `detail` means at this door. */
  readonly detail?: "concise" | "full";
  readonly progress?: (step: Progress) => void;
  /** true for the steps of an agent: the outer call was metered and logged already. */
  readonly inner?: boolean;
}

/**
 * The one way to run a tool. Doors and agents come through here; nobody calls `handler` directly.
 * `raw` may be a function that reads the input: it is called only once the caller was admitted and counted.
 */
export async function invoke<T extends Tool>(tool: T, raw: unknown, call: Call): Promise<OutputOf<T>> {
  const { principal, ports, door, requestId = ports.ids.uuid(), inner = false } = call;
  const started = ports.clock.now().getTime();
  const line = { tool: tool.name, door, account: principal.account, request_id: requestId };
  const ms = () => ports.clock.now().getTime() - started;
  try {
    const output = await run(tool, raw, { ...call, requestId });
    if (!inner) ports.log.info("call", { ...line, code: "OK", ms: ms() });
    return output;
  } catch (thrown) {
    const error = asToolError(thrown);
    const broken = error.code === "INTERNAL";
    if (!inner)
      ports.log[broken ? "error" : "info"]("call", {
        ...line,
        code: error.code,
        ms: ms(),
        ...(broken && { cause: error.cause }),
      });
    throw error;
  }
}

async function run<T extends Tool>(
  tool: T,
  raw: unknown,
  call: Call & { readonly requestId: string },
): Promise<OutputOf<T>> {
  const { principal, ports, requestId, inner } = call;
  admit(tool, principal);
  if (!inner) await ports.meters.burst(principal);
  const given = typeof raw === "function" ? await raw() : raw;
  const input = parse(tool, withDetail(tool, given, call.detail));
  const lent = lend(tool, ports);
  if (call.signal?.aborted) throw cancelled();
  if (!inner) await ports.meters.day(principal); // refused calls cost nothing of the day
  const output = await bounded(tool, call.signal, (signal) =>
    tool.handler(input, {
      ...lent,
      principal,
      requestId,
      signal,
      progress: call.progress ?? (() => {}),
    } as never),
  );
  return tool.output.parse(output) as OutputOf<T>;
}

/** Lets a caller of at least this plan through. Throws UNAUTHENTICATED without a key, PLAN_REQUIRED below it. */
export function admitPlan(what: string, required: Plan, { plan }: Principal): void {
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

function admit(tool: Tool, principal: Principal): void {
  if (tool.plan === "open") return;
  admitPlan(`"${tool.name}"`, tool.plan, principal);
  const scope = SCOPE_OF[tool.effect];
  if (!principal.scopes.includes(scope))
    throw new ToolError("SCOPE_REQUIRED", `"${tool.name}" needs the "${scope}" scope`, {
      hint: `Use a key that carries "${scope}".`,
      data: { required_scope: scope },
    });
}

/** Gives an unsaid `detail` the door's meaning; anything that is not an object is left for the schema to refuse. */
function withDetail(tool: Tool, raw: unknown, detail: Call["detail"]): unknown {
  if (detail === undefined || !("detail" in tool.input.shape)) return raw ?? {};
  if (raw === undefined || raw === null) return { detail };
  return typeof raw === "object" && !Array.isArray(raw) ? { detail, ...raw } : raw;
}

function parse<T extends Tool>(tool: T, raw: unknown) {
  const input = tool.input.safeParse(raw);
  if (input.success) return input.data;
  const errors = faultsOf(input.error);
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
function lend(tool: Tool, ports: Ground) {
  const missing = missingPorts(tool, ports);
  if (missing.length > 0)
    throw new ToolError("NOT_CONNECTED", `"${tool.name}" is not connected here: no ${missing.join(", ")}`, {
      hint: "`market-signal config` lists the settings that connect it.",
    });
  return Object.fromEntries(tool.needs.map((port: PortName) => [port, ports[port]]));
}

/** Runs until the work is done, the caller is gone or the deadline has passed, whichever comes first. */
async function bounded<R>(
  { name, deadlineMs = DEADLINE_MS }: Tool,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<R> | R,
): Promise<R> {
  const stop = new AbortController();
  const leave = () => stop.abort(cancelled());
  const timer = setTimeout(
    () =>
      stop.abort(
        new ToolError("DEADLINE", `"${name}" did not finish within ${deadlineMs} ms`, {
          hint: "Ask for less, or try again.",
        }),
      ),
    deadlineMs,
  );
  caller?.addEventListener("abort", leave, { once: true });
  if (caller?.aborted) leave();
  try {
    stop.signal.throwIfAborted();
    return await Promise.race([work(stop.signal), whenAborted(stop.signal)]);
  } catch (thrown) {
    throw stop.signal.aborted ? stop.signal.reason : thrown;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", leave);
  }
}

const whenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );

const cancelled = (): ToolError =>
  new ToolError("CANCELLED", "The call was cancelled", { hint: "Call again if it is still wanted." });
