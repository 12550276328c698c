import type { Symbols, TaskCaller, Tasks } from "../../../domain/ports.ts";
import type { SkillResult } from "../../../domain/requests/interpretation.ts";
import { mapConcurrent } from "../../../lib/concurrency.ts";
import { splitNotes } from "../../signal/notes.ts";
import type { Filters } from "../details/filters.ts";
import type { OddsRequest } from "../details/odds.ts";
import type { SkillCall } from "../skill-calls.ts";
import { readerOf, shortened } from "./answer-reader.ts";
import { contractsOf } from "./contracts.ts";
import { figuresOf } from "./figures.ts";
import { listOf } from "./list-lines.ts";
import { withPartFirst } from "./price-odds.ts";
import { resultText } from "./result-length.ts";

/** Result of one call with the text of the tool. */
export interface Answered {
  readonly result: SkillResult;
  readonly text: string;
  readonly notes: readonly string[];
  /** true: some of the bars behind it are stale. */
  readonly stale: boolean;
}

interface CallContext {
  readonly tasks: Tasks;
  readonly symbols: Symbols;
  readonly caller: TaskCaller;
  readonly detail: "concise" | "full";
  /** Value of `detail` in the tool calls. */
  readonly dataDetail: "concise" | "full";
  /** true: figures and texts are shortened because there are many symbols. */
  readonly brief: boolean;
  readonly odds: OddsRequest;
}

/** Errors of a screen without a run: none has begun, or it is still in progress after the wait. */
const NO_RUN: ReadonlySet<string | undefined> = new Set(["NOT_ENOUGH_DATA", "UPSTREAM_UNAVAILABLE"]);
const MAX_SCANNED = 20;
/** Maximum total length of the tools' texts, in characters. */
const TEXT_LENGTH = { concise: 1_300, full: 6_000 } as const;

/**
 * Calls every tool and returns the answers in order. A tool's error becomes its answer; errors that end the request
 * reject.
 */
export async function callSkills(
  calls: readonly SkillCall[],
  context: CallContext,
): Promise<readonly Answered[]> {
  const { caller, detail } = context;
  const maxLength = TEXT_LENGTH[detail] / Math.max(1, calls.length);
  return mapConcurrent(
    calls,
    async (call) => {
      const first = await callSkill(call, context, maxLength);
      const scan = NO_RUN.has(first.result.error?.code) ? scanInstead(call, context) : null;
      return scan === null ? first : callSkill(scan, context, maxLength);
    },
    (done, call) => {
      if (!caller.signal.aborted)
        caller.progress({ done, total: calls.length, message: call.symbol ?? call.skill });
    },
  );
}

/**
 * Returns a scan of the market's symbols that replaces a screen before the first nightly run; null if a scan cannot
 * apply its filters.
 */
function scanInstead({ skill, input, list }: SkillCall, { symbols }: CallContext): SkillCall | null {
  if (skill !== "screen_universe" || list === undefined) return null;
  const { asset_class, sector, tier, grade, min_score, sort, ...others }: Filters = input;
  if (sort === "rr" || ["stage", "phase", "rules"].some((field) => field in others)) return null;
  const passes = (filter: Filters[keyof Filters], value: string | null) =>
    filter === undefined || [filter].flat().includes(value ?? "");
  const members = symbols
    .members()
    .filter((member) => passes(asset_class, member.asset_class) && passes(sector, member.sector))
    .filter(({ symbol }) => list.without?.includes(symbol) !== true)
    .slice(0, MAX_SCANNED)
    .map(({ symbol }) => symbol);
  if (members.length === 0) return null;
  const filters = Object.entries({ tier, grade, min_score }).filter(([, value]) => value !== undefined);
  return {
    skill: "scan_symbols",
    symbol: null,
    list: { ...list, filters: input },
    input: { symbols: members, ...Object.fromEntries(filters) },
  };
}

async function callSkill(call: SkillCall, context: CallContext, maxLength: number): Promise<Answered> {
  const { skill, symbol, input } = call;
  const { tasks, caller, dataDetail, brief } = context;
  const { data, error, text } = await tasks.callSkill({ skill, input, detail: dataDetail }, caller);
  const of = { symbol, skill };
  if (data === null) {
    const why = error === null ? "" : `: ${shortened(error.message).replace(/[.]$/, "")}`;
    const shownError = error !== null && brief ? { ...error, hint: null } : error;
    return {
      result: { ...of, figures: null, data: null, error: shownError },
      text: `${skill} has no answer${symbol === null ? "" : ` on ${symbol}`} (${error?.code})${why}.`,
      notes: [],
      stale: false,
    };
  }
  const shown = summaryOf(call, context, data, text ?? "");
  const notes = textsOf(data, "notes");
  const stale_notes = textsOf(data, "stale_notes");
  return {
    result: { ...of, figures: shown.figures, data, error: null },
    text: resultText(shown.text, maxLength, splitNotes({ notes, stale_notes }).others),
    notes: notes.map(shortened),
    stale: stale_notes.length > 0,
  };
}

/** Returns the figures and the text of an answer: the tool's own text, or the part of it that the question is about. */
function summaryOf(
  { skill, symbol, part, list }: SkillCall,
  { brief, odds }: CallContext,
  data: Readonly<Record<string, unknown>>,
  text: string,
): { readonly figures: Readonly<Record<string, unknown>>; readonly text: string } {
  const answer = readerOf(data);
  if (skill === "get_prediction_markets") return contractsOf(answer, symbol, brief, odds);
  if (list !== undefined) return listOf(skill === "screen_universe", answer, text, list);
  const figures = figuresOf(skill, answer, brief);
  return { figures, text: part === undefined ? text : withPartFirst(text, part) };
}

/** Returns the texts of a field of an answer, at the top level and under `data`. */
function textsOf(
  answer: Readonly<Record<string, unknown>>,
  field: "notes" | "stale_notes",
): readonly string[] {
  const inner = answer.data as Readonly<Record<string, unknown>> | undefined;
  const all = [answer[field], inner?.[field]].flatMap((some) => (Array.isArray(some) ? some : []));
  return all.filter((note): note is string => typeof note === "string" && note !== "");
}
