import { WORDS } from "../../../market/symbols/mentions/vocabulary.ts";
import { TERM_NAMES } from "../language/glossary.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that the patterns of a question read, or that say nothing of what is asked; without what is in the lists of talk. */
const READ = words(`
  401k able above account accumulation across act active activity actual add advice afford afraid after afternoon
  again agent aggregate aggressively ago agree ahead alarm alert allocate allocation almost alone already also
  altcoins alternatively always american among amount analyst anniversary announce announcement annual another
  answer anxious anybody anymore anyone anything anyway apart appreciate apr april aren't around article asap asc
  aside ask asset atm attractive aug august autumn average avg avoid away awesome back backwardation balance bank
  bare bargain barring base basis beat beaten because been before beginner beginning behalf behave behind bell
  below beneath beside beta between beyond bid billion birthday bit bitcoin bleed block bollinger bond book both
  bottom bps break brief briefings bring broker btw bucks busiest business buyers buzz bye calculated calendar call
  can't cancel candidates candle candlestick cannot cap capability care cash catalyst cause cent century chain
  chance change chatter check cheers choice choose christmas claims class climbed climbs closures combined come
  command comment company comparison complacent computed concentrated condition condors conference confident
  congress congressional congressman congressmen consensus consider contract conviction corp corporation cost could
  couldn't count couple cover coverage cross crossover crowd cryptocurrency curious current cut dangerous dark
  darkpool data date day dca deal dear dec decade december decent decide decline defensive define definition delay
  democrat desc describe detail did didn't differ difference different digits direction disregard distribution dive
  divergence diversify doesn't dollar don't done dose double downgraded downgrades downside downtrending downtrends
  drawdown drive drop dte during earlier earliest early easter economy edge either elliott ema email end enter eod
  eom eow eoy euphoric even event ever everybody everyone everything everywhere exactly exceed except excl exclude
  execute exit expectancy expected expenses expensive expert expiration expiry explain exposed exposure exuberant
  fair fall fallen far fare farewell fast favored favou fear fearful feast feature feb february fed feeling fell
  fetch fifteen fifty figure filings fill filter final finance financials fine fiscal five flat following fomc
  forex forget format found four fourth frankly fri friday friend full fundamentally further furthest futures fwiw
  gain gainers gap gappers gauge give given gold golden gone gonna goodbye got grade great greed greedy greeting
  grew gross group grow grown guide haha half halloween halving handle happen harder hardest head health hear
  heavily heavy held hello help hence hey hike history hits hitting hiya hmm hodl hola holidays honest hour howdy
  hrs huge hundred hype i'd i'll i'm i've idea ideal idk ignore illiquid immediately imo implied imply important
  inauguration inc include income independence indicator industry information inherited input inside instead
  institution institutional instrument interest interval intraday ira isn't it's itm jan january jul july jump jun
  june juneteenth kalshi keep kept kind kinda know known labor laggards lagging late lawmakers lawsuit lead
  leaderboard leaps least leave left length let let's leverage life like likelihood limit line link liquid
  liquidate liquidity list listen little lol lose losers lost lot ltd madam made major make manifold march margin
  mark markdown markup matchup matter max may maybe mean meant measure media median meet members memorial mention
  midday middle midnight might million min mine minimum minus minute miss moment mon monday money month mood
  morning move movers must myself nah name nasdaq negated neither nervous net never newsflow newsletters night nine
  nobody none noon nope nothing notifications notify nov november nuke numbers nyse oct october odd okay omit opex
  opportunities optimistic option outperform output overall overexposed overheated overnight overview overweight
  panicking part past pct ped pelosi people per percent percentage perfect perform performers perhaps period
  pessimistic phase picture ping please pls plunge plz pnl point political politician polymarket pool pop
  popularity possible possibly post powell pre predict prefer premium presidents press previous pricier priciest
  prime prior probability probable probably profit pull pump purchase purpose query question quick quite raise rank
  rat rate rather ratio raw reach read reasonable rebalance rebound recall recap recent recommend recommendation
  record recover recovery reddit relative release remind remove representative republican result retail retirement
  retry return reversals review reward right rip rise risen riskier riskiest rly robot room rose rumor rumour
  russell said sat saturday savings say scalp scan scandal scared schedule score screen season second seem select
  senat senate senator sense sep separately sept september served set settles several shall shape shud shut side
  sign signify simple simply since sink sir situation six sixty size skew skip slide slump sma smart soar solid
  someone something soon sort spending spike split spot spread spring stable stack stage stand start state status
  steady steepest still stochastics stop story straddle straight strangle street strength strike strong stuff
  submit suggest suggestion summarise summarize summary summer sun sunday sup sure surge surprise sweep system talk
  tank tbh technical tell ten term test text thank thanksgiving there these third thirty tho thought thousand three
  through thu thursday thx tide tier tighten til till time timeframe timeout today together told tomorrow tonight
  took tool topic tracking transcript triangles tried triggered trim trust try tue tuesday tumble turn turnover
  twitter typical unchanged under underperform understand underweight unknown unlikely unresolved until unusual
  upcoming update upgraded upgrades uptrending upwards use usual view vol volatile wait wanna want warn wasn wasn't
  wat watch wave weak weakness wedge wednesday week weekday weekend wen went whale what's whatsup whenever where
  where's whether while who's whole whom whose win window winter wise within without won won't wonder work worry
  worse worst worth worthwhile would wouldn't wrong wtf wyckoff xmas yeah year yep yesterday yet yield you're
  yourself json prose serious wall
`);

/** What a list may be narrowed to, or is said not to be. */
const OF_LISTS = words(`
  airlines aristocrats artificial automakers banks biotech blockchain bonds cannabis chinese chips chipmakers clean
  cloud commodities communications consumer crude cyber cybersecurity defense defensive defi discretionary emerging
  energy esg ev evs finance financials fintech gaming gold green growth health healthcare indian industrials
  insurance insurers intelligence japanese large lithium machine marijuana materials mega meme micro mid miners
  nuclear oil pharma property quantum real reits retail retailers robotics semiconductors semis small social
  software solar space stablecoins staples streamers streaming technology telecoms treasuries uranium utilities
  value dividend penny
`);

const TERMS = new Set([...TERM_NAMES.keys()].flatMap((name) => name.split(/[^a-z]+/)));
const KNOWN = [
  READ,
  WORDS.functionWords,
  WORDS.joiners,
  WORDS.tickerLeads,
  WORDS.marketWords,
  WORDS.stockNouns,
  WORDS.talk,
  WORDS.tradedNouns,
  TERMS,
];

/** Whether a word in small letters, or what it is an inflection of, is one that is read in questions, of lists or of others. */
export function isVocabulary(word: string, ofList: boolean): boolean {
  const sets = ofList ? [...KNOWN, OF_LISTS] : KNOWN;
  return formsOf(word.replace(/['’]s?$/, "")).some((form) => sets.some((set) => set.has(form)));
}

/** A word and what it may be formed of: `falling` of `fall`, `dropped` of `drop`, `biggest` of `big`. */
function formsOf(word: string): readonly string[] {
  const forms = [word];
  for (const [, stem] of [
    word.match(/^(.{2,}?)(?:s|es|ed|d|ing|in|ly|er|r|est|st)$/),
    word.match(/^(.{2,})(?:ed|ing|in|er|est)$/),
  ].flatMap((match) => (match === null ? [] : [match])))
    forms.push(stem!, `${stem}e`, stem!.replace(/(.)\1$/, "$1"));
  if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
  return forms;
}
