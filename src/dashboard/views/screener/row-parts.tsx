import { MISSING, price, signedPercent } from "../format.ts";

/** A change in percent, with a sign that does not need colour. */
export function Change({ percent }: { readonly percent: number | null | undefined }) {
  if (percent === null || percent === undefined) return <span className="muted">{MISSING}</span>;
  const [name, sign] = percent > 0 ? ["up", "▲"] : percent < 0 ? ["down", "▼"] : ["muted", "◆"];
  return (
    <span className={`num change ${name}`}>
      <span aria-hidden="true">{sign}</span> {signedPercent(percent)}
    </span>
  );
}

const WIDTH = 88;
const HEIGHT = 24;
const EDGE = 2;

/** Returns the points of a line through the closes, which fills the picture. */
export function linePoints(closes: readonly number[]): string {
  const low = Math.min(...closes);
  const range = Math.max(...closes) - low || 1;
  const step = (WIDTH - 2 * EDGE) / Math.max(1, closes.length - 1);
  return closes
    .map((close, i) => {
      const y = HEIGHT - EDGE - ((close - low) / range) * (HEIGHT - 2 * EDGE);
      return `${(EDGE + i * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
}

/** The last closes as a small line. */
export function Sparkline({ closes }: { readonly closes: readonly number[] | null | undefined }) {
  if (closes === null || closes === undefined || closes.length < 2)
    return <span className="muted">{MISSING}</span>;
  const [first, last] = [closes[0]!, closes.at(-1)!];
  return (
    <svg
      className={`spark ${last >= first ? "rise" : "fall"}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`${closes.length} closes, from ${price(first)} to ${price(last)}`}
    >
      <polyline points={linePoints(closes)} />
    </svg>
  );
}
