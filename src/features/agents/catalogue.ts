import { ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";

/** Schedulable name of the tool that runs saved agents. */
export const CUSTOM_AGENT = "custom";

/** A tool that can run on a schedule, with its agent name. */
export interface Schedulable {
  readonly name: string;
  readonly tool: Tool;
}

/** Lists the built-in agents. */
export const agentTemplates = (tools: readonly Tool[]): readonly Schedulable[] =>
  tools.flatMap((tool) =>
    tool.schedulable === undefined || tool.schedulable === CUSTOM_AGENT
      ? []
      : [{ name: tool.schedulable, tool }],
  );

/** Returns the tool that runs saved agents. @throws ToolError NOT_CONNECTED when this deployment has no such tool */
export function customTool(tools: readonly Tool[]): Tool {
  const tool = tools.find(({ schedulable }) => schedulable === CUSTOM_AGENT);
  if (tool === undefined) throw new ToolError("NOT_CONNECTED", "This server does not run saved agents");
  return tool;
}

/** Returns the tool that runs an agent: the built-in agent's tool, or else the tool for saved agents. */
export const agentTool = (name: string, tools: readonly Tool[]): Tool =>
  agentTemplates(tools).find((template) => template.name === name)?.tool ?? customTool(tools);
