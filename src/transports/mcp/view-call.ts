import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { type Call, invoke, type RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry } from "../../kernel/registry.ts";
import type { Tool } from "../../kernel/tool.ts";
import { type MadeCall, withViewData } from "./views.ts";

interface ViewRequest {
  readonly deps: { readonly registry: Pick<Registry, "tools">; readonly ports: RuntimePorts };
  readonly session: {
    readonly transport: string;
    readonly tools: { readonly readonly: boolean };
    resolveCaller(ctx: ServerContext): Pick<Call, "principal"> & { readonly onRun?: unknown };
  };
  readonly ctx: ServerContext;
}

/** Returns the result of a tool with what its view needs: its data, and the result of its first call. */
export const resultForView = async (
  tool: Tool,
  result: CallToolResult,
  data: Readonly<Record<string, unknown>>,
  request: ViewRequest,
): Promise<CallToolResult> => withViewData(result, data, await firstCallOf(tool, data, request));

/**
 * Makes the first call of the view of an answer, as a part of the call that gave the answer: it is not metered. Null if
 * the view makes none, or if the call fails: the view then makes it itself.
 */
async function firstCallOf(
  { view }: Tool,
  data: Readonly<Record<string, unknown>>,
  { deps: { registry, ports }, session: { transport, tools, resolveCaller }, ctx }: ViewRequest,
): Promise<MadeCall | null> {
  const first = view?.firstCall?.(data);
  const tool = registry.tools.find(({ name }) => name === first?.name);
  if (first === undefined || tool === undefined) return null;
  const { onRun: _, ...caller } = resolveCaller(ctx);
  const { signal } = ctx.mcpReq;
  const part = { detail: "concise", nested: true, readonly: tools.readonly } as const;
  return invoke(tool, first.input, { ...caller, ports, transport, signal, ...part }).then(
    (output) => ({ ...first, output }),
    () => null,
  );
}
