import { ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";

/** The name under which one tool runs whatever accounts saved. */
export const CUSTOM_AGENT = "custom";

/** A tool that runs on a schedule, and the name of the agent that it is. */
export interface Schedulable {
  readonly name: string;
  readonly tool: Tool;
}

/** Those that are there without anybody saving them. */
export const agentTemplates = (tools: readonly Tool[]): readonly Schedulable[] =>
  tools.flatMap((tool) =>
    tool.schedulable === undefined || tool.schedulable === CUSTOM_AGENT
      ? []
      : [{ name: tool.schedulable, tool }],
  );

/** The tool that runs agents which accounts saved. Throws NOT_CONNECTED where this deployment has none. */
export function customTool(tools: readonly Tool[]): Tool {
  const tool = tools.find(({ schedulable }) => schedulable === CUSTOM_AGENT);
  if (tool === undefined) throw new ToolError("NOT_CONNECTED", "Saved agents are not run here");
  return tool;
}

/** The tool that an agent of this name runs: its own, else that of saved agents. */
export const agentTool = (name: string, tools: readonly Tool[]): Tool =>
  agentTemplates(tools).find((one) => one.name === name)?.tool ?? customTool(tools);
