/** The 29 drivers in fixed order, with the group and the author of each. */
export const DRIVERS = [
  { id: "t_ma200", group: "trend", source: "StockCharts Technical Rank" },
  { id: "t_ma50", group: "trend", source: "StockCharts Technical Rank" },
  { id: "t_stack", group: "trend", source: "TradingView technical ratings" },
  { id: "t_stage", group: "trend", source: "Weinstein 1988" },
  { id: "t_adx", group: "trend", source: "Wilder 1978" },
  { id: "t_super", group: "trend", source: "Seban" },
  { id: "t_reg", group: "trend", source: "Clenow 2015" },
  { id: "m_rsi", group: "momentum", source: "Wilder 1978" },
  { id: "m_macd", group: "momentum", source: "Appel" },
  { id: "m_roc125", group: "momentum", source: "StockCharts Technical Rank" },
  { id: "m_roc20", group: "momentum", source: "StockCharts Technical Rank" },
  { id: "m_52w", group: "momentum", source: "George & Hwang 2004" },
  { id: "v_obv", group: "volume", source: "Granville 1963" },
  { id: "v_cmf", group: "volume", source: "Chaikin" },
  { id: "v_mfi", group: "volume", source: "Quong & Soudack 1989" },
  { id: "v_updn", group: "volume", source: "after Investor's Business Daily" },
  { id: "v_thrust", group: "volume", source: "Gervais, Kaniel & Mingelgrin 2001" },
  { id: "r_mansfield", group: "relative_strength", source: "Mansfield" },
  { id: "r_rank", group: "relative_strength", source: "Jegadeesh & Titman 1993" },
  { id: "r_sector", group: "relative_strength", source: "Moskowitz & Grinblatt 1999" },
  { id: "x_squeeze", group: "volatility", source: "Bollinger" },
  { id: "x_lowvol", group: "volatility", source: "after Ang, Hodrick, Xing & Zhang 2006" },
  { id: "x_chop", group: "volatility", source: "Dreiss" },
  { id: "d_offex", group: "dark_pool", source: "SqueezeMetrics 2018; the sign is contested" },
  { id: "d_block", group: "dark_pool", source: "Lee & Ready 1991" },
  { id: "o_pc", group: "options", source: "Pan & Poteshman 2006" },
  { id: "o_skew", group: "options", source: "Xing, Zhang & Zhao 2010" },
  { id: "n_sent", group: "news", source: "Tetlock 2007" },
  { id: "k_mkt", group: "markets", source: "market-implied against driftless lognormal probability" },
] as const satisfies readonly { readonly id: string; readonly group: string; readonly source: string }[];

export type DriverId = (typeof DRIVERS)[number]["id"];
export type DriverGroup = (typeof DRIVERS)[number]["group"];

export const GROUP_OF = Object.fromEntries(DRIVERS.map(({ id, group }) => [id, group])) as Readonly<
  Record<DriverId, DriverGroup>
>;
