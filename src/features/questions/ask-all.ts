import type { Symbols, TaskCaller, Tasks } from "../../domain/ports.ts";
import type { SkillResult } from "../../domain/questions/interpretation.ts";
import { mapConcurrent } from "../../lib/concurrency.ts";
import type { Filters } from "./asked/filters.ts";
import type { OddsAsked } from "./asked/level.ts";
import type { Ask } from "./asks.ts";
import { readerOf, wholeWords } from "./told/reader.ts";
import { SIDES, TELLERS } from "./told/tellers.ts";
import type { Teller } from "./told/told.ts";

/** One result with the sentence written from its figures. */
export interface Answered {
  readonly result: SkillResult;
  readonly sentence: string;
  /** What the skill itself says to know of its answer. */
  readonly notes: readonly string[];
}

interface Asking {
  readonly tasks: Tasks;
  readonly symbols: Symbols;
  readonly caller: TaskCaller;
  readonly detail: "concise" | "full";
  /** Whether the sentences are to be short. */
  readonly brief: boolean;
  /** What of odds is asked for. */
  readonly odds: OddsAsked;
}

const MOST_SCANNED = 20;

/** What became of each ask, in order; a refusal stands in its place. Rejects with what ends the whole call. */
export async function askAll(asks: readonly Ask[], asking: Asking): Promise<readonly Answered[]> {
  const { caller } = asking;
  return mapConcurrent(
    asks,
    async (ask) => {
      const first = await answerTo(ask, asking);
      const instead = first.result.error?.code === "NOT_ENOUGH_DATA" ? insteadOf(ask, asking) : null;
      return instead === null ? first : answerTo(instead, asking);
    },
    (done, ask) => {
      if (!caller.signal.aborted)
        caller.progress({ done, total: asks.length, message: ask.symbol ?? ask.skill });
    },
  );
}

/** Before the first nightly run the market's own symbols are scanned, where that tells what was asked. */
function insteadOf({ skill, input, list }: Ask, { symbols }: Asking): Ask | null {
  if (skill !== "screen_universe" || list === undefined) return null;
  const { asset_class, sector, tier, bias, grade, min_score, sort, stage, phase }: Filters = input;
  if (stage !== undefined || phase !== undefined || sort === "rr") return null;
  const members = symbols
    .members()
    .filter((one) => asset_class === undefined || one.asset_class === asset_class)
    .filter((one) => sector === undefined || one.sector === sector)
    .filter(({ symbol }) => list.without?.includes(symbol) !== true)
    .slice(0, MOST_SCANNED)
    .map(({ symbol }) => symbol);
  if (members.length === 0) return null;
  return {
    skill: "scan_symbols",
    symbol: null,
    list: {
      ...list,
      ...(bias !== undefined && { bias }),
      ...(grade !== undefined && { grade }),
      ...(min_score !== undefined && { min_score }),
      weakest: sort === "score_asc",
    },
    input: { symbols: members, ...(tier !== undefined && { tier }) },
  };
}

async function answerTo(ask: Ask, { tasks, caller, detail, brief, odds }: Asking): Promise<Answered> {
  const { skill, symbol, input } = ask;
  const { data, error } = await tasks.callSkill({ skill, input, detail }, caller);
  const of = { symbol, skill };
  if (data === null) {
    const why = error === null ? "" : `: ${wholeWords(error.message)}`;
    return {
      result: {
        ...of,
        figures: null,
        data: null,
        error: error !== null && brief ? { ...error, hint: null } : error,
      },
      sentence: `${symbol === null ? `${skill} has no answer` : skill === "get_signal" ? `${symbol} cannot be told` : `${skill} has no answer on ${symbol}`} (${error?.code})${why.replace(/[.]$/, "")}.`,
      notes: [],
    };
  }
  const tell: Teller = ask.side === undefined ? TELLERS[skill] : SIDES[ask.side];
  const { figures, sentence } = tell(readerOf(data), symbol, brief, odds, ask.list);
  return { result: { ...of, figures, data, error: null }, sentence, notes: notesOf(data) };
}

/** The notes of an answer, wherever it has them. */
function notesOf(data: Readonly<Record<string, unknown>>): readonly string[] {
  const { notes, data: inner } = data as { readonly notes?: unknown; readonly data?: { notes?: unknown } };
  const all = [notes, inner?.notes].flatMap((some) => (Array.isArray(some) ? some : []));
  return all.filter((note): note is string => typeof note === "string" && note !== "").map(wholeWords);
}
