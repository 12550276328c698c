import type { CompleteRequest, CompleteResult } from "@modelcontextprotocol/server";
import type { RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry } from "../../kernel/registry.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import { completePrompt } from "./prompts.ts";
import { completeResource } from "./resources.ts";

const MAX_VALUES = 100;

/** Returns completions of an argument of a prompt or of a variable of a resource template. */
export function complete(
  { ref, argument }: CompleteRequest["params"],
  scope: { readonly registry: Registry; readonly tools: ConnectionTools },
  { symbols }: Pick<RuntimePorts, "symbols">,
): CompleteResult {
  const values =
    ref.type === "ref/prompt"
      ? completePrompt(ref.name, argument, symbols)
      : completeResource(ref.uri, argument, scope, symbols);
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  };
}
