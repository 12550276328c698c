/** Labels that the reading of a question speaks of. */
export const ANALYSTS = "what analysts say";
export const ECONOMIC_DATES = "dates of economic reports";
export const COMMODITY = "the price of a commodity";

/** What may be asked of an instrument that no tool here has: in words of ours, and by which words it is asked. */
export const NOWHERE: readonly (readonly [label: string, words: RegExp])[] = [
  ["dividends", /\b(dividends?|(?<!\b(treasury|bond|note|bill|year) )yield(s|ing)?|ex.div\w*|payout)\b/i],
  [
    "value",
    /\bp\/?e\b|\bp\.e\.|\b(price.to.(earnings|sales|book|cash|free)\w*|peg|ev.ebitda|valuations?|(under|over|fairly )[ -]?valued|fair value|intrinsic value|book value|nav|multiples?|cheap(er|est)?|expensive|(over|under)priced)\b/i,
  ],
  [
    "size",
    /\b(market ?(cap\w*|value)|mcap|shares outstanding|(free )?float|fully diluted|(circulating|total|max) supply|how (big|large) is)\b/i,
  ],
  [
    "facts of the company",
    /\b(ceo|cfo|cto|how old|founders?|founded|headquarter\w*|employees?|who (runs|leads|heads|makes|started|created|invented)|chair(man|woman)|board of|competitors?|business model|sub?sidiar\w+|ipo|what does .{1,40}\bdo)\b/i,
  ],
  ["beta and correlation", /\b(beta|correlat\w+|covarianc\w+|r.squared)\b/i],
  ["highs and lows of all time", /\b(all.time|record) (highs?|lows?)\b|\b(ath|atl)s?\b/i],
  [
    "a currency other than US dollars",
    /[€£¥₹]|\bin (euros?|eur|pounds?|gbp|sterling|yen|jpy|(swiss )?francs?|chf|rupees?|inr|cad|aud|yuan|cny|won|krw|pesos?|reais|brl|rubles?)\b/i,
  ],
  [ANALYSTS, /\b(analysts?('s?)?|upgrad\w+|downgrad\w+|(street|consensus) (rating|target)s?|wall street)\b/i],
  [
    "trades of insiders",
    /\b(insiders?|form 4|(ceo|cfo|director|executive|officer)s? (buy|sell|sold|bought)\w*)\b/i,
  ],
  [
    "who holds it",
    /\b(13f|who (owns|holds)|hedge funds?|(institutional|fund) (ownership|owners?|holders?|holdings)|shareholders?|top holders?|holdings of|constituents|berkshire'?s? (stake|position)|etf (holdings|flows))\b/i,
  ],
  [
    "posts of social media",
    /\b(reddit|twitter|tweets?|stocktwits|wallstreetbets|wsb|social media|tiktok|youtube)\b/i,
  ],
  ["an order book", /\b(order book|bid.ask|level (2|ii|two)|market depth|depth of)\b/i],
  ["splits of shares", /\b(stock|share|reverse) splits?\b|\bsplit (history|date)\b/i],
  ["data of a chain", /\b(on.chain|hash ?rate|staking|halving|gas fees?|wallets?|tvl|mempool)\b/i],
  [
    ECONOMIC_DATES,
    /\b(cpi|ppi|pce|gdp|jobs|(non.?farm )?payrolls?|nfp|inflation|unemployment|fomc|fed|federal reserve|economic|retail sales)\b.{0,20}\b(reports?|data|numbers?|prints?|released?|meetings?|meets?|decisions?|dates?|calendar|announcements?)\b|\b(when|next|dates?)\b.{0,40}\b(cpi|ppi|pce|gdp|jobs|payrolls?|nfp|inflation|fomc|fed)\b/i,
  ],
  [
    COMMODITY,
    /\b(prices?|cost) of (a barrel of |crude |natural |brent |wti )*(oil|gas|gasoline|crude|copper|wheat|corn|coffee|cocoa|sugar|uranium|lithium|lumber)\b|\b(oil|gas|gasoline|crude|copper|wheat|corn|coffee|cocoa|sugar|uranium|lithium|lumber) (prices?|futures)\b/i,
  ],
  ["max pain", /\bmax.?pain\b/i],
  ["a bubble", /\bbubbles?\b/i],
  ["popularity", /\b(un)?popular\w*|\bmost (watched|searched|talked|discussed|followed)\b|\bhyped?\b/i],
  [
    "counts of the business",
    /\b(deliver(y|ies|ed)|subscribers?|users|(units|cars|phones|iphones|chips) sold|shipments?|backlog|market share|customers)\b/i,
  ],
  ["dominance", /\bdominance\b/i],
  [
    "law and taxes",
    /\b(is|are|be) (\S+ ){0,3}(a )?(security|commodity|legal|illegal|banned)\b|\btax(es|ed|able)?\b/i,
  ],
  [
    "members of indexes",
    /\b(in|joins?|joined|joining|added to|part of|members? of|weight in) (the )?(s&p( ?500)?|sp ?500|nasdaq|dow|russell|index)\b(?! (today|now)\b)/i,
  ],
  ["conversion of money", /\b(convert(ed|ing|s|er)?|exchange rates?)\b/i],
  [
    "prices before the open and after the close",
    /\b(after.?hours|pre.?market|extended.hours|overnight (price|move|trading|change))\b/i,
  ],
  [
    "instruments alike",
    /\b(stocks?|coins?|tokens?|companies|names|etfs?|something|others?) (like|similar to)\b|\bsimilar (stocks?|coins?|companies|names|to)\b|\balternatives? to\b|\bpeers of\b/i,
  ],
];
