import type { Intent, SkillResult } from "../../domain/questions/interpretation.ts";
import type { Mention } from "../../market/symbols/mentions/mention.ts";
import type { Filters } from "./asked/filters.ts";
import type { Past } from "./asked/past.ts";
import { MOST_LISTED, type Understood } from "./asks.ts";
import { listed } from "./told/told.ts";

interface Framed {
  /** What is said before the figures. */
  readonly leading: readonly string[];
  /** What is said after the figures: of a politician who is named, and of a fund that is asked for by what it holds. */
  readonly following: readonly string[];
  readonly notes: readonly string[];
}

/** Tools that answer for an earlier day, the first of which an answer holds is named. */
const REPLAYED = ["get_congress_signal", "get_news", "get_prediction_markets"] as const;
/** Tools that a question of a past day is passed on to. */
const AS_OF: ReadonlySet<string> = new Set(["explain_signal", "detect_edge", "get_analysis"]);
/** Intents that have no time, or that look back by themselves. */
const TIMELESS: ReadonlySet<Intent> = new Set(["greeting", "definition", "unknown"]);
const OF_SIGNALS: ReadonlySet<Intent> = new Set(["signal", "compare", "portfolio"]);
const LOOKS_BACK: ReadonlySet<Intent> = new Set(["news", "earnings"]);

/** What an answer is not, of what was asked: of another day, narrowed, of one member of Congress, of all that was asked. */
export function framed({
  intent,
  topics,
  symbols,
  timeframe,
  asOf,
  past,
  others,
  unanswered,
  mentions = [],
}: Understood & {
  readonly mentions?: readonly Mention[];
  readonly past: Past | null;
  readonly others: readonly SkillResult[];
  /** In words of ours. */
  readonly unanswered: readonly string[];
}): Framed {
  const has = (...skills: readonly string[]) =>
    others.some(({ skill, error }) => error === null && skills.includes(skill));
  const isList = intent === "scan" && has("screen_universe", "scan_symbols");
  const { count, filters } = topics;
  // a run is of daily bars
  const bars = timeframe === null || timeframe === "1d" ? [] : [`${timeframe} bars`];
  const unserved = [...topics.unserved, ...bars];
  const isOfAllCongress = symbols.length === 0 && has("get_congress_signal");
  const kept = isOfAllCongress ? keptOf(filters) : [];
  const narrowed = isList && unserved.length > 0;
  const isCongress = topics.politician && has("get_congress_signal");
  return {
    leading: [
      ...pastTold(),
      ...(isList && topics.overall
        ? ["Not answered: one figure over a whole list, such as an average; these are lines of it."]
        : []),
      ...(topics.moodless !== null && has("get_signal_index")
        ? [`There is no mood of ${topics.moodless} alone; this is of the whole US stock market.`]
        : []),
      ...(kept.length > 0 ? [`Not narrowed to: ${kept.join(", ")}.`] : []),
      ...(narrowed ? [`Not narrowed to: ${unserved.join(", ")}.`] : []),
      ...(isList && (narrowed || filters.sort !== undefined) ? [`${orderOf(filters.sort)} come first.`] : []),
    ],
    following: [
      ...(isCongress
        ? ["This is the whole House and Senate as held; get_political_trades lists the trades of one member."]
        : []),
      ...(has("get_quote") ? mentions.flatMap(fundTold) : []),
    ],
    notes: [
      ...(isOfNow() ? ["A past moment is named and what is answered is of now"] : []),
      ...(narrowed
        ? [
            `No screen narrows to ${listed(unserved)}; screen_universe narrows by grade, bias, tier, stage, phase, score, sector and asset class`,
          ]
        : []),
      ...(isList && (count ?? 0) > MOST_LISTED
        ? [`${MOST_LISTED} of a list are told; screen_universe lists up to 100`]
        : []),
      ...(unanswered.length > 0 ? [`Also asked and not answered: ${unanswered.join(", ")}`] : []),
    ],
  };

  function isOfNow(): boolean {
    if (past === null || (asOf ?? null) !== null || TIMELESS.has(intent)) return false;
    if (has("get_calendar")) return false;
    if (symbols.length + others.length === 0) return false;
    return past.dated || !LOOKS_BACK.has(intent);
  }

  function pastTold(): readonly string[] {
    if ((asOf ?? null) !== null && symbols.length > 0) {
      const ofNow = [...new Set(others.map(({ skill }) => skill).filter((skill) => !AS_OF.has(skill)))];
      return [
        ofNow.length === 0
          ? `What follows is as of ${asOf}, of what was known by then.`
          : `Signals are as of ${asOf}, of what was known by then; what ${listed(ofNow)} ${ofNow.length === 1 ? "tells" : "tell"} is of now.`,
      ];
    }
    return isOfNow() ? [`This is of now; ${earlier()}.`] : [];
  }

  function earlier(): string {
    const tool =
      isList || others.length === 0
        ? "get_signal"
        : (REPLAYED.find((name) => has(name)) ??
          (symbols.length > 0 && OF_SIGNALS.has(intent) ? "get_signal" : undefined));
    return tool === undefined
      ? `no earlier day is had of ${intent}`
      : `ask ${tool} with as_of for an earlier day`;
  }
}

/** What a fund is, to one who names it otherwise than by its ticker: its price is no price of what it holds. */
function fundTold({ text, instrument: { symbol, name, asset_class } }: Mention): readonly string[] {
  if (asset_class !== "etf" || text.replace(/^\$/, "").toUpperCase() === symbol) return [];
  return [`${symbol} is ${name}, a fund, so that is the price of a share of it and not of what it holds.`];
}

/** What of a list the trades of Congress are not told by. */
const keptOf = ({ asset_class, sector }: Filters): readonly string[] => [
  ...(asset_class === "crypto" ? ["crypto"] : asset_class === "etf" ? ["funds"] : []),
  ...(sector === undefined ? [] : [`the sector ${sector}`]),
];

const orderOf = (sort: "score_asc" | "rr" | undefined): string =>
  sort === "score_asc"
    ? "The weakest by score"
    : sort === "rr"
      ? "The best by reward-to-risk"
      : "The strongest by score";
