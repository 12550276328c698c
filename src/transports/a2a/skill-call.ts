import type { Message, Part } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { type Tool, textFieldOf } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { nearestNames } from "../nearest-names.ts";
import { CARD_PATH } from "./card.ts";

/** Which skill a message asks, and with what. */
export interface SkillCall {
  readonly tool: Tool;
  readonly input: unknown;
}

const MAX_PARTS = 16;
const MAX_ID_LENGTH = 128;
const USAGE_HINT =
  'Send one data part {"skill": "<id>", "input": {...}} or {"task": "<name>", "symbols": [...]}, or plain text.';

/**
 * What a message asks: its one data part names the skill or a task, or its text goes to the skill that interprets text. What
 * comes by the door of requests to be `routed` goes to the skill that routes them, unless it names another. Throws the
 * protocol's own error, with what to do next, for anything else.
 */
export function parseSkillCall(
  { messageId, contextId, parts }: Message,
  tools: readonly Tool[],
  routed = false,
): SkillCall {
  checkIds({ messageId, contextId });
  if (parts.length === 0) throw new RequestMalformedError(`The message has no parts. ${USAGE_HINT}`);
  if (parts.length > MAX_PARTS)
    throw new RequestMalformedError(`A message may have ${MAX_PARTS} parts. ${USAGE_HINT}`);
  const kinds = parts.map(({ content }) => content?.$case ?? "empty");
  if (kinds.some((kind) => kind === "raw" || kind === "url"))
    throw new ContentTypeNotSupportedError(`Files are not read here. ${USAGE_HINT}`);
  if (kinds.includes("empty"))
    throw new RequestMalformedError(`A part holds neither text nor data. ${USAGE_HINT}`);
  const data = parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value as unknown] : []));
  if (data.length > 1)
    throw new RequestMalformedError("A message calls one skill. Send one message for each data part.");
  if (data.length === 1 && parts.length > 1)
    throw new RequestMalformedError(`A data part stands alone, without text beside it. ${USAGE_HINT}`);
  return data.length === 1
    ? skillCallFromData(data[0], tools, routed)
    : skillCallFromText(parts, tools, routed);
}

/** Whether it has a word that secrets stand beside. */
export const mentionsSecret = (text: string): boolean =>
  /(api|bot|access|signing)[ _-]?(key|secret|token)|credentials|password|hooks\.slack\.com|api\.telegram\.org/i.test(
    text,
  );
/** Sixteen characters or more in one, with digits among the letters. */
const SECRET_PATTERN = /(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{16,}/;

/** Refuses identifiers that are no short text; requests of protocol 0.3 come here unread. */
export function checkIds(ids: Readonly<Record<string, unknown>>): void {
  for (const [name, id] of Object.entries(ids)) {
    if (typeof id !== "string" && id !== undefined)
      throw new RequestMalformedError(`${name} is no text. Give a UUID as text.`);
    if (id !== undefined && id.length > MAX_ID_LENGTH)
      throw new RequestMalformedError(
        `${name} has more than ${MAX_ID_LENGTH} characters. Use a shorter one, such as a UUID.`,
      );
  }
}

const routerTool = (tools: readonly Tool[], routed: boolean): Tool | undefined =>
  routed ? tools.find(({ role }) => role === "router") : undefined;

function skillCallFromData(data: unknown, tools: readonly Tool[], routed: boolean): SkillCall {
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw new RequestMalformedError(`The data part is no object. ${USAGE_HINT}`);
  const taking = routerTool(tools, routed) ?? tools.find(({ role }) => role === "dispatcher");
  // whether the rest of an envelope fits is for the skill to judge
  if ("task" in data && !("skill" in data) && taking !== undefined) return { tool: taking, input: data };
  const { skill, input = {}, ...rest } = data as { skill?: unknown; input?: unknown };
  const [stranger] = Object.keys(rest);
  if (stranger !== undefined)
    throw new RequestMalformedError(
      `The data part has the unknown field "${plainText(stranger, 40)}"; what the skill takes belongs in "input". ${USAGE_HINT}`,
    );
  if (typeof skill !== "string")
    throw new RequestMalformedError(`The data part names no "skill". ${USAGE_HINT}`);
  const tool = tools.find(({ name }) => name === skill);
  if (tool === undefined)
    throw new RequestMalformedError(
      `There is no skill "${plainText(skill, 64)}". Nearest: ${nearestNames(
        skill,
        tools.map(({ name }) => name),
      ).join(", ")}. The agent card at ${CARD_PATH} lists all ${tools.length}.`,
    );
  return { tool, input };
}

function skillCallFromText(parts: readonly Part[], tools: readonly Tool[], routed: boolean): SkillCall {
  const tool = routerTool(tools, routed) ?? tools.find(({ role }) => role === "interpreter");
  const field = tool && textFieldOf(tool);
  if (tool === undefined || field === undefined)
    throw new ContentTypeNotSupportedError(
      'No skill accepts plain text. Send one data part {"skill": "<id>", "input": {...}}.',
    );
  const text = parts
    .map(({ content }) => (content?.$case === "text" ? String(content.value) : ""))
    .join("\n")
    .trim();
  if (mentionsSecret(text) && SECRET_PATTERN.test(text))
    throw new RequestMalformedError(
      "The text holds what looks like a secret, and texts are kept with their tasks: it was not read. Credentials belong in the input of a skill that asks for them, in a data part.",
    );
  return { tool, input: { [field]: text } };
}
