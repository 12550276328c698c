import type { Message, Part } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import type { Tool } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { nearestNames } from "../nearest.ts";
import { CARD_PATH } from "./card.ts";

/** Which skill a message asks, and with what. */
export interface Question {
  readonly tool: Tool;
  readonly input: unknown;
}

const MOST_PARTS = 16;
const LONGEST_ID = 128;
const SAY_HOW =
  'Send one data part {"skill": "<id>", "input": {...}} or {"task": "<name>", "symbols": [...]}, or plain text.';

/**
 * What a message asks: its one data part names the skill or a task, or its text goes to the skill that interprets text. What
 * comes by the door of requests to be `routed` goes to the skill that routes them, unless it names another. Throws the
 * protocol's own error, with what to do next, for anything else.
 */
export function questionOf(
  { messageId, contextId, parts }: Message,
  tools: readonly Tool[],
  routed = false,
): Question {
  checkIds({ messageId, contextId });
  if (parts.length === 0) throw new RequestMalformedError(`The message has no parts. ${SAY_HOW}`);
  if (parts.length > MOST_PARTS)
    throw new RequestMalformedError(`A message may have ${MOST_PARTS} parts. ${SAY_HOW}`);
  const kinds = parts.map(({ content }) => content?.$case ?? "empty");
  if (kinds.some((kind) => kind === "raw" || kind === "url"))
    throw new ContentTypeNotSupportedError(`Files are not read here. ${SAY_HOW}`);
  if (kinds.includes("empty"))
    throw new RequestMalformedError(`A part holds neither text nor data. ${SAY_HOW}`);
  const data = parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value as unknown] : []));
  if (data.length > 1)
    throw new RequestMalformedError("One message asks one skill. Send a message for each data part.");
  if (data.length === 1 && parts.length > 1)
    throw new RequestMalformedError(`A data part stands alone, without text beside it. ${SAY_HOW}`);
  return data.length === 1 ? askedByData(data[0], tools, routed) : askedByText(parts, tools, routed);
}

/** Whether it has a word that secrets stand beside. */
export const namesSecret = (text: string): boolean =>
  /(api|bot|access|signing)[ _-]?(key|secret|token)|credentials|password|hooks\.slack\.com|api\.telegram\.org/i.test(
    text,
  );
/** Sixteen characters or more in one, with digits among the letters. */
const LOOKS_SECRET = /(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{16,}/;

/** Refuses identifiers that are no short text; requests of protocol 0.3 come here unread. */
export function checkIds(ids: Readonly<Record<string, unknown>>): void {
  for (const [name, id] of Object.entries(ids)) {
    if (typeof id !== "string" && id !== undefined)
      throw new RequestMalformedError(`${name} is no text. Give a UUID as text.`);
    if (id !== undefined && id.length > LONGEST_ID)
      throw new RequestMalformedError(
        `${name} has more than ${LONGEST_ID} characters. Use a shorter one, such as a UUID.`,
      );
  }
}

const routing = (tools: readonly Tool[], routed: boolean): Tool | undefined =>
  routed ? tools.find(({ routes }) => routes !== undefined) : undefined;

function askedByData(data: unknown, tools: readonly Tool[], routed: boolean): Question {
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw new RequestMalformedError(`The data part is no object. ${SAY_HOW}`);
  const taking = routing(tools, routed) ?? tools.find(({ dispatches }) => dispatches === true);
  // whether the rest of an envelope fits is for the skill to judge
  if ("task" in data && !("skill" in data) && taking !== undefined) return { tool: taking, input: data };
  const { skill, input = {}, ...rest } = data as { skill?: unknown; input?: unknown };
  const [stranger] = Object.keys(rest);
  if (stranger !== undefined)
    throw new RequestMalformedError(
      `The data part has the unknown field "${plainText(stranger, 40)}"; what the skill takes belongs in "input". ${SAY_HOW}`,
    );
  if (typeof skill !== "string")
    throw new RequestMalformedError(`The data part names no "skill". ${SAY_HOW}`);
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

function askedByText(parts: readonly Part[], tools: readonly Tool[], routed: boolean): Question {
  const tool = routing(tools, routed) ?? tools.find(({ interprets }) => interprets !== undefined);
  const field = tool?.routes ?? tool?.interprets;
  if (tool === undefined || field === undefined)
    throw new ContentTypeNotSupportedError(
      'No skill here reads plain text. Send one data part {"skill": "<id>", "input": {...}}.',
    );
  const text = parts
    .map(({ content }) => (content?.$case === "text" ? String(content.value) : ""))
    .join("\n")
    .trim();
  if (namesSecret(text) && LOOKS_SECRET.test(text))
    throw new RequestMalformedError(
      "The text holds what looks like a secret, and texts are kept with their tasks: it was not read. Credentials belong in the input of a skill that asks for them, in a data part.",
    );
  return { tool, input: { [field]: text } };
}
