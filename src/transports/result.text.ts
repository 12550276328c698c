import { type Market, SAMPLE_LABEL } from "../domain/market/market.ts";
import type { Paint } from "../domain/terminal.ts";
import type { ErrorCode, ToolError } from "../kernel/errors.ts";
import type { Tool } from "../kernel/tool.ts";
import { isSimulated } from "./label.ts";

/** Instruction to the model after each error code. */
const NEXT_STEP = {
  INVALID_INPUT: "Correct the arguments and call again.",
  UNAUTHENTICATED: "Ask the user for an API key of this server.",
  PLAN_REQUIRED: "Do not retry with this key; tell the user which plan is needed.",
  FORBIDDEN: "Do not retry; tell the user to name the host in ALLOWED_HOSTS.",
  SCOPE_REQUIRED: "Do not retry with this key; tell the user which scope is needed.",
  NOT_FOUND: "Check the identifier; list what exists before asking again.",
  METHOD_NOT_ALLOWED: "Do not retry.",
  CONFLICT: "Look at the current state, then decide whether to call again.",
  BODY_TOO_LARGE: "Send less in one call.",
  UNKNOWN_SYMBOL: "Use one of the candidates, or ask the user which instrument is meant.",
  NO_PRICE: "Say that there is no price; do not guess one.",
  NOT_ENOUGH_DATA: "Say that there is too little history, or ask for a shorter window.",
  REFUSED: "Do not repeat the call unchanged; tell the user why it was refused.",
  RATE_LIMITED: "Wait as long as retry_after says (seconds), then call again.",
  CANCELLED: "Retry only if the result is still needed.",
  INTERNAL: "Try once more; if it fails again, tell the user that this tool is broken.",
  UPSTREAM_UNAVAILABLE: "Try again in a minute; until then say that the provider is unavailable.",
  NOT_CONNECTED: "Do not retry; tell the user which setting connects it.",
  DEADLINE: "Ask for less in one call, or try again later.",
  STORAGE_FULL: "Do not retry; tell the user that the server has no space left.",
} as const satisfies Record<ErrorCode, string>;

/** A result as a person would read it on a terminal; empty for a tool without such words. */
export const formatResult = (tool: Tool, data: Readonly<Record<string, unknown>>): string =>
  tool.terminal?.(data, plain).trim() ?? "";

/** A text about made-up prices begins with the label; every other passes as it is. */
export const withSampleLabel = (tool: Tool, market: Market, words: string): string =>
  isSimulated(tool, market) && !words.startsWith(SAMPLE_LABEL) ? `${SAMPLE_LABEL} | ${words}` : words;

/** A failure a model can act on: code and reason, hint, the facts, and what to do next. */
export function formatFailure({ code, message, hint, data = {} }: ToolError): string {
  const facts = Object.fromEntries(Object.entries(data).filter(([, value]) => hasValue(value)));
  const lines = [
    `${code}: ${message}`,
    hint,
    Object.keys(facts).length > 0 ? JSON.stringify(facts) : undefined,
    `Next: ${NEXT_STEP[code]}`,
  ];
  return lines.filter((line) => line !== undefined).join("\n");
}

const plain: Paint = (_style, text) => text;

/** false for null and for an object of nothing but nulls. */
function hasValue(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== "object" || Array.isArray(value) || Object.values(value).some(hasValue);
}
