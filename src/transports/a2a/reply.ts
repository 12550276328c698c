import type { Message } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { z } from "zod";
import type { Tool } from "../../kernel/tool.ts";
import { completedInput, type Question, type SymbolQuestion, type TicketQuestion } from "./question.ts";
import { parseSkillCall, partsOf, type SkillCall } from "./skill-call.ts";

/** What a reply to a question means: a call, the end of the task, or nothing, so that the question is asked again. */
export type Reply = { readonly call: SkillCall } | "declined" | "unclear";

/**
 * Parses the reply to a question. A symbol is taken from a text or from `symbol` of a data part; a ticket is sent only
 * for an exact confirmation. Throws a protocol error for a malformed message and for a call of another skill.
 */
export function parseReply(message: Message, question: Question, tools: readonly Tool[]): Reply {
  const tool = tools.find(({ name }) => name === question.skill);
  if (tool === undefined) return "unclear";
  const { data, text } = partsOf(message);
  const isCall = typeof data === "object" && data !== null && "skill" in data;
  if (isCall && (data as { skill: unknown }).skill !== question.skill)
    throw new RequestMalformedError(
      `This task waits for an answer about ${question.skill}. Call another skill in a message without taskId.`,
    );
  return question.kind === "ticket"
    ? parseConfirmation(question, { tool, data, text })
    : parseSymbol(question, { tool, data, text, call: isCall ? parseSkillCall(message, tools) : null });
}

interface ReplyParts {
  readonly tool: Tool;
  /** Value of the data part; undefined without one. */
  readonly data: unknown;
  readonly text: string;
}

const CONFIRMED: ReadonlySet<string> = new Set(["confirm", "confirmed", "yes"]);
const DECLINED: ReadonlySet<string> = new Set(["no", "cancel", "decline"]);

/** Money moves only on an exact confirmation; anything else that is not a refusal is asked again. */
function parseConfirmation({ skill, ticket_id }: TicketQuestion, { tool, data, text }: ReplyParts): Reply {
  const words = text
    .toLowerCase()
    .replace(/[.!]+$/, "")
    .trim();
  const isConfirmed =
    CONFIRMED.has(words) || [ticket_id, `confirm ${ticket_id}`, `yes ${ticket_id}`].includes(words);
  const ticket = z.literal(ticket_id);
  const isDataOf = (schema: z.ZodType) => schema.safeParse(data).success;
  if (
    DECLINED.has(words) ||
    isDataOf(z.strictObject({ confirm: z.literal(false), ticket_id: ticket.optional() }))
  )
    return "declined";
  const isConfirmation = z.union([
    z.strictObject({ confirm: z.literal(true), ticket_id: ticket.optional() }),
    z.strictObject({ ticket_id: ticket }),
    z.strictObject({ skill: z.literal(skill), input: z.strictObject({ ticket_id: ticket }) }),
  ]);
  // words beside the data must not contradict it
  const isExact =
    data === undefined ? isConfirmed : isDataOf(isConfirmation) && (words === "" || isConfirmed);
  return isExact ? { call: { tool, input: { ticket_id }, ...wordsOf(data, text) } } : "unclear";
}

function parseSymbol(
  question: SymbolQuestion,
  { tool, data, text, call }: ReplyParts & { readonly call: SkillCall | null },
): Reply {
  if (call !== null) return { call };
  const { candidates } = question;
  const named = data === undefined ? text : (data as { symbol?: unknown } | null)?.symbol;
  if (typeof named !== "string") return "unclear";
  const answer = named.trim().toLowerCase();
  const chosen =
    candidates.find(({ symbol }) => symbol.toLowerCase() === answer) ??
    only(candidates.filter(({ name }) => name.toLowerCase() === answer));
  // a trade takes one of the listed instruments, never a guess
  if (chosen === undefined && (answer === "" || tool.effect === "trade")) return "unclear";
  const confirmed = answer === "yes" ? only(candidates) : undefined;
  const symbol = (chosen ?? confirmed)?.symbol ?? named.trim();
  return { call: { tool, input: completedInput(question, symbol, tool), ...wordsOf(data, text) } };
}

/** Returns the words of a call with a data part, which are its text. */
const wordsOf = (data: unknown, text: string): Pick<SkillCall, "words"> =>
  data === undefined || text === "" ? {} : { words: text };

const only = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined);
