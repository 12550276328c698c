import type { Principal } from "../../domain/accounts/access.ts";
import type { FoundTool, RefusedTool, ToolSearch } from "../../domain/tool-search/tool-search-port.ts";
import { asToolError } from "../../kernel/errors.ts";
import { authorize } from "../../kernel/invoke.ts";
import { modelSchemaOf } from "../../kernel/model-schema.ts";
import { maxEffect, type Tool } from "../../kernel/tool.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { lazy } from "../../lib/lazy.ts";
import asks from "./asks.json" with { type: "json" };
import { rankerOf } from "./classifier.ts";
import requests from "./requests.json" with { type: "json" };

/** What people ask for, by the tool that answers it: in full sentences, and as they speak. */
const REQUESTS: readonly Readonly<Record<string, readonly string[]>>[] = [requests, asks];

/** Creates the `ToolSearch` port over the tools of this server. The first search learns the words of every tool. */
export function createToolSearch(tools: () => readonly Tool[]): ToolSearch {
  const ranking = lazy(async () => {
    const all = tools().filter(({ role }) => role !== "finder");
    const labelled = all.map((tool) => ({ label: tool.name, requests: requestsOf(tool) }));
    const rank = await rankerOf(labelled, async () => {
      if (isBusy()) await yieldToEventLoop();
    });
    const byName = new Map(all.map((tool) => [tool.name, tool]));
    return (query: string) => rank(query).map((name) => byName.get(name)!);
  });
  return {
    async find(query, { principal, limit, readonly }) {
      const ranked = await ranking();
      const found: FoundTool[] = [];
      const refused: RefusedTool[] = [];
      for (const tool of ranked(query)) {
        if (found.length === limit) break;
        if (readonly && maxEffect(tool) !== "read") continue;
        const reason = refusalOf(tool, principal);
        if (reason === null) found.push(foundTool(tool));
        else refused.push({ name: tool.name, title: tool.title, reason });
      }
      return { tools: found, refused: refused.slice(0, limit) };
    },
  };
}

/** Returns the texts by which a tool is found: its name, title, the sentences on its use, and what people ask for. */
function requestsOf({ name, title, description, examples }: Tool): readonly string[] {
  const [siblings, ...sentences] = description.split(/(?<=[.:;])\s/).reverse();
  const own = sentences.length === 0 ? [siblings!] : sentences;
  return [
    ...[name.replaceAll("_", " "), title],
    ...own,
    ...examples.map(({ ask }) => ask),
    ...REQUESTS.flatMap((byTool) => byTool[name] ?? []),
  ];
}

function foundTool(tool: Tool): FoundTool {
  const { name, title, description, toolset, input, examples } = tool;
  return {
    name,
    title,
    description,
    toolset,
    effect: maxEffect(tool),
    input_schema: modelSchemaOf(input),
    example: examples[0]!,
  };
}

/** Returns why the caller may not call the tool; null if it may. */
function refusalOf(tool: Tool, principal: Principal): string | null {
  try {
    authorize(tool, principal);
    return null;
  } catch (cause) {
    return asToolError(cause).message;
  }
}
