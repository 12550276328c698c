import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Market } from "../../domain/market.ts";
import { mediaIn, withoutFile } from "../../domain/media.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { ErrorCode, ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { isSimulated, SAMPLE_LABEL } from "../label.ts";

/** What a model should do after each failure. */
const NEXT = {
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
  CANCELLED: "Call again only if the answer is still wanted.",
  INTERNAL: "Try once more; if it fails again, tell the user that this tool is broken.",
  UPSTREAM_UNAVAILABLE: "Try again in a minute; until then say that the source is unavailable.",
  NOT_CONNECTED: "Do not retry; tell the user which setting connects it.",
  DEADLINE: "Ask for less in one call, or try again later.",
  STORAGE_FULL: "Do not retry; tell the user that the server has no space left.",
} as const satisfies Record<ErrorCode, string>;

interface Reader {
  readonly market: Market;
  /** Whether the client reads the data itself; an older one reads only the text. */
  readonly takesData: boolean;
}

/**
 * A good answer: the data itself, and a text. Where the client takes the data the text is what a person would read of
 * it on a terminal, so that nothing is sent twice; elsewhere, and for tools without such words, it holds the data as
 * compact JSON under one line.
 */
export function answer(
  tool: Tool,
  data: Record<string, unknown>,
  { market, takesData }: Reader,
): CallToolResult {
  const drawn = tool.terminal?.(data, plain).trim() ?? "";
  const media = mediaIn(data);
  const picture = media?.mime.startsWith("image/") ? media : null;
  const shown = picture === null ? data : withoutFile(data);
  const words =
    takesData && drawn !== "" ? drawn : `${headline(drawn) || tool.title}\n${JSON.stringify(shown)}`;
  const label = isSimulated(tool, market) && !words.startsWith(SAMPLE_LABEL) ? `${SAMPLE_LABEL} | ` : "";
  return {
    structuredContent: shown,
    content: [
      { type: "text", text: `${label}${words}` },
      ...(picture === null ? [] : [{ type: "image" as const, data: picture.base64, mimeType: picture.mime }]),
    ],
  };
}

/** A failure a model can act on: code and reason, hint, the facts, and what to do next. */
export function failure({ code, message, hint, data = {} }: ToolError): CallToolResult {
  const facts = Object.fromEntries(Object.entries(data).filter(([, value]) => tells(value)));
  const lines = [
    `${code}: ${message}`,
    hint,
    Object.keys(facts).length > 0 ? JSON.stringify(facts) : undefined,
    `Next: ${NEXT[code]}`,
  ];
  return {
    isError: true,
    content: [{ type: "text", text: lines.filter((line) => line !== undefined).join("\n") }],
  };
}

const plain: Paint = (_style, text) => text;

const headline = (drawn: string): string => drawn.split("\n", 1)[0]!.trim();

/** false for null and for an object of nothing but nulls. */
function tells(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== "object" || Array.isArray(value) || Object.values(value).some(tells);
}
