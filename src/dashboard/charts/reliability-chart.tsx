import "./charts.css";
import { linearScale } from "./scale.ts";
import { useWidth } from "./use-width.ts";

interface Bin {
  readonly odds: number;
  readonly happened: number;
  readonly n: number;
}

const MAX_WIDTH = 560;
/** Height as a share of the width. */
const HEIGHT_SHARE = 0.75;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** Odds against the observed share; calibrated odds lie on the diagonal. The area of a dot grows with its forecasts. */
export function ReliabilityChart({ bins, label }: { readonly bins: readonly Bin[]; readonly label: string }) {
  const [box, width] = useWidth();
  const size = Math.min(width, MAX_WIDTH);
  const right = Math.max(size - 10, 1);
  const height = Math.round(size * HEIGHT_SHARE);
  const toX = linearScale([0, 1], [34, right]);
  const toY = linearScale([0, 1], [height - 34, 8]);
  const largest = Math.max(1, ...bins.map(({ n }) => n));
  return (
    <div className="line-chart" ref={box}>
      <svg width={right + 10} height={height} role="img" aria-label={label}>
        {TICKS.map((tick) => (
          <g key={tick}>
            <path d={`M${toX(tick)} 8V${height - 34}M34 ${toY(tick)}H${right}`} stroke="var(--grid)" />
            <text x={toX(tick)} y={height - 20} textAnchor={tick === 1 ? "end" : "middle"}>
              {100 * tick}
            </text>
            <text x={28} y={toY(tick) + 4} textAnchor="end">
              {100 * tick}
            </text>
          </g>
        ))}
        <path d={`M${toX(0)} ${toY(0)}L${toX(1)} ${toY(1)}`} stroke="var(--muted)" strokeDasharray="4 4" />
        {bins.map(({ odds, happened, n }) => (
          <circle
            key={odds}
            cx={toX(odds)}
            cy={toY(happened)}
            r={3 + 5 * Math.sqrt(n / largest)}
            fill="var(--accent)"
            opacity="0.75"
          />
        ))}
        <text x={right} y={height - 4} textAnchor="end">
          forecast, %
        </text>
        <text x={38} y={18}>
          observed, %
        </text>
      </svg>
    </div>
  );
}
