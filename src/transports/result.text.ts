import { type Market, SAMPLE_LABEL } from "../domain/market/market.ts";
import type { Paint } from "../domain/terminal.ts";
import type { ErrorCode, ToolError } from "../kernel/errors.ts";
import { isSimulated } from "../kernel/sample-label.ts";
import { NOT_APPLIED, type Tool } from "../kernel/tool.ts";

/** Next step for the model, by error code. */
const NEXT_STEP = {
  INVALID_INPUT: "Correct the arguments and call again.",
  UNAUTHENTICATED: "Ask the user for an API key of this server.",
  PLAN_REQUIRED: "Do not retry with this key. The user needs a higher plan.",
  FORBIDDEN: "Do not retry. The server owner has to allow the host, or to resume the account.",
  SCOPE_REQUIRED: "Do not retry with this key. The user needs a key with that scope.",
  NOT_FOUND: "Check the identifier; list the existing ones before you retry.",
  METHOD_NOT_ALLOWED: "Do not retry.",
  CONFLICT: "Check the current state, then decide whether to retry.",
  BODY_TOO_LARGE: "Send less in one call.",
  UNKNOWN_SYMBOL: "Use a listed candidate; if none is listed, ask the user which instrument is meant.",
  NO_PRICE: "Say that there is no price; do not guess one.",
  NOT_ENOUGH_DATA: "Report that there is too little history, or request a shorter window.",
  REFUSED: "Do not repeat the call unchanged; report the reason to the user.",
  RATE_LIMITED: "Wait retry_after seconds, then retry.",
  CANCELLED: "Retry only if the result is still needed.",
  INTERNAL: "Retry once; if it fails again, report to the user that this tool is broken.",
  UPSTREAM_UNAVAILABLE: "Retry in a minute; until then report that the provider is unavailable.",
  NOT_CONNECTED: "Do not retry. The server owner has to change a setting.",
  DEADLINE: "Request less data in one call, or retry later.",
  STORAGE_FULL: "Do not retry. The server has no space left.",
  STORAGE_BUSY: "Wait retry_after seconds, then retry.",
  STORAGE_DAMAGED: "Do not retry. The server owner has to restore a backup.",
} as const satisfies Record<ErrorCode, string>;

/** Codes whose hint replaces the general next step, because the two could contradict each other. */
const HINT_IS_NEXT: ReadonlySet<ErrorCode> = new Set(["NOT_FOUND", "REFUSED", "CONFLICT"]);

/** Returns a result as plain terminal text; empty if the tool has no terminal output. */
export const formatResult = (tool: Tool, data: Readonly<Record<string, unknown>>): string =>
  tool.terminal?.(data, plain).trim() ?? "";

/** Returns the sentences on fields that were not applied; they come before the text of every answer. */
export const notAppliedLines = ({ understood }: Readonly<Record<string, unknown>>): readonly string[] =>
  Array.isArray(understood) ? understood.filter((line) => String(line).startsWith(NOT_APPLIED)) : [];

/** Adds the label for simulated data to a text about simulated prices; returns any other text unchanged. */
export const withSampleLabel = (tool: Tool, market: Market, text: string): string =>
  isSimulated(tool, market) && !text.startsWith(SAMPLE_LABEL) ? `${SAMPLE_LABEL} | ${text}` : text;

/** Formats an error for a model: code and message, hint, facts, and one next step. */
export function formatFailure({ code, message, hint, data = {} }: ToolError): string {
  const facts = Object.fromEntries(Object.entries(data).filter(([, value]) => hasValue(value)));
  const isNext = hint !== undefined && HINT_IS_NEXT.has(code);
  const lines = [
    `${code}: ${message}`,
    isNext ? undefined : hint,
    Object.keys(facts).length > 0 ? JSON.stringify(facts) : undefined,
    `Next: ${isNext ? hint : NEXT_STEP[code]}`,
  ];
  return lines.filter((line) => line !== undefined).join("\n");
}

const plain: Paint = (_style, text) => text;

/** Returns false for null and for an object whose values are all null. */
function hasValue(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== "object" || Array.isArray(value) || Object.values(value).some(hasValue);
}
