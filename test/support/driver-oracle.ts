import type { DriverId } from "../../src/analytics/drivers/table.ts";
import type { Bars } from "../../src/domain/market/bars.ts";

/**
 * The 23 price and volume drivers at the last bar, computed directly from their definitions without any code of src/.
 * Null if a definition requires more bars than given.
 */
export function oracle(
  bars: Bars,
  year: number,
  benchmark: Bars | null,
  peers: readonly Bars[],
  returns: readonly number[],
  own: number,
): Partial<Record<DriverId, number | null>> {
  const [T, H, L, C, V] = [bars.time, bars.high, bars.low, bars.close, bars.volume].map((x) => [...x]) as [
    number[],
    number[],
    number[],
    number[],
    number[],
  ];
  const n = C.length;
  const t = n - 1;
  const close = C[t]!;
  const need = (bars: number, f: () => number) => (n < bars ? null : f());
  const TR = C.map((_, i) =>
    i === 0 ? 0 : Math.max(H[i]! - L[i]!, Math.abs(H[i]! - C[i - 1]!), Math.abs(L[i]! - C[i - 1]!)),
  );
  const A14 = wilder(TR, 14);
  const A = A14[t]!;
  const share = C.map((c, i) => A14[i]! / c)
    .filter((x) => !Number.isNaN(x))
    .slice(-year);
  const v = Math.min(4, Math.max(0.5, middle(share) / 0.02));
  const roc = (k: number) => close / C[t - k]! - 1;
  const E = (k: number) => ema(C, k)[t]!;
  const macdLine = ema(C, 12).map((fast, i) => fast - ema26(C)[i]!);
  const gains = C.map((c, i) => (i === 0 ? 0 : Math.max(0, c - C[i - 1]!)));
  const losses = C.map((c, i) => (i === 0 ? 0 : Math.max(0, C[i - 1]! - c)));
  const yearHigh = Math.max(...H.slice(-year));
  const yearLow = Math.min(...L.slice(-year));
  const obv = C.map((_, i) =>
    total(C.slice(0, i + 1).map((c, k) => (k === 0 ? 0 : Math.sign(c - C[k - 1]!) * V[k]!))),
  );
  const typical = C.map((c, i) => (c + H[i]! + L[i]!) / 3);
  const flows = (sign: number) =>
    total(typical.map((p, i) => (i > t - 14 && Math.sign(p - typical[i - 1]!) === sign ? p * V[i]! : 0)));
  const signedVolume = (sign: number) =>
    total(C.map((c, i) => (i > t - 50 && Math.sign(c - C[i - 1]!) === sign ? V[i]! : 0)));
  const bands = C.map((_, i) => bandOf(C.slice(Math.max(0, i - 19), i + 1)));

  return {
    t_ma200: need(200, () => c1((close / avg(C.slice(-200)) - 1) / (0.15 * v))),
    t_ma50: need(50, () => c1((close / avg(C.slice(-50)) - 1) / (0.08 * v))),
    t_stack: need(200, () =>
      avg([Math.sign(close - E(20)), Math.sign(E(20) - E(50)), Math.sign(E(50) - E(200))]),
    ),
    t_stage: stage(T, C),
    t_adx: need(28, () => directional(H, L, TR)),
    t_super: need(15, () => {
      const [line, side] = superTrend(H, L, C, wilder(TR, 10));
      return side * (0.5 + 0.5 * Math.min(1, Math.abs(close - line) / (3 * A)));
    }),
    t_reg: need(60, () => line(C.slice(-60).map(Math.log))),
    m_rsi: need(15, () => {
      const [up, down] = [wilder(gains, 14)[t]!, wilder(losses, 14)[t]!];
      return c1((100 - 100 / (1 + up / down) - 50) / 30);
    }),
    m_macd: need(34, () => {
      const signal = ema(macdLine.slice(25), 9);
      return Math.tanh((macdLine[t]! - signal.at(-1)!) / (0.5 * A));
    }),
    m_roc125: need(126, () => c1(roc(125) / (0.4 * v))),
    m_roc20: need(21, () => c1(roc(20) / (0.12 * v))),
    m_52w: need(year, () => (2 * (close - yearLow)) / (yearHigh - yearLow) - 1),
    v_obv: need(21, () => line(obv.slice(-20))),
    v_cmf: need(20, () => {
      const money = C.map((c, i) =>
        H[i] === L[i] ? 0 : ((2 * c - H[i]! - L[i]!) / (H[i]! - L[i]!)) * V[i]!,
      );
      return c1(total(money.slice(-20)) / total(V.slice(-20)) / 0.25);
    }),
    v_mfi: need(15, () => c1((100 - 100 / (1 + flows(1) / flows(-1)) - 50) / 30)),
    v_updn: need(51, () =>
      c1((2 * (signedVolume(1) - signedVolume(-1))) / (signedVolume(1) + signedVolume(-1))),
    ),
    v_thrust: need(54, () =>
      avg(
        [t - 4, t - 3, t - 2, t - 1, t].map((i) => {
          const usual = avg(V.slice(i - 49, i + 1));
          return Math.sign(C[i]! / C[i - 1]! - 1) * c1(Math.max(0, Math.log2(V[i]! / usual)));
        }),
      ),
    ),
    r_mansfield: benchmark && mansfield(T, C, benchmark, year, v),
    r_rank: need(year + 1, () => 2 * rank(returns, own) - 1),
    r_sector: need(64, () => {
      const theirs = peers.flatMap((peer) => {
        const at = peer.time.indexOf(T[t]!);
        return at < 63 ? [] : [peer.close[at]! / peer.close[at - 63]! - 1];
      });
      return c1((roc(63) - avg(theirs)) / (0.15 * v));
    }),
    x_squeeze: need(145, () => {
      const widths = bands.slice(19).map(({ width }) => width);
      return c1(2 * bands[t]!.percent - 1) * (1 - rank(widths.slice(-year), widths.at(-1)!));
    }),
    x_lowvol: need(140, () => 1 - 2 * rank(share, share.at(-1)!)),
    x_chop: need(15, () => {
      const tops = H.map((h, i) => Math.max(h, C[i - 1] ?? h)).slice(-14);
      const bottoms = L.map((l, i) => Math.min(l, C[i - 1] ?? l)).slice(-14);
      const ground = Math.max(...tops) - Math.min(...bottoms);
      const chop = (100 * Math.log10(total(TR.slice(-14)) / ground)) / Math.log10(14);
      return Math.sign(roc(14)) * c1((61.8 - chop) / 23.6);
    }),
  };
}

