import { maxEffect, type Tool } from "../../kernel/tool.ts";
import { ACTION_DISPATCHER, toolsetHint } from "./call-tool.ts";
import type { SettingsStore } from "./client-settings.ts";
import type { ConnectionTools } from "./connection-tools.ts";

/** Result of the tool search. */
interface Found extends Record<string, unknown> {
  readonly tools: readonly { readonly name: string }[];
  readonly hint: string | null;
}

/** Returns the unlisted tools of a result of the finder that change something, in its order. */
function unlistedActions({ tools }: Found, { callable, listed }: ConnectionTools): readonly Tool[] {
  const known: ReadonlySet<string> = new Set(listed.map(({ name }) => name));
  return tools
    .flatMap(({ name }) => callable.get(name) ?? [])
    .filter((tool) => !known.has(tool.name) && maxEffect(tool) !== "read");
}

/** Returns the result of a tool; for the finder, with a hint on how to call the tools that change something. */
export function withCallHint<R extends Record<string, unknown>>(
  tool: Tool,
  result: R,
  tools: ConnectionTools,
): R {
  if (tool.role !== "finder") return result;
  const actions = unlistedActions(result as unknown as Found, tools);
  const trades = actions.filter((one) => maxEffect(one) === "trade");
  const writes = actions.filter((one) => !trades.includes(one));
  const names = (some: readonly Tool[]) => some.map(({ name }) => name).join(", ");
  const hints = [
    ...[(result as unknown as Found).hint ?? []].flat(),
    ...(writes.length > 0 ? [`Call by its own name or through ${ACTION_DISPATCHER}: ${names(writes)}.`] : []),
    ...(trades.length > 0 ? [`Call by its own name only: ${names(trades)}. ${toolsetHint(trades)}`] : []),
  ];
  return hints.length === 0 ? result : { ...result, hint: hints.join(" ") };
}

/**
 * Adds the tools of a result of the finder that change something to the list of a client. Returns true if the list has
 * changed.
 */
export function listFoundTools(
  tool: Tool,
  result: Record<string, unknown>,
  tools: ConnectionTools,
  settings: SettingsStore | null,
): boolean {
  if (tool.role !== "finder" || settings === null) return false;
  const { found = [] } = settings.get();
  const added = unlistedActions(result as Found, tools)
    .map(({ name }) => name)
    .filter((name) => !found.includes(name));
  if (added.length > 0) void settings.set({ found: [...found, ...added] });
  return added.length > 0;
}
