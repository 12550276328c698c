/** One term of the field as this product uses it. */
export interface Term {
  readonly term: string;
  /** Other names it is asked by, in lower case. */
  readonly also: readonly string[];
  readonly meaning: string;
}

/** One a line: `term|other names, comma-separated|meaning`. */
const LINES = `
signal|trading signal,action card|A verdict on one symbol, LONG, SHORT or WAIT, with a grade, a score and levels, computed from closed bars.
score|signal score,overall score|How far the drivers lean on a scale from 0, all down, over 50, neutral, to 100, all up.
grade|signal grade|A letter for the strength of a signal, from A+ for the strongest long side to F for the weakest.
tier|signal tier,attention tier|A word for how much attention a signal deserves: HOT, WATCH or NEUTRAL.
HOT|hot signal,hot tier|The tier of a LONG or SHORT whose weighted drivers sum to 0.55 or more, of 1 at most, towards its side.
WATCH|watch tier,watch signal|The tier of a LONG or SHORT whose drivers lean less far than those of a HOT one.
NEUTRAL|neutral tier,neutral signal|The tier of every WAIT; of a mood or a bias, that it leans to neither side.
verdict|direction,call of a signal|What a signal says: LONG, SHORT or WAIT.
driver|drivers,factor,factors|One of the readings, such as RSI or a relative return, whose weighted sum makes the score.
conviction|ics,institutional conviction,smart money conviction,institutional conviction score|How well price respects the levels where large trades were done, against levels set by chance.
confidence|signal confidence|The share of past signals like this one that went right, or how far the drivers agree where too few are resolved.
long|go long,going long,long position,long bias|Holding an instrument to gain when its price rises.
short|go short,going short,short selling,short position,selling short|Selling what is borrowed to gain when its price falls; the loss has no upper limit.
wait|no trade|The verdict where the drivers do not agree enough for either side; its levels are for watching only.
entry zone|entry,entry price|The range of prices in which a trade of the signal would be opened.
stop|stop loss,stop-loss,stoploss|The price at which a trade is given up so that the loss stays small.
target|price target,take profit,profit target|A price at which some of the gain of a trade is taken.
reward-to-risk|reward to risk,risk reward,risk/reward,r:r,rr,r-multiple|The way from entry to target divided by the way from entry to stop.
break-even win rate|break even win rate,breakeven|The share of wins at which trades of this reward-to-risk neither gain nor lose.
stop order|stop-limit order|An order that becomes active once the price reaches the level it names.
limit order|limit|An order that is done at its price or a better one, or not at all.
market order|at market|An order that is done at once at the best price there is.
spread|bid ask spread,bid-ask spread,bid,ask|The gap between the highest bid and the lowest ask; who trades at once pays it.
liquidity|liquid,illiquid|How much can be traded at once without moving the price.
volatility|vol,historical volatility,realized volatility|How widely price swings around its course, mostly as the standard deviation of returns over a year.
ATR|average true range,true range|The mean distance a bar covers, gaps included; stops are often set in multiples of it. Wilder, 1978.
RSI|relative strength index|An oscillator from 0 to 100 that weighs the average gain against the average loss of recent bars, 14 as a rule. Wilder, 1978.
MACD|moving average convergence divergence|The gap between a fast and a slow exponential average of price, with an average of that gap beside it. Appel.
moving average|ma,sma,simple moving average,50-day moving average,200-day moving average,50 day,200 day|The mean close of the last so many bars, drawn along the price.
EMA|exponential moving average|A moving average in which newer bars weigh more.
golden cross|50 over 200|The crossing of the 50-day average above the 200-day one, read as the start of an upward trend.
death cross|50 below 200|The crossing of the 50-day average below the 200-day one, read as the start of a downward trend.
Bollinger bands|bollinger,bollinger band|A moving average with a band of two standard deviations to either side.
ADX|average directional index,directional movement|How strong a trend is, whichever its direction. Wilder, 1978.
Supertrend|super trend|A line at some average true ranges from price that trails it and turns when crossed.
stochastic|stochastic oscillator,stoch|Where the close lies within the range of recent bars, from 0 to 100.
OBV|on-balance volume,on balance volume|Volume summed with the sign of each day's change in price.
VWAP|volume weighted average price,volume-weighted average price|The average price of a session in which each trade weighs by its size.
Chaikin money flow|cmf,money flow|Volume weighed by where each close lies within its bar, over recent bars.
relative strength|rs,rank|The return of a symbol beside that of a benchmark, its sector or everything ranked.
momentum|roc,rate of change|The tendency of what rose to go on rising for some time; measured as the return over some bars.
overbought|over bought|Said of a price that rose so fast that oscillators stand near their top; it may stay so for long.
oversold|over sold|Said of a price that fell so fast that oscillators stand near their bottom; it may stay so for long.
divergence|bullish divergence,bearish divergence|Price makes a new high or low and an oscillator does not; of an edge, the points between the probability of news and that of markets.
support|support level|A price at which buyers came in before.
resistance|resistance level|A price at which sellers came in before.
pivot|pivot point,swing high,swing low|A high or low that the bars on both sides do not reach; levels and targets start from them.
breakout|break out,breakdown|A close beyond the range in which price was held.
pullback|pull back,retracement,dip|A move against the trend that does not end it.
gap|gap up,gap down|An open away from the last close, with no trade between.
trend|uptrend,downtrend,trend following|A course of higher highs and lows, or of lower ones.
candlestick|candle,candles,candlestick pattern|A bar drawn by its open, high, low and close.
timeframe|bar length,time frame,bar|The length of the bars a reading is made of, from 5 minutes to a day.
closed bar|decision bar|A bar whose time is over; verdicts are made of these alone.
Weinstein stage|stage,stage analysis,stage 1,stage 2,stage 3,stage 4|One of four: base, advance, top and decline, told by price and its 30-week average. Weinstein, 1988.
Wyckoff|wyckoff method,wyckoff phase,accumulation,distribution,markup,markdown|A reading of trading ranges as accumulation or distribution by large traders, from price and volume.
Spring|wyckoff spring,shakeout|A dip below a trading range that comes back into it, a sign of accumulation in Wyckoff's reading.
UTAD|upthrust,upthrust after distribution|A push above a trading range that falls back into it, a sign of distribution in Wyckoff's reading.
LPS|last point of support,lpsy,last point of supply|The last hold before price leaves its range: LPS above support before a rise, LPSY below resistance before a fall.
Elliott wave|elliott,elliott waves,wave count,elliott wave count,wave 3|A count of moves as five waves with a trend and three against it; told only where no rule of it is broken.
Fibonacci|fibonacci retracement,fib,fib level|Shares of a move, such as 38.2 and 61.8 percent, at which it is watched for a turn.
Kelly criterion|kelly,kelly sizing,kelly fraction|The share of capital that grows fastest in the long run, given win rate and reward-to-risk; mostly used in part. Kelly, 1956.
position sizing|position size,sizing|How much is put into one trade, given the stop and what may be lost.
drawdown|max drawdown,maximum drawdown|The fall of capital from its highest point so far.
Sharpe ratio|sharpe|Mean return above the riskless rate divided by its standard deviation, over a year. Sharpe, 1966.
win rate|hit rate,batting average|The share of trades that gained.
backtest|backtesting,back test|A strategy run over past bars with costs, each decision made of what was known by then.
walk-forward|walk forward,out of sample|A test in which parameters are chosen on one stretch of the past and judged on the next.
look-ahead bias|lookahead bias,look ahead,survivorship bias|The fault of a test that uses what was not known at the time.
beta|market beta|How far a return moves with that of the market.
correlation|correlated|How closely two returns move together, from -1 to 1.
dark pool|dark pools,dark-pool print,dark pool print,off-exchange,off exchange|A venue that shows no quotes; here, any trade reported off exchange. A print shows a trade, not who made it or why.
block trade|block,blocks|One trade of an unusual size.
options|option,call option,put option,call,put,calls,puts|The right, not the duty, to buy (call) or sell (put) at a strike price until an expiry.
strike|strike price|The price at which an option may be used.
expiry|expiration,expiration date|The day on which an option ends.
premium|option premium|What is paid for an option.
open interest|oi|Contracts that are open at the end of a day.
implied volatility|iv,implied vol|The volatility at which a model gives an option its price in the market.
IV rank|ivr,iv percentile|Where implied volatility stands within its own range of the last year.
skew|volatility skew,25-delta skew|How much dearer puts out of the money are than calls at the same distance.
delta|option delta|How far the price of an option moves with that of its share.
gamma|gamma exposure,gex,dealer gamma|How fast delta changes; summed over dealers it tells whether their hedging calms price or drives it.
expected move|implied move|How far options price a share to move until an expiry, either way.
put/call ratio|put call ratio,put-call ratio,pcr|Puts traded for each call; above 1 more protection is bought than upside.
sweep|options sweep,sweeps|One order filled at once on several exchanges, a sign of hurry.
unusual options activity|unusual activity,uoa,options flow,unusual options|Contracts whose volume is far above their open interest.
market tide|tide|The trend of put/call ratios over the whole market.
Congress trades|congress trade,political trades,periodic transaction report,ptr,stock act|Trades that members of the US Congress must disclose within 45 days, in ranges of dollars.
earnings|earnings report,quarterly report,eps,earnings per share|What a company made in a quarter; set against what analysts expected, it beats or misses.
earnings surprise|surprise,beat,miss,earnings beat,earnings miss|How far a report lies from what was expected, in percent of it.
guidance|outlook|What a company itself expects of the next quarter.
prediction market|prediction markets,event contract|A venue where contracts pay 1 if an event comes about; the price is read as its probability.
edge|edge detection,mispricing|The gap between the probability a market gives and the one other evidence gives.
UNDERPRICED|under priced|The verdict of an edge where markets give less than the news does, beyond the spread and a margin; nobody has shown which side is right.
OVERPRICED|over priced|The verdict of an edge where markets give more than the news does, beyond the spread and a margin; nobody has shown which side is right.
FAIR|fairly priced,fair odds|The verdict of an edge where news and markets lie within the spread and a margin of each other.
actionability|actionable|How much an edge bears, HIGH, MEDIUM, LOW or NONE, by its score, its publishers and how much of the gap is of news.
fair value|intrinsic value|What something would be worth by its earnings, its assets or a model; no tool here computes one.
Brier score|brier|The mean squared gap between probabilities and what came about; lower is better. Brier, 1950.
Signal Index|ssi,fear and greed,fear and greed index,market sentiment|Market sentiment from 0, extreme fear, to 100, extreme greed, of up to seven parts.
sentiment|news sentiment|The tone of headlines, positive, neutral or negative, by a small model that may abstain.
ETF|exchange traded fund,exchange-traded fund,fund,index fund|A fund whose shares trade like a stock's.
stock|share,shares,equity,stocks|A part of a company that can be bought and sold.
crypto|cryptocurrency,token,coin,altcoin|A digital token that trades around the clock; named here as a pair with the dollar, such as BTC-USD.
ticker|symbol,cashtag,ticker symbol|The short name of an instrument on its exchange; written $AAPL it is a cashtag.
sector|gics,gics sector,industry|The branch a company belongs to, by the Global Industry Classification Standard.
stock split|split,reverse split|Each share becomes several, or several become one; past prices are adjusted by it.
dividend|ex-dividend,ex-dividend date,dividend yield|What a company pays its holders for each share.
market cap|market capitalization,market capitalisation|The price of a share times the number of shares.
short squeeze|squeeze,gamma squeeze|A rise that makes short sellers buy back, which drives it on.
short interest|days to cover,short volume|Shares that are sold short and not yet bought back.
bull market|bull,bullish|A long time of rising prices; bullish is who expects one.
bear market|bear,bearish|A long time of falling prices; bearish is who expects one.
volume|relative volume|How many shares or coins were traded within a time.
market breadth|breadth,advance decline|How many stocks take part in a move of the market.
SAMPLE|sample data,simulated,simulated data|The mark of figures from a simulated market: fit to try everything out, not to trade by.
`;

/** The terms of the field, in our own words. */
export const GLOSSARY: readonly Term[] = LINES.trim()
  .split("\n")
  .map((line) => {
    const [term, also, meaning] = line.split("|") as [string, string, string];
    return { term, also: also.split(","), meaning };
  });

/** A name as its words in small letters, a space between: `put/call ratio`, `a+`. */
export const termWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:[/:'’-][\p{L}\p{N}]+)*\+?/gu) ?? [];

/** Each name, spelled so, with the term it stands for. */
export const TERM_NAMES: ReadonlyMap<string, Term> = new Map(
  GLOSSARY.flatMap((term) =>
    [term.term, ...term.also].map((name) => [termWords(name).join(" "), term] as const),
  ),
);

/** Names too usual to be what is asked about while anything else is. */
export const USUAL_NAMES: ReadonlySet<string> = new Set(
  "signal score bar stock share shares stocks trend call calls put puts long short wait watch hot neutral direction verdict fair bull bear bid ask stop limit target rank vol entry block blocks premium tide edge gap split miss beat symbol fund coin token equity industry breadth stage factor factors option options strike sector surprise outlook support".split(
    " ",
  ),
);
