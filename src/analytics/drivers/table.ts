/**
 * The 29 drivers in fixed order, with the name within a sentence, the title for people, the group and the author of each.
 * Titles hold for either sign of the value.
 */
export const DRIVERS = [
  {
    id: "t_ma200",
    name: "200-bar average",
    title: "Price against its 200-bar average",
    group: "trend",
    source: "StockCharts Technical Rank",
  },
  {
    id: "t_ma50",
    name: "50-bar average",
    title: "Price against its 50-bar average",
    group: "trend",
    source: "StockCharts Technical Rank",
  },
  {
    id: "t_stack",
    name: "order of the averages",
    title: "Order of price and its averages",
    group: "trend",
    source: "TradingView technical ratings",
  },
  {
    id: "t_stage",
    name: "Weinstein stage",
    title: "Stage of the long-term cycle (Weinstein)",
    group: "trend",
    source: "Weinstein 1988",
  },
  {
    id: "t_adx",
    name: "directional movement",
    title: "Direction and strength of the trend (ADX)",
    group: "trend",
    source: "Wilder 1978",
  },
  {
    id: "t_super",
    name: "Supertrend",
    title: "Side of the trend line (Supertrend)",
    group: "trend",
    source: "Seban",
  },
  {
    id: "t_reg",
    name: "60-bar price line",
    title: "Slope of price over 60 bars",
    group: "trend",
    source: "Clenow 2015",
  },
  {
    id: "m_rsi",
    name: "RSI",
    title: "Strength of recent gains (RSI)",
    group: "momentum",
    source: "Wilder 1978",
  },
  { id: "m_macd", name: "MACD", title: "Change of momentum (MACD)", group: "momentum", source: "Appel" },
  {
    id: "m_roc125",
    name: "125-bar change",
    title: "Price change over 125 bars",
    group: "momentum",
    source: "StockCharts Technical Rank",
  },
  {
    id: "m_roc20",
    name: "20-bar change",
    title: "Price change over 20 bars",
    group: "momentum",
    source: "StockCharts Technical Rank",
  },
  {
    id: "m_52w",
    name: "place in the year's range",
    title: "Place in the year's price range",
    group: "momentum",
    source: "George & Hwang 2004",
  },
  {
    id: "v_obv",
    name: "on-balance volume",
    title: "Trend of volume (on-balance volume)",
    group: "volume",
    source: "Granville 1963",
  },
  {
    id: "v_cmf",
    name: "Chaikin money flow",
    title: "Buying pressure over 20 bars (Chaikin money flow)",
    group: "volume",
    source: "Chaikin",
  },
  {
    id: "v_mfi",
    name: "money flow index",
    title: "Price strength weighted by volume (money flow index)",
    group: "volume",
    source: "Quong & Soudack 1989",
  },
  {
    id: "v_updn",
    name: "volume on rising and falling bars",
    title: "Volume on rising against falling bars",
    group: "volume",
    source: "after Investor's Business Daily",
  },
  {
    id: "v_thrust",
    name: "unusual volume",
    title: "Direction of unusual volume",
    group: "volume",
    source: "Gervais, Kaniel & Mingelgrin 2001",
  },
  {
    id: "r_mansfield",
    name: "relative strength",
    title: "Strength against the benchmark",
    group: "relative_strength",
    source: "Mansfield",
  },
  {
    id: "r_rank",
    name: "rank of the 12-1 month return",
    title: "Rank of the past year's return",
    group: "relative_strength",
    source: "Jegadeesh & Titman 1993",
  },
  {
    id: "r_sector",
    name: "return against sector peers",
    title: "Return against sector peers",
    group: "relative_strength",
    source: "Moskowitz & Grinblatt 1999",
  },
  {
    id: "x_squeeze",
    name: "Bollinger bands",
    title: "Place in the usual price band (Bollinger)",
    group: "volatility",
    source: "Bollinger",
  },
  {
    id: "x_lowvol",
    name: "volatility against its past year",
    title: "Volatility against its past year",
    group: "volatility",
    source: "after Ang, Hodrick, Xing & Zhang 2006",
  },
  {
    id: "x_chop",
    name: "choppiness",
    title: "Trending or moving sideways (choppiness)",
    group: "volatility",
    source: "Dreiss",
  },
  {
    id: "d_offex",
    name: "off-exchange short selling",
    title: "Short selling off exchange",
    group: "dark_pool",
    source: "SqueezeMetrics 2018; the sign is contested",
  },
  {
    id: "d_block",
    name: "large off-exchange prints",
    title: "Large trades off exchange",
    group: "dark_pool",
    source: "Lee & Ready 1991",
  },
  {
    id: "o_pc",
    name: "share of puts in option volume",
    title: "Puts against calls in option volume",
    group: "options",
    source: "Pan & Poteshman 2006",
  },
  {
    id: "o_skew",
    name: "skew of implied volatility",
    title: "Price of downside protection (option skew)",
    group: "options",
    source: "Xing, Zhang & Zhao 2010",
  },
  { id: "n_sent", name: "news sentiment", title: "Tone of the news", group: "news", source: "Tetlock 2007" },
  {
    id: "k_mkt",
    name: "prediction markets",
    title: "Odds in prediction markets",
    group: "markets",
    source: "market-implied against driftless lognormal probability",
  },
] as const satisfies readonly {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly source: string;
}[];

export type DriverId = (typeof DRIVERS)[number]["id"];
export type DriverGroup = (typeof DRIVERS)[number]["group"];

export const GROUP_OF = Object.fromEntries(DRIVERS.map(({ id, group }) => [id, group])) as Readonly<
  Record<DriverId, DriverGroup>
>;

/** Titles of the groups for people. */
export const GROUP_TITLES = {
  trend: "Trend",
  momentum: "Momentum",
  volume: "Volume",
  relative_strength: "Relative strength",
  volatility: "Volatility",
  dark_pool: "Off-exchange trading",
  options: "Options",
  news: "News",
  markets: "Prediction markets",
} as const satisfies Readonly<Record<DriverGroup, string>>;

const TITLES = Object.fromEntries(DRIVERS.map(({ id, title }) => [id, title])) as Readonly<
  Record<DriverId, string>
>;
/** Returns the title of a driver for people. */
export const driverTitle = (id: DriverId): string => TITLES[id];

const NAMES: ReadonlyMap<string, string> = new Map(DRIVERS.map(({ id, name }) => [id, name]));
/** Returns the name of a driver in words; the id of an unknown one, as of an earlier version. */
export const driverName = (id: string): string => NAMES.get(id) ?? id;
