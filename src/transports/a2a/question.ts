import type { Task } from "@a2a-js/sdk";
import { TaskState } from "@a2a-js/sdk";
import { z } from "zod";
import { Named } from "../../domain/answers.ts";
import { TicketId } from "../../domain/trading/trading.ts";
import type { ToolError } from "../../kernel/errors.ts";
import { withFieldNames } from "../../kernel/field-names.ts";
import type { Tool } from "../../kernel/tool.ts";
import type { SkillCall } from "./skill-call.ts";

/** Field of a task's metadata that holds its open question; null once the question is answered. */
export const QUESTION_FIELD = "question";

/** Which instrument a name of the input means. The answer completes `input` at `path`. */
const SymbolQuestion = z.object({
  kind: z.literal("symbol"),
  skill: z.string(),
  input: z.record(z.string(), z.unknown()),
  path: z.union([z.tuple([z.string()]), z.tuple([z.string(), z.number()])]),
  candidates: z.array(Named).min(1),
});
/** Whether a ticket is to be sent. */
const TicketQuestion = z.object({
  kind: z.literal("ticket"),
  skill: z.string().describe("The tool that sends the ticket"),
  ticket_id: TicketId,
});
const Question = z.discriminatedUnion("kind", [SymbolQuestion, TicketQuestion]);
export type Question = z.infer<typeof Question>;
export type SymbolQuestion = z.infer<typeof SymbolQuestion>;
export type TicketQuestion = z.infer<typeof TicketQuestion>;

/** Returns the question that a task waits for; null for any other task. */
export function openQuestion({ status, metadata }: Task): Question | null {
  if (status?.state !== TaskState.TASK_STATE_INPUT_REQUIRED) return null;
  return Question.safeParse(metadata?.[QUESTION_FIELD]).data ?? null;
}

/**
 * Returns the question to which instrument a failed call refers, if its error lists candidates for a symbol of the
 * input; null for any other failure, and for an input with secrets, which is not stored.
 */
export function symbolQuestion({ tool, input }: SkillCall, { code, data }: ToolError): SymbolQuestion | null {
  if ((code !== "UNKNOWN_SYMBOL" && code !== "INVALID_INPUT") || tool.secrets?.input !== undefined)
    return null;
  const candidates = z.array(Named).min(1).safeParse(data?.candidates).data;
  const sent = z.record(z.string(), z.unknown()).safeParse(input).data;
  if (candidates === undefined || sent === undefined) return null;
  const fields = withFieldNames(sent, tool.input);
  const path = symbolPath(fields, data?.symbol);
  return path === null ? null : { kind: "symbol", skill: tool.name, input: fields, path, candidates };
}

/** Returns where the input holds the symbol: the field `symbol`, or the item of `symbols` with that text. */
function symbolPath(
  { symbol, symbols }: Readonly<Record<string, unknown>>,
  text: unknown,
): SymbolQuestion["path"] | null {
  if (typeof symbol === "string") return ["symbol"];
  if (!Array.isArray(symbols)) return null;
  const index = symbols.findIndex((one) => typeof one === "string" && one.trim() === text);
  return index === -1 ? null : ["symbols", index];
}

/** Returns the tool that sends a ticket as an order; undefined without one. */
const ticketTool = (tools: readonly Tool[]): Tool | undefined =>
  tools.find(({ effect, input }) => effect === "trade" && "ticket_id" in input.shape);

/**
 * Returns the question whether to send the ticket of a result; null for a result without a ticket, and for a caller
 * that may not send it.
 */
export function ticketQuestion(
  { effect }: Tool,
  data: Readonly<Record<string, unknown>>,
  tools: readonly Tool[],
  mayCall: (tool: Tool) => boolean,
): TicketQuestion | null {
  const ticket = TicketId.safeParse(data.ticket_id).data;
  const sender = ticketTool(tools);
  if (effect === "trade" || ticket === undefined || sender === undefined || !mayCall(sender)) return null;
  return { kind: "ticket", skill: sender.name, ticket_id: ticket };
}

/** Returns the call of a symbol question with the instrument that the answer names. */
export function completedInput(
  { input, path: [field, index], candidates }: SymbolQuestion,
  symbol: string,
  { input: { shape } }: Tool,
): Record<string, unknown> {
  const list = input[field];
  const value =
    index !== undefined && Array.isArray(list)
      ? list.map((one, place) => (place === index ? symbol : one))
      : symbol;
  const chosen = candidates.find((candidate) => candidate.symbol === symbol);
  // a symbol that is also the name of another instrument stays ambiguous without its class
  const kind = index === undefined && chosen && "asset_class" in shape && { asset_class: chosen.asset_class };
  return { ...input, ...kind, [field]: value };
}