const c1 = (x: number) => Math.max(-1, Math.min(1, x));
const total = (x: readonly number[]) => x.reduce((a, b) => a + b, 0);
const avg = (x: readonly number[]) => total(x) / x.length;
const middle = (x: readonly number[]) => {
  const s = [...x].sort((a, b) => a - b);
  return (s[Math.floor((s.length - 1) / 2)]! + s[Math.ceil((s.length - 1) / 2)]!) / 2;
};
const rank = (x: readonly number[], own: number) =>
  (x.filter((y) => y < own).length + x.filter((y) => y === own).length / 2) / x.length;

/** Wilder's average of x[1..], seeded with the mean of x[1..n] at index n. */
function wilder(x: readonly number[], n: number): number[] {
  const out = x.map(() => Number.NaN);
  if (x.length > n) out[n] = avg(x.slice(1, n + 1));
  for (let i = n + 1; i < x.length; i++) out[i] = (out[i - 1]! * (n - 1) + x[i]!) / n;
  return out;
}

function ema(x: readonly number[], n: number): number[] {
  const out = x.map(() => Number.NaN);
  if (x.length >= n) out[n - 1] = avg(x.slice(0, n));
  for (let i = n; i < x.length; i++) out[i] = (x[i]! * 2) / (n + 1) + out[i - 1]! * (1 - 2 / (n + 1));
  return out;
}
const slow = new WeakMap<readonly number[], number[]>();
const ema26 = (x: readonly number[]) => slow.get(x) ?? slow.set(x, ema(x, 26)).get(x)!;

