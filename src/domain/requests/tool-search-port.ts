import type { z } from "zod";
import type { Principal } from "../accounts/access.ts";
import type { QuestionIntent } from "./interpretation.ts";

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

/** A tool as sentences are matched to it. */
export interface KnownTool {
  readonly name: string;
  readonly title: string;
  readonly effect: "read" | "write" | "trade";
  readonly input: z.ZodObject;
}

/** How likely a request is one for a tool. */
export interface RankedTool {
  /** null: the request is one that no tool answers. */
  readonly tool: KnownTool | null;
  /** Share of all tools, 0-1. */
  readonly share: number;
  /** true: the request contains a topic of the tool. */
  readonly isNamed: boolean;
}

/** The name of a tool and its short command, if it has one. */
export interface ToolNames {
  readonly name: string;
  readonly command?: string | undefined;
}

/** Finds tools of this server, and what a question is about, by words. */
export interface ToolSearch {
  /**
   * Returns at most `limit` tools that the caller may use, best match first, and the better matches that it may not
   * use. With `readonly`, only tools that change nothing.
   */
  find(
    query: string,
    options: { readonly principal: Principal; readonly limit: number; readonly readonly: boolean },
  ): FoundTools;
  /** Returns the tools for a request, likeliest first, without those that answer sentences; none for unknown words. */
  rank(request: string): readonly RankedTool[];
  /** Returns the likeliest intent of a question's words, with `NAME` for instruments; null for unknown words. */
  intentOf(words: string): QuestionIntent | null;
  /** Returns true for a word of a topic of the tools, in any form. */
  knows(word: string): boolean;
  /** Returns the names of all tools, also of those that are not connected. */
  names(): readonly ToolNames[];
}
