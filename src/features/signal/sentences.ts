import type { DriverValue, Inputs } from "../../analytics/drivers/driver-value.ts";
import type { DriverId } from "../../analytics/drivers/table.ts";

const number = (inputs: Inputs, key: string): number => Number(inputs[key]);
const percent = (share: number): string => `${Math.abs(share * 100).toFixed(1)}%`;
const side = (share: number): string => (share >= 0 ? "above" : "below");
const fixed = (inputs: Inputs, key: string, digits = 1): string => number(inputs, key).toFixed(digits);
/** Returns how far an input lies above another, as a share of the other. */
const excess = (inputs: Inputs, key: string, base: string): number =>
  number(inputs, key) / number(inputs, base) - 1;
const change = (inputs: Inputs, before: string, span: string): string => {
  const share = excess(inputs, "close", before);
  return `price ${share >= 0 ? "rose" : "fell"} ${percent(share)} over ${span}`;
};
const distance = (share: number, name: string): string => `${percent(share)} ${side(share)} its ${name}`;
const slope = (inputs: Inputs, name: string): string =>
  `${name} ${number(inputs, "slope_per_bar") >= 0 ? "rises" : "falls"} with R2 ${fixed(inputs, "r2", 2)}`;

const wholePercent = (inputs: Inputs, key: string): string => percent(number(inputs, key));
const millions = (inputs: Inputs, key: string): string => `$${(number(inputs, key) / 1e6).toFixed(1)}M`;
const deviations = (inputs: Inputs, key: string): string => {
  const z = number(inputs, key);
  return `${Math.abs(z).toFixed(1)} standard deviations ${side(z)} its 60-day mean`;
};
const attribution = ({ source }: Inputs): string => (source === undefined ? "" : ` (${source})`);

/** Functions that describe each driver from its inputs. The sign and size of its value are shown separately. */
const SENTENCES: Readonly<Record<DriverId, (inputs: Inputs, value: number) => string>> = {
  t_ma200: (inputs) => `close is ${distance(excess(inputs, "close", "sma200"), "200-bar average")}`,
  t_ma50: (inputs) => `close is ${distance(excess(inputs, "close", "sma50"), "50-bar average")}`,
  t_stack: (_, value) => {
    const order = value > 0 ? "rising" : "falling";
    return `close and its 20, 50 and 200-bar averages are in ${Math.abs(value) === 1 ? order : "mixed"} order`;
  },
  t_stage: (inputs) => `Weinstein stage ${fixed(inputs, "stage", 0)}`,
  t_adx: (_, value) => `${value >= 0 ? "upward" : "downward"} movement leads (ADX)`,
  t_super: (inputs) => `Supertrend points ${number(inputs, "direction") > 0 ? "up" : "down"}`,
  t_reg: (inputs) => slope(inputs, "60-bar price line"),
  m_rsi: (inputs) => `RSI is ${fixed(inputs, "rsi14")}`,
  m_macd: (inputs) => `MACD histogram is ${number(inputs, "histogram") >= 0 ? "positive" : "negative"}`,
  m_roc125: (inputs) => change(inputs, "close_125_ago", "125 bars"),
  m_roc20: (inputs) => change(inputs, "close_20_ago", "20 bars"),
  m_52w: (inputs) => {
    const low = number(inputs, "year_low");
    return `close is at ${percent((number(inputs, "close") - low) / (number(inputs, "year_high") - low))} of the year's range`;
  },
  v_obv: (inputs) => slope(inputs, "on-balance volume"),
  v_cmf: (inputs) => `Chaikin money flow is ${fixed(inputs, "cmf20", 2)}`,
  v_mfi: (inputs) => `money flow index is ${fixed(inputs, "mfi14")}`,
  v_updn: (inputs) =>
    number(inputs, "down_volume") === 0
      ? "no volume at all on falling bars"
      : `volume on rising bars is ${(number(inputs, "up_volume") / number(inputs, "down_volume")).toFixed(2)} times that on falling bars`,
  v_thrust: (_, value) =>
    `unusual volume in the last 5 bars was on ${value >= 0 ? "rising" : "falling"} bars`,
  r_mansfield: (inputs) =>
    `strength against the benchmark is ${distance(excess(inputs, "relative_strength", "average"), "yearly average")}`,
  r_rank: (inputs) =>
    `12-1 month return ${(100 * number(inputs, "return_12_1")).toFixed(1)}%, ranked among ${fixed(inputs, "members", 0)}`,
  r_sector: (inputs) =>
    `63-bar return ${(100 * number(inputs, "roc63")).toFixed(1)}% against ${(100 * number(inputs, "peers_mean")).toFixed(1)}% of ${fixed(inputs, "peers", 0)} sector peers`,
  x_squeeze: (_, value) => `close is in the ${value >= 0 ? "upper" : "lower"} half of its Bollinger bands`,
  x_lowvol: (_, value) => `volatility is ${value >= 0 ? "low" : "high"} compared with its past year`,
  x_chop: (_, value) => `the last 14 bars lean ${value >= 0 ? "up" : "down"}`,
  d_offex: (inputs) =>
    `${wholePercent(inputs, "short_share")} of its off-exchange volume of ${inputs.date} was sold short, ${deviations(inputs, "z_60")}${attribution(inputs)}`,
  d_block: (inputs) =>
    `large off-exchange prints of the last day (${inputs.blocks}): ${millions(inputs, "bought")} bought, ${millions(inputs, "sold")} sold, the newest at ${inputs.known_at}${attribution(inputs)}`,
  o_pc: (inputs) => {
    const [put, call] = [number(inputs, "put"), number(inputs, "call")];
    return `puts were ${percent(put / (put + call))} of its option volume, ${deviations(inputs, "z")}, as known at ${inputs.known_at}`;
  },
  o_skew: (inputs) =>
    `out-of-the-money puts had an implied volatility of ${wholePercent(inputs, "put_iv")} against ${wholePercent(inputs, "atm_iv")} at the money, a difference ${deviations(inputs, "z")}, as known at ${inputs.known_at}`,
  n_sent: (inputs, value) => {
    const read = inputs.stories === 1 ? "one story" : `${inputs.stories} stories`;
    const abstainedText = inputs.abstained === 0 ? "" : `, ${inputs.abstained} more could not be judged`;
    return `${read} of the last 7 days: ${value >= 0 ? "positive" : "negative"} on balance${abstainedText}, the newest of ${inputs.known_at}${attribution(inputs)}`;
  },
  k_mkt: (inputs) => {
    const [reaches, within] = inputs.kind === "touch" ? ["that reaches", "within"] : ["above", "in"];
    const event = `${reaches} $${inputs.level} ${within} ${fixed(inputs, "days", 0)} days`;
    return `${inputs.venue} gave ${wholePercent(inputs, "p")} for a price ${event}, price and volatility imply ${wholePercent(inputs, "q")}, at ${inputs.known_at}`;
  },
};

/** Describes the inputs of a present driver in a clause, without the sign of its value. */
export const sentenceOf = ({ id, inputs, value }: DriverValue): string => SENTENCES[id](inputs, value ?? 0);
