import type { Message } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { isClientField } from "../../kernel/client-fields.ts";
import { snakeCase } from "../../kernel/field-names.ts";
import { type Tool, textFieldOf } from "../../kernel/tool.ts";
import { nearestNames } from "../../lib/nearest-names.ts";
import { plainText } from "../../lib/plain-text.ts";
import { checkIds } from "./ids.ts";

/** The skill that a message calls, and its input. */
export interface SkillCall {
  readonly tool: Tool;
  readonly input: unknown;
  /** Text beside the data part: the words of the person who asks. */
  readonly words?: string;
}

const MAX_PARTS = 16;
const USAGE_HINT =
  'Send one data part {"skill": "<id>", "input": {...}} or {"task": "<name>", "symbols": [...]}, or plain text.';

/** The content of a message: the value of its data part, undefined without one, and its texts. */
export interface MessageContent {
  readonly data: unknown;
  /** The texts, one a line; empty without one. */
  readonly text: string;
}

/**
 * Parses the skill call of a message. A data part names a skill or task, and text beside it is kept as the person's
 * words; text alone goes to the interpreter. With `routed`, tasks and text go to the router. Throws a protocol error
 * with a hint for any other message.
 */
export function parseSkillCall(message: Message, tools: readonly Tool[], routed = false): SkillCall {
  const { data, text } = partsOf(message);
  if (data === undefined) return skillCallFromText(text, tools, routed);
  const call = skillCallFromData(data, tools, routed);
  return text === "" ? call : { ...withText(call, text), words: text };
}

/** Returns the data and the text of a message. Throws a protocol error for ids, parts or texts that are not accepted. */
export function partsOf({ messageId, contextId, parts }: Message): MessageContent {
  checkIds({ messageId, contextId });
  if (parts.length === 0) throw new RequestMalformedError(`The message has no parts. ${USAGE_HINT}`);
  if (parts.length > MAX_PARTS)
    throw new RequestMalformedError(`A message may have at most ${MAX_PARTS} parts. ${USAGE_HINT}`);
  const kinds = parts.map(({ content }) => content?.$case ?? "empty");
  if (kinds.some((kind) => kind === "raw" || kind === "url"))
    throw new ContentTypeNotSupportedError(`Files are not supported. ${USAGE_HINT}`);
  if (kinds.includes("empty"))
    throw new RequestMalformedError(`A part has neither text nor data. ${USAGE_HINT}`);
  const data = parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value as unknown] : []));
  if (data.length > 1)
    throw new RequestMalformedError(
      "A message may have only one data part. Send one message per skill call.",
    );
  const text = parts
    .flatMap(({ content }) => (content?.$case === "text" ? [String(content.value)] : []))
    .join("\n")
    .trim();
  if (mentionsSecret(text) && SECRET_PATTERN.test(text))
    throw new RequestMalformedError(
      "The text contains something that looks like a secret. It was rejected because text is stored with its task. Send credentials in a data part, as input of a skill that requires them.",
    );
  return { data: data[0], text };
}

/** Returns true if the text mentions an API key, token, password or webhook host. */
export const mentionsSecret = (text: string): boolean =>
  /(api|bot|access|signing)[ _-]?(key|secret|token)|credentials|password|hooks\.slack\.com|api\.telegram\.org/i.test(
    text,
  );
/** Matches a word of 16 or more characters that has letters and digits. */
const SECRET_PATTERN = /(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{16,}/;

const routerTool = (tools: readonly Tool[], routed: boolean): Tool | undefined =>
  routed ? tools.find(({ role }) => role === "router") : undefined;

function skillCallFromData(data: unknown, tools: readonly Tool[], routed: boolean): SkillCall {
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw new RequestMalformedError(`The data part must be an object. ${USAGE_HINT}`);
  const taskTool = routerTool(tools, routed) ?? tools.find(({ role }) => role === "dispatcher");
  // the skill validates the other fields of the envelope
  if ("task" in data && !("skill" in data) && taskTool !== undefined) return { tool: taskTool, input: data };
  const { skill, input = {}, ...rest } = data as { skill?: unknown; input?: unknown };
  const [unknown] = Object.keys(rest).filter(
    (given) => !isClientField({ name: snakeCase(given), given, fields: rest }, String(skill)),
  );
  if (unknown !== undefined)
    throw new RequestMalformedError(
      `The data part has the unknown field "${plainText(unknown, 40)}"; fields of the skill belong in "input". ${USAGE_HINT}`,
    );
  if (typeof skill !== "string")
    throw new RequestMalformedError(`The data part has no "skill". ${USAGE_HINT}`);
  const tool = tools.find(({ name }) => name === skill);
  if (tool === undefined)
    throw new RequestMalformedError(
      `Unknown skill "${plainText(skill, 64)}". Nearest: ${nearestNames(
        skill,
        tools.map(({ name }) => name),
      ).join(", ")}. The agent card lists all ${tools.length}.`,
    );
  return { tool, input };
}

function skillCallFromText(text: string, tools: readonly Tool[], routed: boolean): SkillCall {
  const tool = routerTool(tools, routed) ?? tools.find(({ role }) => role === "interpreter");
  const field = tool && textFieldOf(tool);
  if (tool === undefined || field === undefined)
    throw new ContentTypeNotSupportedError(
      'No skill accepts plain text. Send one data part {"skill": "<id>", "input": {...}}.',
    );
  return { tool, input: { [field]: text } };
}

/** Returns the call with the text as the input that its skill requires, if the data part omits it. */
function withText(call: SkillCall, text: string): SkillCall {
  const field = textFieldOf(call.tool);
  const { input } = call;
  if (field === undefined || typeof input !== "object" || input === null || field in input) return call;
  const isRequired = call.tool.input.shape[field]?.safeParse(undefined).success === false;
  return isRequired ? { ...call, input: { ...input, [field]: text } } : call;
}
