import type { Intent } from "../../../domain/questions/interpretation.ts";
import type { Span } from "../../../market/symbols/mentions/span.ts";
import type { Words } from "../../../market/symbols/mentions/words.ts";
import { withoutAside } from "./aside.ts";
import { type Asked, any } from "./asked.ts";
import { RANKS_NAMED, SCAN } from "./asks-list.ts";
import { asksOdds, asksOfMarket } from "./asks-market.ts";
import { TERM_NAMES } from "./glossary.ts";
import { plainWords } from "./plain-words.ts";
import { POLITICIANS } from "./politicians.ts";

/** What is read before what is asked. */
export interface Read {
  readonly spans: readonly Span[];
  /** How many instruments are named, known or not. */
  readonly named: number;
}

type Rule = readonly [Intent, (asked: Asked) => boolean];

/** What is asked of a term and nothing else: `what is ICS`, `explain reward to risk to me`. */
const OF_TERM =
  / (?:what is|what are|explain|describe|define)(?: me| to me)? (?:an? |the )?((?:\S+ ){1,5}?)(?:(?:to me|please|exactly|again|mean|(?:in|on) (?:the )?(?:stock )?(?:trading|stocks|investing|finance|markets?)|in (?:simple|plain) \S+) )*$/;
const namesTerm = (said: string): boolean => {
  const name = OF_TERM.exec(said)?.[1]?.trim().replaceAll("’", "'") ?? "";
  return TERM_NAMES.has(name) || TERM_NAMES.has(name.replace(/s$/, ""));
};
/** Words of a term that is asked for in a longer phrase, whether the glossary has it or not. */
const TERM =
  / (rsi|macd|atr|vwap|ema|sma|etf|etfs|ipo|eps|p\/e|pe|peg|beta|alpha|gamma|theta|delta|vega|bollinger|fibonacci|ichimoku|doji|hammer|wyckoff|elliott|overbought|oversold|squeeze|drawdown|sharpe|volatility|liquidity|leverage|margin|slippage|spread|crossover|cross|average|divergence|resistance|support|candlestick|candle|breakout|hedging|hedge|dividend|yield|option|options|call|put|strike|premium|contango|backwardation|staking|halving|blockchain|defi|stablecoin|fund|index|bond|stock|share|market|dark|pool|float|gap|trend|pullback|conviction|order|stop|ratio|short|bull|bear|trap|flag|wedge|volume|momentum|accumulation|distribution|spring|wave|cap|dca|doge|crypto|cryptocurrency|fomo|hodl|head|cup|moving|quantitative|inflation|recession|sector|rotation|kelly|expectancy|brier|iv|implied|max|pain|open|interest|sweep|block|whale|insider|backtest|signal|verdict|grade|score) /;

const ASKS_MEANING = any(
  / what (does|do|did) (?:\S+ ){1,8}(mean|stand for|measure|measures|signify|imply) /,
  / (what is|what are) (?:\S+ ){0,1}(meant by|the meaning of|the definition of) /,
  / (define|definition|meaning of|glossary|eli5) /,
  / (explain|describe|teach me|tell me|understand|know)(?: me| to me)? (?:(what|how) (?:\S+ ){1,8}(is|are|means?|measures?|works?)|the (difference|meaning|concept|term|idea)|difference) /,
  / (difference) between /,
  / what is the (difference|purpose|point) (between|of) /,
);
/** Whether `what is a ...` or `explain ...` is followed by a term, and by nothing that lives today. */
function asksTerm({ said, named }: Asked): boolean {
  if (named === 0 && namesTerm(said)) return true;
  const [, rest] =
    / (?:what is|what are|what was|explain|describe)(?: me| to me)?((?: \S+){1,6}) /.exec(said) ?? [];
  if (
    rest === undefined ||
    /^ (like|why|your|the (signal|price|outlook|latest|best|news|top|strongest|weakest|mood|trend|chart|target|verdict|sentiment|half|rsi of|hourly|daily)|best|top|my|happening|going|moving|driving|running|hot|trending|next|up|good|some|doing) /.test(
      `${rest} `,
    )
  )
    return false;
  const isTerm = TERM.test(`${rest.replaceAll(/['’?]/g, "")} `.replaceAll(" ", "  ").replaceAll("  ", " "));
  const article = /^ (a|an) /.test(`${rest} `);
  const works =
    / how (does|do) (?:\S+ ){1,5}(work|works|calculated|computed|measured) /.test(said) ||
    / how is (?:\S+ ){1,4}(calculated|computed|measured|defined) /.test(said);
  if (works && named === 0) return true;
  if (article && named === 0)
    return !/ (good|best|safe|cheap|strong|great|solid|hot|nice|decent|better) /.test(`${rest} `);
  return (
    isTerm &&
    !(/ (right now|today|for|of|on|at|doing) /.test(` ${rest} `) && named > 0) &&
    (named === 0 || article)
  );
}

