import "./charts.css";

interface ShareScaleProps {
  /** 0-1; null is not drawn. */
  readonly share: number | null | undefined;
  /** What it is compared with. */
  readonly base?: number | null | undefined;
  readonly interval?: { readonly low: number; readonly high: number } | null | undefined;
}

const percent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;

/** A share as a bar from 0 to 100 %, with its interval and a mark at its base. Its figures are next to it, as text. */
export const ShareScale = ({ share, base, interval }: ShareScaleProps) => (
  <span className="share-scale" aria-hidden="true">
    {share !== null && share !== undefined && <span className="share" style={{ width: percent(share) }} />}
    {interval && (
      <span
        className="interval"
        style={{ left: percent(interval.low), width: percent(interval.high - interval.low) }}
      />
    )}
    {base !== null && base !== undefined && <span className="base" style={{ left: percent(base) }} />}
  </span>
);
