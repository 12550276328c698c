/** The templates: one line per agent, nothing else. */
export { runAgentOperation } from "./run-agent-operation.ts";
