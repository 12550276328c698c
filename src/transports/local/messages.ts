import { join } from "node:path";
import type { ErrorCode, ToolErrorOptions } from "../../kernel/errors.ts";
import type { Progress } from "../../kernel/tool.ts";

/** Socket in the data folder at which commands of this machine reach its server. */
export const socketPath = (dataDir: string): string => join(dataDir, "server.sock");

/** First message of a server on a connection. */
export interface ServerHello {
  readonly version: string;
  readonly url: string;
  readonly market: "sample" | "files" | "live";
  /** Values of the settings on which answers depend, by name; null for one that is not set. */
  readonly settings: Readonly<Record<string, string | null>>;
}

/** The call of a command: one for each connection. */
export interface LocalCall {
  readonly tool: string;
  readonly input: unknown;
}

/** A ToolError without its cause, which stays in the log of the server. */
export interface LocalError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly options: Omit<ToolErrorOptions, "cause">;
}

/** A line from the server, as JSON. */
export type ServerLine =
  | { readonly kind: "hello"; readonly hello: ServerHello }
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "result"; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: "error"; readonly error: LocalError };
