import type { z } from "zod";
import type { Plan } from "../../../src/domain/accounts/access.ts";

/** Plans of the API document; `open` needs no key. */
export const PLANS = [
  "member",
  "individual",
  "early",
  "founding",
  "pro",
  "enterprise",
] as const satisfies Plan[];

/** A request exactly as a reader of the API document writes it. */
export interface DocumentedRequest {
  /** Path with its query. */
  readonly path: string;
  /** JSON body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The same request as input of the tool, for MCP and A2A. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: z.ZodType;
}

/** A row of the table of endpoints in the API document. */
export interface DocumentedRoute {
  /** Line of the document. */
  readonly line: number;
  /** Method and path in the spelling of the document. */
  readonly route: string;
  readonly plan: Plan | "open";
  readonly tool: string;
  /** The first is sent with every plan, the others with the lowest one. */
  readonly requests: readonly [DocumentedRequest, ...DocumentedRequest[]];
}

/** A GET request whose path and query hold the whole input. */
export const get = (
  path: string,
  input: DocumentedRequest["input"],
  answer: z.ZodType,
): DocumentedRequest => ({ path, input, answer });
/** A POST request whose body is the input. */
export const post = (
  path: string,
  body: DocumentedRequest["input"],
  answer: z.ZodType,
): DocumentedRequest => ({ path, body, input: body, answer });
