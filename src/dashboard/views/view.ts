import type { Call, Output, ToolName } from "../api/tools.ts";

/** What every view gets: the answer of a tool, and a way to call for more. */
export interface ViewProps<Name extends ToolName> {
  readonly output: Output<Name>;
  /** Calls a tool that reads; null in a host that lets views call none. */
  readonly call: Call | null;
}
