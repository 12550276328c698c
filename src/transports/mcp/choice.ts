import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type AssetClass, unambiguousSymbol } from "../../domain/market/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { withFieldNames } from "../../kernel/field-names.ts";
import { maxEffect, type Tool } from "../../kernel/tool.ts";
import type { Fields } from "../../lib/fields.ts";
import { plainText } from "../../lib/plain-text.ts";

/** Input field that a user may be asked about, and key of the question. */
const FIELD = "symbol";
const MAX_CHOICES = 10;
/** Time that a user has to answer, in milliseconds. */
const ANSWER_MS = 5 * 60_000;

interface Candidate {
  readonly symbol: string;
  readonly name: string;
  readonly asset_class: AssetClass;
}

interface Choice {
  readonly message: string;
  /** Symbols that each mean one candidate. */
  readonly values: readonly string[];
}

/** Returns true if an ambiguous symbol of the tool may be settled by a question. Never for a tool that places orders. */
export const mayAsk = (tool: Tool): boolean => FIELD in tool.input.shape && maxEffect(tool) !== "trade";

/** Returns the choice that settles an error about an ambiguous symbol; null for any other error. */
function choiceOf(tool: Tool, input: Fields, { code, data }: ToolError): Choice | null {
  const typed = input[FIELD];
  if (code !== "INVALID_INPUT" || typeof typed !== "string" || !mayAsk(tool)) return null;
  const candidates = (Array.isArray(data?.candidates) ? data.candidates : []) as readonly Candidate[];
  if (candidates.length < 2 || candidates.length > MAX_CHOICES) return null;
  const values = candidates.map(unambiguousSymbol);
  const meanings = candidates.map(
    ({ name, asset_class }, place) => `${values[place]} (${name}, ${asset_class})`,
  );
  return {
    message: `"${plainText(typed, 40)}" has several meanings: ${meanings.join(", ")}. Which one do you mean?`,
    values,
  };
}

/** Asks the user of a client which candidate is meant. Returns its symbol; null if the user does not choose one. */
async function chooseSymbol(
  { message, values }: Choice,
  { mcpReq: { envelope, inputResponses, send, signal, id } }: ServerContext,
  running: Set<AbortController>,
): Promise<string | InputRequiredResult | null> {
  const params = {
    message,
    requestedSchema: {
      type: "object" as const,
      properties: {
        [FIELD]: { type: "string" as const, title: "Symbol", enum: [...values] },
      },
      required: [FIELD],
    },
  };
  const question = inputRequired.elicit(params);
  if (envelope === undefined) {
    const stop = new AbortController();
    running.add(stop);
    const answer = await send(
      { method: "elicitation/create", params },
      { relatedRequestId: id, signal: AbortSignal.any([signal, stop.signal]), timeout: ANSWER_MS },
    )
      .catch(() => null)
      .finally(() => running.delete(stop));
    return answer?.action === "accept" ? valueIn(values, answer.content) : null;
  }
  const answer = inputResponse(inputResponses, FIELD);
  if (answer.kind === "elicit" && answer.action !== "accept") return null;
  const value = answer.kind === "elicit" ? valueIn(values, answer.content) : null;
  return value ?? inputRequired({ inputRequests: { [FIELD]: question } });
}

function valueIn(values: readonly string[], content: unknown): string | null {
  const value = (content as Fields | undefined)?.[FIELD];
  return values.find((known) => known === value) ?? null;
}

interface ChoiceDeps {
  /** Running calls, to which a call belongs while its user is asked. */
  readonly running: Set<AbortController>;
  call(input: unknown): Promise<CallToolResult | InputRequiredResult>;
}

/** Runs a call, and once more with the user's choice if it fails because its symbol is ambiguous. */
export async function callWithChoice(
  tool: Tool,
  input: unknown,
  ctx: ServerContext,
  { running, call }: ChoiceDeps,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return await call(input);
  } catch (cause) {
    const given = withFieldNames((input ?? {}) as Fields, tool.input);
    const choice = cause instanceof ToolError ? choiceOf(tool, given, cause) : null;
    const chosen = choice && (await chooseSymbol(choice, ctx, running));
    if (chosen === null) throw cause;
    return typeof chosen === "string" ? call({ ...given, [FIELD]: chosen }) : chosen;
  }
}

/** Returns the capabilities in the envelope of a request; undefined without one, before 2026-07-28. */
export const envelopeCapabilities = ({ mcpReq: { envelope } }: ServerContext): unknown =>
  envelope === undefined ? undefined : ((envelope as Fields)[CLIENT_CAPABILITIES_META_KEY] ?? {});

/**
 * Returns true if the client of a request can ask its user: if its capabilities meet `supports`, or by `legacy` for a
 * revision before 2026-07-28.
 */
export const canAskUser = (
  { mcpReq: { envelope } }: ServerContext,
  supports: (capabilities: unknown) => boolean,
  legacy: () => boolean,
): boolean =>
  envelope === undefined ? legacy() : supports((envelope as Fields)[CLIENT_CAPABILITIES_META_KEY]);