/** What no market answers. */
const ELSE = any(
  / (joke|jokes|poem|haiku|song|lyrics|recipe|limerick|essay|homework|riddle|weather|translate|bake|horoscope) /,
);

const ORDER = any(
  / (place|submit|execute|enter|send|open|cancel|close) (?:an? |the |my |me )?(?:\S+ ){0,2}(order|orders|trade|position) /,
  /^ (?:please |now |go |just |can you |could you )*(buy|sell|short|purchase|liquidate|dump) (?:me |all |\$?\d[\d,.k]* |(?:a |one |some )shares? of )/,
  / (buy|sell|short) (?:\S+ ){1,5}(?:for me|at market|on my behalf|on my account) /,
);

const CONGRESS = new RegExp(` (?:congress\\S*|senat\\S+|lawmakers?|politicians?|${POLITICIANS})(?:['’]s?)? `);

const PORTFOLIO = any(
  / am (?:i|we) (?:up|down|in profit|in the green|in the red|losing|winning|making) /,
  / my (?:\S+ ){0,3}(portfolio|holdings|positions?|account|shares|bag|bags|allocation|allocations|exposure|stack|savings|retirement|ira|401k|watchlist|stocks|trades|coins|book|risk|capital|cost basis|average cost|hedge|p&l|pnl|losses|(?<!stop )loss|gains) /,
  / (portfolio|portfolios|position siz(?:e|ing)|size (?:my|a|the) (?:position|trade)|risk per trade|asset allocation|rebalanc(?:e|ing)|diversif(?:y|ied|ication)|cost basis|average down|averaging down|dollar cost) /,
  / (?:i|we|i have|we have|i've|have|just) (?:already |also |still |currently |just |only |now )*(own|owned|hold|bought|got|have|am holding|am long|am short|inherited|am sitting|sold) (?:about |around |some |like )?(?:\$?\d\S*|a few|some|half|a lot|too much|too many|all my|mostly|shares|lots) /,
  / (?:i|we) (?:already |also |still |currently )*(own|hold|have been holding|am holding) /,
  / how (much|many) (?:\S+ ){0,4}(of my|should i (?:put|invest|buy|risk|hold|allocate)|can i (?:afford|lose|risk|buy)|could (?:i|we) lose|do i (?:need|have|own)|to (?:risk|allocate|invest)|shares) /,
  / (should|can|could) (?:i|we) (?:\S+ ){0,2}(put all|put (?:half|everything)|trim|diversify|rebalance|hedge|allocate|invest \$?\d) /,
  / (?:put|invest|allocate|split) (?:\$?\d\S*|all of it|everything|half|all) /,
  / (overexposed|overweight|underweight|exposed|concentrated|exposure) (?:to|in|if|on|across|by|am|are|is) /,
  / (?:my|our|total|sector|tech|crypto|net|portfolio) (exposure|allocation) /,
  / (size|sizing) (?:a|my|for|the) /,
  / (\d\S*|half|part|most) (?:%|percent|pct)? ?of (?:my|our) /,
  / (bag|bags) /,
  / (?:got|have) \$?\d\S* (?:total|to invest|to put|to spend|saved|cash|left) /,
  / lo[ad]{2}ing up /,
  / loading up /,
);

const FLOW = any(
  new RegExp(` (?:${POLITICIANS})(?:['’]s?)? `),
  / options? (traders?|buyers?|sellers?) /,
  / (dark ?pools?|off-exchange|block (?:trades?|prints?|buys?)|blocks|prints?|sweeps?|whales?|whale|unusual|flow|flows|gamma|gex|dealer|max pain|open interest|put call|put\/call|call\/put|p\/c|put-call|call put|insiders?|senators?|congress|congressional|congressman|congressmen|senate|lawmakers?|politicians?|13f|13fs|short interest|days to cover|smart money|institutions?|institutional|options? (?:activity|chain|volume|flow|market|trades|positioning|bets)|iv rank|implied volatility|skew|premium|tide|darkpool|hedge funds?|form 4) /,
  / (big|large|huge|heavy|bullish|bearish|unusual|weird|any|most|the) (?:\S+ )?(puts|calls|options|contracts|trades) /,
  / (straddles?|strangles?|iv|implied vol|puts) /,
  / calls $/,
  / options (?:on|for|in|expiring) /,
  / (puts|calls) (?:being |on |bought|in|for|vs|or|versus) /,
);

const EARNINGS = any(
  / (earnings?|eps|ers?|guidance|revenues?|fiscal|conference call|results|quarterly|pre-announce\S*|bottom line|top line|net income) /,
  / (report|reports|reporting|reported) (?:\S+ ){0,4}(today|tonight|tomorrow|this week|next|first|sooner|earlier|after|before|date|dates|quarter|monday|tuesday|wednesday|thursday|friday|numbers|season|on|in|last) /,
  / (report|reporting) (date|dates|day) /,
  / (when|who|whos) (?:is |does |do |did |are |will )?(?:\S+ ){0,5}(report|reports|reporting|announce) /,
  / (beat|beats|miss|missed) (?:\S+ ){0,4}(quarter|estimates?|expectations?|street|consensus|forecasts?|numbers|again) /,
  / (quarter|q[1-4]) (?:\S+ ){0,3}(numbers|results|beat|miss|report|sales|profit|profits) /,
  / numbers (?:\S+ ){0,3}(expectations|consensus|estimates|forecast) /,
  / (last|this|next|latest|previous) quarter (?!-)/,
  / (implied|expected) move /,
);

const NEWS = any(
  / (news|headline|headlines|sentiment|mood|press|announcements?|announced|catalysts?|rumou?rs?|story|stories|buzz|chatter|articles?|coverage|scandal|lawsuit|newsflow|media|downgraded?|upgraded?|downgrades|upgrades) /,
  / (why|what|how come) (?:\S+ )?(happened|did|does|is|are|was|has|caused|made|moved|moves|drove|driving|moving|has|happening|behind|sent|triggered) (?:\S+ ){0,6}(drop|dropp\S+|fall|fell|falling|down|up|rise|rising|rally|rallying|jump|jumping|jumped|spike|spiking|crash|crashing|crashed|tank|tanking|tanked|dump|dumping|moving|moved|move|surge|surging|soar|soaring|green|red|plunge|plunging|sliding|slide|pumping|gap|gapped|today|lower|higher|popping|sinking|bleeding|running) /,
  / what (?:the \S+ )?(is |has )?happened? (?:to|with) /,
  / (happened|happening|happening) (?:to|with) /,
  / (?:going|goes) on (?:with|at|in|over|w) /,
  / (?:is|was|were|are) (?:people|everyone|the street|twitter|reddit|analysts|everybody) (?:saying|talking|feeling) /,
  / (?:what|what is|anything) new (?:with|on|at|about) /,
  / why (?:is |did |has |are )/,
  / (?:is|are|so|going) (?:so )?(?:down|up|dropping|falling|crashing|tanking|rising|pumping|dumping|red|green) (?:\S+ ){0,2}why /,
);

const GREETING =
  /^(?: (?:hi+|hey+|hello|hiya|howdy|yo|sup|gm|gn|good|morning|afternoon|evening|night|day|there|thanks?|thank|you|so|much|very|a|lot|that|that's|thats|is|all|for|now|bye|goodbye|see|later|cheers|greetings|welcome|ok|okay|cool|great|nice|awesome|perfect|appreciate|it|your|help|everyone|team|folks|bot|friend|again|what|up|how|are|doing|today|please|morning|mate|buddy|guys|all|wassup|whatsup|hola|to|meet|no|the|sir|just|saying|wanted|say|talk|tomorrow|then|got|my|man|lol|haha|and|i|am|fine|well|take|care|have|one))+ $/;
const GREETS =
  / (hi+|hey+|hello|hiya|howdy|yo|sup|gm|gn|good (?:morning|afternoon|evening|night|day)|thanks?|bye|goodbye|cheers|greetings|wassup|hola|see you|how are you|what is up|take care|nice|cool|great|awesome|perfect) /;
const ABOUT_YOU = any(
  / (who|what) are you /,
  / who (made|built|created|wrote|runs|owns) (you|this) /,
  / are you (a|an|the|real|human|alive|there|ai|working|online) /,
  / what (?:else )?(?:can|could|do) (you|this (?:thing|bot|tool|server)) (?:do|offer|help|know|support|answer) /,
  / (?:how|what) (?:can|do|could) (?:you|i) (?:help|use|ask|do with|talk to)(?: me| you| this| with)* $/,
  / how (?:do|does|can) (?:i|one|we) use (?:you|this) /,
  / what is your (name|purpose|job) /,
  / (?:what|which) (?:agents|tools|commands|features|capabilities) /,
  /^ (?:help|help me|help please|menu|start|commands|\/help|\/start) $/,
  / (tell me about yourself|introduce yourself|your capabilities) /,
);

const COMPARE = any(
  / (vs|v|versus|compare|compared|comparing|comparison|against|better|stronger|weaker|safer|cheaper|riskier|faster|worse|prefer|instead|outperform\S*|relative|stack up|matchup|head to head|rather|choose|choosing|decide|who is winning|winning|winner|between|difference|differ|beat|beats|beating|than|which|relative strength|correlat\S+|spread between) /,
  / (over|or) .{0,80} (more|pick|first|which|better|stronger) /,
  / (pick|own|buy|take|choose|hold|rather) (?:\S+ ){1,4}or /,
  / (is|are|should|would) (?:\S+ ){1,8}or (?:\S+ ){1,4}(better|the better|stronger|cheaper|safer|leading|ahead) /,
);

const SIGNALS = any(
  / (signal|signals|chart|price|outlook|verdict|forecast|prediction|trend|levels|technicals|analysis|analyze|analyse|setup|buy|sell|bullish|bearish|momentum|bias|quote|rsi|macd) /,
);

/** In this order: the first that holds is what is asked. */
const RULES: readonly Rule[] = [
  ["unknown", (asked) => ORDER(asked) || ELSE(asked)],
  [
    "definition",
    (asked) =>
      asked.bare ||
      ((ASKS_MEANING(asked) || (asksTerm(asked) && !TRADERS_DO.test(asked.said))) && !isAside(asked)),
  ],
  ["portfolio", (asked) => asked.own || (PORTFOLIO(asked) && !CONGRESS.test(asked.said))],
  ["signal", (asked) => asksOfMarket(asked) && !SCAN(asked)],
  ["flow", FLOW],
  ["earnings", EARNINGS],
  [
    "news",
    (asked) =>
      NEWS(asked) &&
      (asked.named > 0 ||
        / (market|markets|stocks|crypto|news|headlines?|tech|sector|economy|fed|sentiment|press|mood|street|story|stories) /.test(
          asked.said,
        )),
  ],
  ["scan", (asked) => (asked.named === 0 ? SCAN(asked) : asked.named > 2 && RANKS_NAMED(asked))],
  ["compare", (asked) => asked.named > 1 && (asked.choice || COMPARE(asked))],
  [
    "scan",
    (asked) =>
      asked.named > 0 && asked.named < 3 && / (rank|screen|scan|list every|list all) /.test(asked.said),
  ],
  ["signal", ({ named }) => named > 0],
  ["greeting", (asked) => ABOUT_YOU(asked) || (GREETING.test(asked.said) && GREETS.test(asked.said))],
  ["compare", any(/ (compare|versus|vs) /)],
  [
    "scan",
    any(
      / (stocks|coins|etfs|cryptos|altcoins|tokens|tickers|sectors|sector|large caps|small caps|mega caps|penny stocks) /,
    ),
  ],
  [
    "news",
    any(
      / (market|markets|wall street|crypto|economy) (?:\S+ ){0,3}(today|doing|up|down|now|looking|happening|moving|open|close) /,
      / (market|markets|crypto) $/,
    ),
  ],
  ["signal", (asked) => SIGNALS(asked) || asksOdds(asked)],
];

/** Whether it is asked what some kind of traders do. */
const TRADERS_DO =
  / (?:traders?|buyers?|sellers?|whales?|insiders?|funds|institutions|politicians) (?:\S+ ){0,2}(?:doing|buying|selling|betting|trading|positioned|positioning|loading|saying|up to) /;

/** Whether the meaning is asked for only by the way, of a question about an instrument. */
const isAside = ({ said, named }: Asked): boolean =>
  named > 0 &&
  / (is|should|buy|sell|wait|hold) (?:\S+ ){1,3}(a buy|a sell|i |buy|sell|hold|bullish|bearish) ?/.test(said);

/** What a question asks for; the instruments it names are no words of it. Linear in its length. */
export function intentOf(read: Words, { named, spans }: Read): Intent {
  const choice = spans.some(({ at, length }, i) => {
    const end = at + length;
    return spans[i + 1]?.at === end + 1 && read.words[end]!.lower === "or";
  });
  const own = spans.some(({ at }) => /^(my|our)$/.test(read.words[at - 1]?.lower ?? ""));
  const said = withoutAside(plainWords(read)).replace(/ {2,}/g, " ");
  const bare =
    spans.length === 1 &&
    /^ what is (?:a |an |the )?\S+(?: \S+)? $/.test(said) &&
    spans[0]!.length + spans[0]!.at === read.words.length &&
    spans[0]!.instrument !== null &&
    /[a-z].{4}/.test(spans[0]!.text) &&
    spans[0]!.at <= 2;
  const asked: Asked = { said, named, choice, own, bare };
  for (const [intent, holds] of RULES) if (holds(asked)) return intent;
  return "unknown";
}
