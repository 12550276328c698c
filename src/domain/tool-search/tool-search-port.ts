import type { Principal } from "../accounts/access.ts";

/** A tool that matches a request, as a caller needs it to call the tool. */
export interface FoundTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly toolset: string;
  readonly effect: "read" | "write" | "trade";
  /** JSON Schema of the input. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly example: { readonly ask: string; readonly input: Readonly<Record<string, unknown>> };
}

/** A tool that matches a request, but that the caller may not use. */
export interface RefusedTool {
  readonly name: string;
  readonly title: string;
  readonly reason: string;
}

export interface FoundTools {
  readonly tools: readonly FoundTool[];
  readonly refused: readonly RefusedTool[];
}

/** Finds tools of this server by words. */
export interface ToolSearch {
  /**
   * Returns at most `limit` tools that the caller may use, best match first, and the better matches that it may not
   * use. With `readonly`, only tools that change nothing.
   */
  find(
    query: string,
    options: { readonly principal: Principal; readonly limit: number; readonly readonly: boolean },
  ): Promise<FoundTools>;
}
