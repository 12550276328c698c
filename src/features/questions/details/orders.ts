import { labelsIn } from "../phrases.ts";

const COUNT =
  "(?:\\$ ?\\d|\\d[\\d.,]*k?\\b(?![ -]?(?:h|hour|m|min|minute|d|day|week|month|year)s?\\b)|(?:all|half|everything|one|two|three|five|ten|a (?:hundred|thousand))\\b)";
const UNITS = String.raw`(?:\d[\d.,]*k? ?(?:shares?|units?|contracts?|coins?|lots?|dollars?|bucks|usd)\b|\$ ?\d[\d.,]*k? (?:of|worth|in|into)\b)`;
const PLEASE = String.raw`^\W*(?:(?:please|pls|hey|ok|okay|now|go|go ahead and|can you|could you|would you|will you|i want (?:you )?to|i'd like (?:you )?to|i need (?:you )?to|let's)[ ,]+)*`;
const DEAL = "(?:buy|sell|short|purchase|trade|dump|liquidate|order|invest|put|close|exit|cover)";

/** Orders that a question may contain, each with its reply. */
const ORDERS = {
  "no order is placed (preview_trade and execute_trade do that)": new RegExp(
    `${PLEASE}${DEAL} (?:me )?(?:${COUNT}|my\\b|[^?]*(?:${UNITS}|\\bfor me\\b|\\b(?:now|immediately|right away|asap|at market|today)[\\s.!]*$))|\\b(?:place|submit|execute|cancel|enter|put in an)\\b.{0,20}\\b(?:order|trade)s?\\b|\\b(?:market|limit|stop) order\\b.{0,30}\\b(?:for|on|to)\\b`,
    "i",
  ),
  "no broker is connected (connect_broker does that)":
    /\b(connect|link|integrate|hook up|sync|log ?in ?to|attach|set ?up)\b.{0,40}\b(broker\w*|trading account|robinhood|schwab|fidelity|ibkr|interactive brokers|alpaca|e-?trade|webull|etoro|td ameritrade)\b/i,
  "no alert is set":
    /\b(alerts?(?!\()|alarm|notify|notifications?|remind(ers?)?|ping me|text me|e-?mail me|warn me|wake me|(tell|message) me (when|if|once|as soon as)|let me know (when|if|once|as soon as))\b/i,
  "no list is changed or watched":
    /\b(add|put|remove|save|delete)\b.{0,40}\b(watch ?list|favou?rites|portfolio|holdings)\b|\b(keep (an eye|watch)|subscribe|start tracking|watch) (on|to|for)?\b.{0,30}\bfor me\b|\bsubscribe (me )?to\b/i,
};

/** Returns a reply to each order in a question. No order is executed. */
export const ordersIn = (query: string): readonly string[] => labelsIn(ORDERS, query);
