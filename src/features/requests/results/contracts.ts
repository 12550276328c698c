import { deadlineIn, namesTime } from "../../odds/deadline-in.ts";
import { type LevelRequest, type OddsRequest, rateMoveIn } from "../details/odds.ts";
import { dollars, joinWords } from "../sentences.ts";
import type { AnswerReader } from "./answer-reader.ts";
import { type Choice, type Contract, chooseContract, contractOf } from "./contract-choice.ts";
import { quotesOf } from "./figures.ts";

const MAX_LEVELS = 6;
const MAX_DATES = 4;

/**
 * Returns the figures of prediction markets and a line on the contract that answers the question, if one does. A
 * percentage appears only for a contract on the requested level, date or rate move. Venue questions are quoted in the
 * figures only.
 */
export function contractsOf(
  answer: AnswerReader,
  symbol: string | null,
  brief: boolean,
  { level, query, isOfEvent }: OddsRequest,
): { readonly figures: Readonly<Record<string, unknown>>; readonly text: string } {
  const rows = answer.list("contracts");
  const contracts = rows.map(contractOf);
  const date = deadlineIn(query, Date.parse(answer.text("as_of") ?? "") || 0);
  const move = level === null ? rateMoveIn(query) : null;
  const isUnreadDate = date === null && namesTime(query);
  const isOther = isOfEvent && level === null && move === null && symbol !== null;
  const { candidates, chosen: nearest } = chooseContract(contracts, { level, move, date });
  const chosen = isUnreadDate || isOther ? undefined : nearest;
  const contract = chosen?.contract;
  const isComplement = chosen?.isComplement === true;
  const consensus = contract === undefined ? null : consensusOf(answer, contract);
  const quoted = contract === undefined ? rows : [rows[contracts.indexOf(contract)]!];
  const figures = {
    ...(level !== null && { requested: { ...level, by: date === null ? null : dayOf(date) } }),
    contracts: contract === undefined ? [] : [contract],
    ...(isComplement && { rest_percent: complement(contract!.probability_percent) }),
    questions: quotesOf(quoted, { text: "question", source: "venue", limit: brief ? 1 : 2 }),
    total: answer.number("total", 0),
    consensus_percent: isComplement ? complement(consensus) : consensus,
    source: answer.text("source"),
    as_of: answer.moment("as_of"),
    reason: answer.reason("reason"),
  };
  const head = `Prediction markets${symbol === null ? "" : ` on ${symbol}`}:`;
  const end = `(${[figures.source, figures.as_of].filter((part) => part !== null).join(", ")}).`;
  const without = (words: string, more: object = {}) => ({
    figures: { ...figures, ...more },
    text: `${head} ${words} ${end}`,
  });
  if (contracts.length === 0) return without(`no open contract is known. ${figures.reason ?? ""}`.trimEnd());
  if (chosen !== undefined)
    return { figures, text: `${head} ${chanceOf(chosen, symbol, level, figures)} ${end}` };
  if (isOther)
    return without("no contract was matched to this event; get_prediction_markets lists all contracts");
  const ends = endsOf(candidates);
  const by = date === null ? {} : { by: dayOf(date) };
  if (candidates.length > 0) {
    const why = isUnreadDate ? "the date was not understood" : `no contract on it ends by ${dayOf(date!)}`;
    return without(`${why}; contracts on it end on ${joinWords(ends)}`, { ends, ...by });
  }
  if (level === null) return without(`no contract on a rate ${move} was found`);
  const levels = nearestLevels(contracts, level.level);
  const known =
    levels.length === 0
      ? "none is on a price level"
      : `the nearest levels are ${joinWords(levels.map(dollars))}`;
  return without(`no contract is on a price ${levelText(level)}; ${known}`, { levels });
}

/** Describes the chosen contract from our own fields. */
function chanceOf(
  { contract, isComplement }: Choice,
  symbol: string | null,
  request: LevelRequest | null,
  figures: { readonly rest_percent?: number | null; readonly consensus_percent: number | null },
): string {
  const { venue, id, kind, side, level, upper, rate_move, ends, probability_percent } = contract;
  const isName = [venue, id].every((name) => name !== null && /^[\w.:-]{1,80}$/.test(name));
  const name = isName ? `${id} of ${venue}` : "the nearest contract";
  const event =
    level === null
      ? rate_move === null
        ? ""
        : ` of a rate ${rate_move}`
      : ` of ${symbol ?? "a price"} ${levelText({ side: side as LevelRequest["side"], level, upper })}${kind === "touch" ? " at any time" : ""}`;
  const rest = isComplement
    ? `, which leaves ${figures.rest_percent} percent for a price ${levelText(request!)}`
    : "";
  const otherKind =
    request?.kind == null || kind === request.kind
      ? ""
      : request.kind === "touch"
        ? "; no contract here covers reaching it at any time before"
        : "; no contract here covers the price on that day";
  const joint =
    figures.consensus_percent === null ? "" : `; venue consensus: ${figures.consensus_percent} percent`;
  return `${name} puts the chance${event} by ${ends} at ${probability_percent} percent${rest}${otherKind}${joint}`;
}

/** Returns the consensus probability of the venues on a contract's question, in percent; null if there is none. */
function consensusOf(answer: AnswerReader, { venue, id }: Contract): number | null {
  const consensus = answer
    .list("consensus")
    .find((one) =>
      one.list("contracts").some((other) => other.text("venue") === venue && other.text("id") === id),
    );
  return consensus?.percent("probability") ?? null;
}

function nearestLevels(contracts: readonly Contract[], level: number): readonly number[] {
  return [...new Set(contracts.flatMap((contract) => contract.level ?? []))]
    .toSorted((a, b) => Math.abs(a - level) - Math.abs(b - level))
    .slice(0, MAX_LEVELS)
    .toSorted((a, b) => a - b);
}

const endsOf = (choices: readonly Choice[]): readonly string[] =>
  [...new Set(choices.flatMap(({ contract }) => contract.ends ?? []))].toSorted().slice(0, MAX_DATES);

const dayOf = (end: number): string => new Date(end - 1).toISOString().slice(0, 10);

const levelText = ({ side, level, upper }: Pick<LevelRequest, "side" | "level" | "upper">): string =>
  side === "between"
    ? `between ${dollars(level)} and ${dollars(upper)}`
    : `${side ?? "of"} ${dollars(level)}`;

const complement = (share: number | null): number | null =>
  share === null ? null : Number((100 - share).toFixed(1));
