import { dateAsked, namesTime } from "../asked/date.ts";
import { type LevelAsked, type OddsAsked, type RateMove, rateMoveIn } from "../asked/level.ts";
import { type Chosen, endsNear, isOfDay, onLevel, type Row, soonest } from "./matched.ts";
import type { Reader } from "./reader.ts";
import { because, dollars, from, listed, quotesOf, show, type Told } from "./told.ts";

const MOST_LEVELS = 6;
const MOST_DATES = 4;

/** Formats prediction markets, at the requested level if there is one. Questions are quoted separately as third-party text. */
export function toldContracts(
  answer: Reader,
  symbol: string | null,
  brief: boolean,
  { level: asked, query, isOfEvent = false }: OddsAsked = { level: null, query: "" },
): Told {
  const listedRows = answer.list("contracts");
  const rows = listedRows.map(rowOf);
  const about = symbol === null ? "" : ` on ${symbol}`;
  const asOf = answer.moment("as_of");
  const date = dateAsked(query, Date.parse(answer.text("as_of") ?? "") || 0);
  const matching = asked === null ? [] : onLevel(rows, asked);
  const dated = matching.filter(({ row }) => isOfDay(row, date));
  const move = asked === null ? rateMoveIn(query) : null;
  const open = rows.filter((row) => move === null || row.rate_move === move);
  const isUnread = date === null && namesTime(query);
  const near = open.filter((row) => date === null || endsNear(row, date)).slice(0, 1);
  const isElse = isOfEvent && asked === null && move === null && symbol !== null;
  const chosen: Chosen | undefined =
    isUnread || isElse
      ? undefined
      : asked === null
        ? near.map((row) => ({ row, isRest: false }))[0]
        : date === null
          ? soonest(dated)
          : dated[0];
  const place = chosen === undefined ? -1 : rows.indexOf(chosen.row);
  const told = chosen === undefined ? listedRows.slice(0, 2) : [listedRows[place]!];
  const together = chosen === undefined ? null : togetherOf(answer, chosen.row);
  const figures = {
    ...(asked !== null && { asked: { ...asked, by: date === null ? null : dayOf(date) } }),
    contracts: chosen === undefined ? [] : [chosen.row],
    ...(chosen?.isRest === true && { rest_percent: rest(chosen.row.probability_percent) }),
    questions: quotesOf(told, { text: "question", source: "venue", most: brief ? 1 : 2 }),
    total: answer.number("total", 0),
    consensus_percent: chosen?.isRest === true ? rest(together) : together,
    source: answer.text("source"),
    as_of: asOf,
    reason: answer.reason("reason"),
  };
  const head = `Prediction markets on ${symbol ?? "what was asked"}:`;
  const end = from(figures.source, asOf);
  if (rows.length === 0) {
    return {
      figures,
      sentence: `No open contract of prediction markets${about} is known${because(figures.reason, ": ")}.`,
    };
  }
  if (isElse) {
    const are = rows.every(({ level }) => level !== null)
      ? `no contract on what was asked is known; those on ${symbol} are on price levels`
      : `which contract is on what was asked is not told apart here; get_prediction_markets has the questions of those on ${symbol}`;
    return { figures, sentence: `${head} ${are} ${end}.` };
  }
  const ending = asked === null ? open : matching.map(({ row }) => row);
  if (chosen === undefined && ending.length > 0 && (isUnread || asked === null)) {
    const ends = endsOf(ending);
    const words = isUnread
      ? `the date asked for was not read; contracts on it end on ${listed(ends)}`
      : `no contract on it ends in the month to ${dayOf(date!)}; those on it end on ${listed(ends)}`;
    return {
      figures: { ...figures, ends, ...(date !== null && { by: dayOf(date) }) },
      sentence: `${head} ${words} ${end}.`,
    };
  }
  if (chosen === undefined && asked === null)
    return { figures, sentence: `${head} no contract on a rate ${move} is found ${end}.` };
  if (chosen === undefined) {
    const none = unmatched(asked!, rows, matching, date);
    return { figures: { ...figures, ...none.figures }, sentence: `${head} ${none.words} ${end}.` };
  }
  const { row, isRest } = chosen;
  const which =
    asked !== null ? (date === null ? "nearest " : "") : symbol === null ? "nearest " : "busiest ";
  const chance = chanceOf(row, symbol ?? "the price");
  const stands =
    chance === null
      ? `The ${which}contract of prediction markets${about}${named(row)} stands at ${show(row.probability_percent)} percent and ends ${show(row.ends)}`
      : `The ${which}contract of prediction markets${named(row)} puts the chance ${chance} at ${show(row.probability_percent)} percent`;
  const restWords = isRest
    ? `, which leaves ${show(figures.rest_percent ?? null)} percent for a price ${sideIn(asked!)}`
    : "";
  const otherKind =
    asked?.kind == null || row.kind === asked.kind
      ? ""
      : asked.kind === "touch"
        ? "; no contract here tells whether it is reached at any time before"
        : "; no contract here tells where the price is on the day";
  const joint =
    figures.consensus_percent === null
      ? ""
      : `; its venues together say ${figures.consensus_percent} percent${isRest ? " for that" : ""}`;
  return { figures, sentence: `${stands}${restWords}${otherKind}${joint} ${end}.` };
}

