/** The 29 drivers in fixed order, with the name in words, the group and the author of each. */
export const DRIVERS = [
  { id: "t_ma200", name: "200-bar average", group: "trend", source: "StockCharts Technical Rank" },
  { id: "t_ma50", name: "50-bar average", group: "trend", source: "StockCharts Technical Rank" },
  { id: "t_stack", name: "order of the averages", group: "trend", source: "TradingView technical ratings" },
  { id: "t_stage", name: "Weinstein stage", group: "trend", source: "Weinstein 1988" },
  { id: "t_adx", name: "directional movement", group: "trend", source: "Wilder 1978" },
  { id: "t_super", name: "Supertrend", group: "trend", source: "Seban" },
  { id: "t_reg", name: "60-bar price line", group: "trend", source: "Clenow 2015" },
  { id: "m_rsi", name: "RSI", group: "momentum", source: "Wilder 1978" },
  { id: "m_macd", name: "MACD", group: "momentum", source: "Appel" },
  { id: "m_roc125", name: "125-bar change", group: "momentum", source: "StockCharts Technical Rank" },
  { id: "m_roc20", name: "20-bar change", group: "momentum", source: "StockCharts Technical Rank" },
  { id: "m_52w", name: "place in the year's range", group: "momentum", source: "George & Hwang 2004" },
  { id: "v_obv", name: "on-balance volume", group: "volume", source: "Granville 1963" },
  { id: "v_cmf", name: "Chaikin money flow", group: "volume", source: "Chaikin" },
  { id: "v_mfi", name: "money flow index", group: "volume", source: "Quong & Soudack 1989" },
  {
    id: "v_updn",
    name: "volume on rising and falling bars",
    group: "volume",
    source: "after Investor's Business Daily",
  },
  { id: "v_thrust", name: "unusual volume", group: "volume", source: "Gervais, Kaniel & Mingelgrin 2001" },
  { id: "r_mansfield", name: "relative strength", group: "relative_strength", source: "Mansfield" },
  {
    id: "r_rank",
    name: "rank of the 12-1 month return",
    group: "relative_strength",
    source: "Jegadeesh & Titman 1993",
  },
  {
    id: "r_sector",
    name: "return against sector peers",
    group: "relative_strength",
    source: "Moskowitz & Grinblatt 1999",
  },
  { id: "x_squeeze", name: "Bollinger bands", group: "volatility", source: "Bollinger" },
  {
    id: "x_lowvol",
    name: "volatility against its past year",
    group: "volatility",
    source: "after Ang, Hodrick, Xing & Zhang 2006",
  },
  { id: "x_chop", name: "choppiness", group: "volatility", source: "Dreiss" },
  {
    id: "d_offex",
    name: "off-exchange short selling",
    group: "dark_pool",
    source: "SqueezeMetrics 2018; the sign is contested",
  },
  { id: "d_block", name: "large off-exchange prints", group: "dark_pool", source: "Lee & Ready 1991" },
  { id: "o_pc", name: "share of puts in option volume", group: "options", source: "Pan & Poteshman 2006" },
  { id: "o_skew", name: "skew of implied volatility", group: "options", source: "Xing, Zhang & Zhao 2010" },
  { id: "n_sent", name: "news sentiment", group: "news", source: "Tetlock 2007" },
  {
    id: "k_mkt",
    name: "prediction markets",
    group: "markets",
    source: "market-implied against driftless lognormal probability",
  },
] as const satisfies readonly {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly source: string;
}[];

export type DriverId = (typeof DRIVERS)[number]["id"];
export type DriverGroup = (typeof DRIVERS)[number]["group"];

export const GROUP_OF = Object.fromEntries(DRIVERS.map(({ id, group }) => [id, group])) as Readonly<
  Record<DriverId, DriverGroup>
>;

const NAMES: ReadonlyMap<string, string> = new Map(DRIVERS.map(({ id, name }) => [id, name]));
/** Returns the name of a driver in words; the id of an unknown one, as of an earlier version. */
export const driverName = (id: string): string => NAMES.get(id) ?? id;
