import type { Artifact, Message, Part } from "@a2a-js/sdk";
import { Role, TaskState } from "@a2a-js/sdk";
import type { Market } from "../../domain/market/market.ts";
import { mediaIn, withoutFile } from "../../domain/media.ts";
import type { ErrorCode, ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { isRetryable } from "../http/problem.ts";
import { fileFormatOf, fileNameOf } from "../media.ts";
import { formatFailure, formatResult, notAppliedLines, withSampleLabel } from "../result.text.ts";
import { JSON_TYPE, TEXT_TYPE } from "./card.ts";

export interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
}

/**
 * Returns a result as a task artifact: text, data, and a file if it has one. Includes only parts of accepted types, or
 * all parts if none is accepted.
 */
export function artifactOf(
  tool: Tool,
  data: Readonly<Record<string, unknown>>,
  {
    market,
    accepts,
    id,
    words,
  }: {
    readonly market: Market;
    readonly accepts: readonly string[];
    readonly id: string;
    /** Text that the person sent along with the data of the call. */
    readonly words: string | undefined;
  },
): Artifact {
  const media = mediaIn(data);
  const text = [...notAppliedLines(data), formatResult(tool, data) || tool.title].join("\n");
  const parts = [
    textPart(withSampleLabel(tool, market, text)),
    dataPart(withoutFile(data)),
    ...(media === null
      ? []
      : [
          part(
            { $case: "raw", value: Buffer.from(media.base64, "base64") },
            media.mime,
            fileNameOf(tool, {}, data, fileFormatOf(tool) ?? { mime: media.mime, extension: "bin" }),
          ),
        ]),
  ];
  const accepted = parts.filter(
    ({ mediaType }) => accepts.length === 0 || accepts.some((mode) => matchesMode(mediaType, mode)),
  );
  return {
    artifactId: id,
    name: tool.name,
    description: tool.title,
    parts: accepted.length === 0 ? parts : accepted,
    metadata: {
      market: market.mode,
      market_id: market.id,
      ...(words !== undefined && { request_text: words }),
    },
    extensions: [],
  };
}

const { TASK_STATE_CANCELED: CANCELED, TASK_STATE_FAILED: FAILED, TASK_STATE_REJECTED: REJECTED } = TaskState;

/** Final task state of each error code: rejected if the request was refused, failed if it could not be completed. */
export const FINAL_STATE = {
  INVALID_INPUT: REJECTED,
  UNAUTHENTICATED: REJECTED,
  PLAN_REQUIRED: REJECTED,
  SCOPE_REQUIRED: REJECTED,
  FORBIDDEN: REJECTED,
  NOT_FOUND: FAILED,
  METHOD_NOT_ALLOWED: REJECTED,
  CONFLICT: FAILED,
  BODY_TOO_LARGE: REJECTED,
  UNKNOWN_SYMBOL: REJECTED,
  NO_PRICE: FAILED,
  NOT_ENOUGH_DATA: FAILED,
  REFUSED: REJECTED,
  RATE_LIMITED: REJECTED,
  CANCELLED: CANCELED,
  INTERNAL: FAILED,
  UPSTREAM_UNAVAILABLE: FAILED,
  NOT_CONNECTED: REJECTED,
  DEADLINE: FAILED,
  STORAGE_FULL: FAILED,
  STORAGE_BUSY: FAILED,
  STORAGE_DAMAGED: FAILED,
} as const satisfies Record<ErrorCode, TaskState>;

/** Returns the error of a task as a text and a data part. */
export function failureParts(error: ToolError): Part[] {
  const { code, message, hint, data } = error;
  const facts = { ...data, ok: false, code, message, hint: hint ?? null, retryable: isRetryable(code) };
  return [textPart(formatFailure(error)), dataPart(facts)];
}

export const agentMessage = (parts: Part[], { taskId, contextId }: TaskIds, messageId: string): Message => ({
  messageId,
  taskId,
  contextId,
  role: Role.ROLE_AGENT,
  parts,
  metadata: {},
  extensions: [],
  referenceTaskIds: [],
});

export const textPart = (value: string): Part => part({ $case: "text", value }, TEXT_TYPE);
export const dataPart = (value: unknown): Part => part({ $case: "data", value }, JSON_TYPE);
const part = (content: Part["content"], mediaType: string, filename = ""): Part => ({
  content,
  mediaType,
  filename,
  metadata: {},
});

/** Returns true if a media type matches a mode such as `image/*`. */
const matchesMode = (type: string, mode: string): boolean =>
  mode === "*/*" || mode === type || (mode.endsWith("/*") && type.startsWith(mode.slice(0, -1)));