/** sign(slope) x R2 of the least-squares line, by the textbook sums. */
function line(y: readonly number[]): number {
  const x = y.map((_, i) => i);
  const cov = (a: readonly number[], b: readonly number[]) =>
    avg(a.map((_, i) => (a[i]! - avg(a)) * (b[i]! - avg(b))));
  return (Math.sign(cov(x, y)) * cov(x, y) ** 2) / (cov(x, x) * cov(y, y));
}

function bandOf(window: readonly number[]): { percent: number; width: number } {
  const mean = avg(window);
  const deviation = Math.sqrt(avg(window.map((x) => (x - mean) ** 2)));
  const [upper, lower] = [mean + 2 * deviation, mean - 2 * deviation];
  return { percent: (window.at(-1)! - lower) / (upper - lower), width: (upper - lower) / mean };
}

function directional(H: readonly number[], L: readonly number[], TR: readonly number[]): number {
  const up = H.map((h, i) => h - (H[i - 1] ?? h));
  const down = L.map((l, i) => (L[i - 1] ?? l) - l);
  const range = wilder(TR, 14);
  const plus = wilder(
    up.map((u, i) => (u > down[i]! && u > 0 ? u : 0)),
    14,
  ).map((x, i) => (100 * x) / range[i]!);
  const minus = wilder(
    down.map((d, i) => (d > up[i]! && d > 0 ? d : 0)),
    14,
  ).map((x, i) => (100 * x) / range[i]!);
  const dx = plus.map((p, i) => (100 * Math.abs(p - minus[i]!)) / (p + minus[i]!));
  const strength = wilder(dx.slice(13), 14).at(-1)!;
  const [p, m] = [plus.at(-1)!, minus.at(-1)!];
  return ((p - m) / (p + m)) * Math.min(1, strength / 40);
}

function superTrend(
  H: readonly number[],
  L: readonly number[],
  C: readonly number[],
  range: readonly number[],
): [line: number, side: number] {
  let [upper, lower, side] = [0, 0, 0];
  for (let i = 10; i < C.length; i++) {
    const mid = (H[i]! + L[i]!) / 2;
    const [top, bottom] = [mid + 3 * range[i]!, mid - 3 * range[i]!];
    if (i === 10) [upper, lower, side] = [top, bottom, C[i]! >= mid ? 1 : -1];
    upper = top < upper || C[i - 1]! > upper ? top : upper;
    lower = bottom > lower || C[i - 1]! < lower ? bottom : lower;
    if (side === 1 && C[i]! <= lower) side = -1;
    else if (side === -1 && C[i]! > upper) side = 1;
  }
  return [side === 1 ? lower : upper, side];
}

/** The stage after the last week (from Monday, UTC) that ended before the week of the last bar. */
function stage(T: readonly number[], C: readonly number[]): number | null {
  const monday = (time: number) => time - ((new Date(time).getUTCDay() + 6) % 7) * 86_400_000;
  const byWeek = new Map(T.map((time, i) => [monday(time), C[i]!]));
  byWeek.delete(monday(T.at(-1)!));
  const weekly = [...byWeek.values()];
  let current: number | null = null;
  for (let w = 33; w < weekly.length; w++) {
    const [now, before] = [avg(weekly.slice(w - 29, w + 1)), avg(weekly.slice(w - 33, w - 3))];
    const growth = now / before - 1;
    if (weekly[w]! > now && growth > 0.01) current = 2;
    else if (weekly[w]! < now && growth < -0.01) current = 4;
    else if (current === 2 && Math.abs(growth) <= 0.01) current = 3;
    else if (current === 4 && Math.abs(growth) <= 0.01) current = 1;
  }
  return current === null ? null : [0.25, 1, -0.25, -1][current - 1]!;
}

function mansfield(T: readonly number[], C: readonly number[], other: Bars, year: number, v: number) {
  const theirs = new Map([...other.time].map((time, i) => [time, other.close[i]!]));
  const strength = T.flatMap((time, i) => (theirs.has(time) ? [C[i]! / theirs.get(time)!] : []));
  if (strength.length < year || !theirs.has(T.at(-1)!)) return null;
  return c1((strength.at(-1)! / avg(strength.slice(-year)) - 1) / (0.2 * v));
}
