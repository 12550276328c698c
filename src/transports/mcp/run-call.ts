import type {
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from "@modelcontextprotocol/server";
import { asToolError } from "../../kernel/errors.ts";
import { invoke } from "../../kernel/invoke.ts";
import type { Progress, Tool } from "../../kernel/tool.ts";
import { resolveCall, unknownTool } from "./call-tool.ts";
import { callWithChoice } from "./choice.ts";
import type { SettingsStore } from "./client-settings.ts";
import { mayRequestConfirmation, runConfirmed } from "./confirm-in-browser.ts";
import { listFoundTools, withCallHint } from "./found-tools.ts";
import { type ClientLog, levelOf } from "./log-messages.ts";
import { createProgressReporter } from "./progress.ts";
import { toCallResult, toErrorResult } from "./render.ts";
import { traceOf } from "./request-facts.ts";
import type { McpServerDeps, McpSession } from "./server-deps.ts";
import { resultForView } from "./view-call.ts";

export interface ToolSession extends McpSession {
  readonly log: ClientLog;
  /** Settings with the tools that the client has found; null if its list does not change. */
  readonly clientList: SettingsStore | null;
  takesData(): boolean;
  /** Returns true if the client can ask its user. */
  canAsk(): boolean;
  /** Returns true if the client can open a page for its user. */
  canOpen(): boolean;
  /** Returns true if the client draws views. */
  showsViews(): boolean;
}

/** Calls the tool that a request names. The user of the client may be asked, or led to a page, first. */
export async function callTool(
  deps: McpServerDeps,
  { takesData, log, clientList, canAsk, canOpen, showsViews, ...session }: ToolSession,
  params: CallToolRequest["params"],
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { tools } = session;
  const resolved = resolveCall(params, tools);
  if (resolved === null) return unknownTool(params, tools);
  const { tool, input, refusal } = resolved;
  if (refusal !== undefined) return toErrorResult(refusal);
  const progress = createProgressReporter(ctx.mcpReq, { log });
  const dataOf = async (given: unknown) => {
    const runOnce = () => run(deps, session, { tool, input: given, ctx, log, progress: progress.report });
    const { confirmations } = deps.ports;
    if (confirmations === undefined || !mayRequestConfirmation(tool) || !canOpen())
      return { data: await runOnce() };
    const { account } = session.resolveCaller(ctx).principal;
    const state = (id: string) => confirmations.state(account, id);
    return runConfirmed({ run: runOnce, state, progress: progress.report, running: deps.running }, ctx);
  };
  const call = async (given: unknown): Promise<CallToolResult | InputRequiredResult> => {
    const found = await dataOf(given);
    await progress.flushed();
    if ("question" in found) return found.question;
    const { data } = found;
    if (listFoundTools(tool, data, tools, clientList))
      await ctx.mcpReq.notify({ method: "notifications/tools/list_changed" });
    const answer = withCallHint(tool, data, tools);
    const result = toCallResult(tool, answer, { market: deps.ports.market, takesData: takesData() });
    if (tool.view === undefined || !showsViews()) return result;
    return resultForView(tool, result, data, { deps, session, ctx });
  };
  try {
    return canAsk()
      ? await callWithChoice(tool, input, ctx, { running: deps.running, call })
      : await call(input);
  } catch (cause) {
    return toErrorResult(asToolError(cause));
  }
}

interface ToolRequest {
  readonly tool: Tool;
  readonly input: unknown;
  readonly ctx: ServerContext;
  readonly log: ClientLog;
  readonly progress?: (step: Progress) => void;
}

/** Runs a tool for the caller of a request. The client or the server can cancel the call. */
export async function run(
  { ports, running }: McpServerDeps,
  { transport, tools, resolveCaller }: McpSession,
  { tool, input, ctx, log, progress }: ToolRequest,
): Promise<Record<string, unknown>> {
  const { signal, id, _meta } = ctx.mcpReq;
  const { onRun, ...caller } = resolveCaller(ctx);
  const started = ports.clock.now().getTime();
  const stop = new AbortController();
  const cancel = () => stop.abort();
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  running.add(stop);
  const release = onRun?.(id, cancel);
  try {
    await log.write("debug", `${tool.name} started`);
    const data = await invoke(tool, input, {
      ...caller,
      ...traceOf(_meta, caller),
      ports,
      transport,
      detail: "concise",
      readonly: tools.readonly,
      signal: stop.signal,
      ...(progress && { progress }),
    });
    await log.write("info", `${tool.name} succeeded in ${ports.clock.now().getTime() - started} ms`);
    return data;
  } catch (cause) {
    const { code, message } = asToolError(cause);
    await log.write(levelOf(code), `${tool.name} failed: ${code}: ${message}`);
    throw cause;
  } finally {
    release?.();
    running.delete(stop);
    signal.removeEventListener("abort", cancel);
  }
}