function rowOf(one: Reader): Row {
  return {
    venue: one.text("venue"),
    id: one.text("id"),
    probability_percent: percent(one.number("probability", 4)),
    kind: one.text("price_level.kind"),
    side: one.text("price_level.side"),
    level: one.number("price_level.level", 6),
    upper: one.number("price_level.upper", 6),
    ends: (one.text("price_level.by") ?? one.text("close_time"))?.slice(0, 10) ?? null,
    rate_move: moveIn(one),
  };
}

/** Read from words of others, which are never shown; an answer of No is to the contrary of its question. */
function moveIn(one: Reader): RateMove | null {
  const outcome = one.text("outcome") ?? "";
  if (/^no$/i.test(outcome)) return null;
  return rateMoveIn(`${one.text("question") ?? ""} ${/^yes$/i.test(outcome) ? "" : outcome}`);
}

/** Explains that no contract matches the request; never returns a percentage. */
function unmatched(
  asked: LevelAsked,
  rows: readonly Row[],
  matching: readonly Chosen[],
  date: number | null,
): { readonly words: string; readonly figures: object } {
  if (matching.length > 0 && date !== null) {
    const dates = endsOf(matching.map(({ row }) => row));
    return {
      words: `no contract on a price ${onIn(asked)} ends on ${dayOf(date)}; those on it end on ${listed(dates)}`,
      figures: { ends: dates },
    };
  }
  const levels = [...new Set(rows.flatMap(({ level }) => level ?? []))];
  const near = levels
    .toSorted((a, b) => Math.abs(a - asked.level) - Math.abs(b - asked.level))
    .slice(0, MOST_LEVELS)
    .toSorted((a, b) => a - b);
  return {
    words: `no contract is on a price ${onIn(asked)}; ${near.length === 0 ? "none of those there are tells a price level" : `${levels.length > near.length ? "the nearest " : ""}levels there are: ${listed(near.map(dollars))}`}`,
    figures: { levels: near },
  };
}

/** The days on which contracts end, the first of them. */
const endsOf = (rows: readonly Row[]): readonly string[] =>
  [...new Set(rows.flatMap(({ ends }) => ends ?? []))].toSorted().slice(0, MOST_DATES);

const dayOf = (end: number): string => new Date(end - 1).toISOString().slice(0, 10);

/** The joint answer of venues to the question of a contract, in percent. */
function togetherOf(answer: Reader, { venue, id }: Row): number | null {
  const joint = answer
    .list("consensus")
    .find((one) =>
      one.list("voices").some((voice) => voice.text("venue") === venue && voice.text("id") === id),
    );
  return joint === undefined ? null : percent(joint.number("probability", 4));
}

const onIn = (asked: LevelAsked): string =>
  asked.side === null ? `of ${dollars(asked.level)}` : sideIn(asked);

const sideIn = ({ side, level, upper }: LevelAsked): string =>
  side === "between"
    ? `between ${dollars(level)} and ${dollars(upper)}`
    : `${side === null ? "" : `${side} `}${dollars(level)}`;

/** Describes the event a contract prices, if our own fields identify it; else null. */
function chanceOf({ kind, side, level, upper, rate_move, ends }: Row, what: string): string | null {
  if (level === null) return rate_move === null ? null : `of a rate ${rate_move} by ${show(ends)}`;
  const end = `it ends on ${show(ends)}`;
  if (side === "between")
    return `that ${what} is between ${dollars(level)} and ${dollars(upper)} when ${end}`;
  if (kind !== "touch") return `that ${what} is ${side} ${dollars(level)} when ${end}`;
  return `that ${what} ${side === "below" ? "falls to" : "reaches"} ${dollars(level)} before ${end}`;
}

/** A contract by the name its venue gives it, where that is no more than a name. */
const named = ({ venue, id }: Pick<Row, "venue" | "id">): string =>
  [venue, id].every((name) => name !== null && /^[\w.:-]{1,80}$/.test(name)) ? `, ${id} of ${venue},` : "";

const percent = (share: number | null): number | null =>
  share === null ? null : Number((share * 100).toFixed(1));

const rest = (share: number | null): number | null =>
  share === null ? null : Number((100 - share).toFixed(1));
