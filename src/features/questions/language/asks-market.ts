import { type Asked, any } from "./asked.ts";

const MARKET = "(?:stock |us |crypto )?(?:markets?|exchanges?|nyse|nasdaq|wall street)";
const FEELING =
  "fear|fearful|afraid|greed|greedy|panick?ed|panicking|panicky|euphoric|complacent|nervous|scared|risk-?on|risk-?off|risk on|risk off";

/** Whether it is asked when exchanges trade: `is the market open today`. */
const HOURS = any(
  new RegExp(
    ` (is|are|will|was|does|do|when|what time|what day|isn't|aren't) (?:\\S+ ){0,3}${MARKET} (?:\\S+ ){0,2}(open|opens|opening|closed?|closes|closing|shut|trading)(?: (?:today|now|tomorrow|yet|still|on|for|at|this|next|tonight|right|over|and|or|monday|tuesday|wednesday|thursday|friday|saturday|sunday|christmas|thanksgiving|early|late|until|in|during|already)| $)`,
  ),
  new RegExp(` ${MARKET} (hours|holidays?|schedule|closures?|calendar|open today|closed today) `),
  / (trading hours|trading days?|bank holidays?|opening bell|closing bell|half days?) /,
);

/** Whether the mood of the whole market is asked for: `market mood`, `fear and greed index`, `is the market fearful`. */
const MOOD = any(
  new RegExp(` ${MARKET}(?:'s)? mood `),
  new RegExp(` mood (?:of|in|on) (?:the )?${MARKET} $`),
  / (fear (?:and|or|&|n) greed|fear (?:index|gauge|level|meter)|greed index|signal index|ssi) /,
  new RegExp(` ${MARKET} (?:\\S+ ){0,2}(${FEELING}) | (${FEELING}) (?:\\S+ ){0,3}${MARKET} `),
);

/** Whether the odds of an event are asked for. */
const ODDS = any(
  / (odds|probability|probabilities|chances?|likelihood|how likely|how probable|prediction markets?|polymarket|kalshi|manifold) /,
);

/** What asks for a story rather than a state. */
const STORY = / (why|news|headlines?|stories) /;

/** Whether it is asked when exchanges trade, or what the mood of all is, of nobody in particular. */
export const asksOfMarket = (asked: Asked): boolean =>
  asked.named === 0 && (HOURS(asked) || MOOD(asked)) && !STORY.test(asked.said);

/** Whether the odds of an event are asked for that is of nobody in particular. */
export const asksOdds = (asked: Asked): boolean => asked.named === 0 && ODDS(asked);
