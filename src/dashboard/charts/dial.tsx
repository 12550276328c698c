import "./charts.css";

interface DialProps {
  /** 0-100; null: no value. */
  readonly value: number | null;
  readonly label: string;
}

/** Ends of the bands of a dial, and their colours. */
const BANDS = [
  [0, 24.5, "var(--chart-down)", 0.85],
  [24.5, 44.5, "var(--chart-down)", 0.4],
  [44.5, 55.5, "var(--flat)", 0.4],
  [55.5, 75.5, "var(--chart-up)", 0.4],
  [75.5, 100, "var(--chart-up)", 0.85],
] as const;
const RADIUS = 84;

/** Returns the point of a value on the half circle. */
function pointAt(value: number, radius: number): string {
  const angle = Math.PI * (1 - value / 100);
  return `${(100 + radius * Math.cos(angle)).toFixed(2)} ${(98 - radius * Math.sin(angle)).toFixed(2)}`;
}

/** A value from 0 to 100 on a half circle with five bands. */
export const Dial = ({ value, label }: DialProps) => (
  <svg className="dial" viewBox="0 0 200 112" role="img" aria-label={label}>
    {BANDS.map(([from, to, stroke, opacity]) => (
      <path
        key={from}
        d={`M${pointAt(from + 0.6, RADIUS)}A${RADIUS} ${RADIUS} 0 0 1 ${pointAt(to - 0.6, RADIUS)}`}
        fill="none"
        stroke={stroke}
        strokeWidth="14"
        opacity={opacity}
      />
    ))}
    {value !== null && (
      <path
        d={`M${pointAt(value, 58)}L${pointAt(value, 94)}`}
        stroke="var(--text)"
        strokeWidth="3.5"
        strokeLinecap="round"
      />
    )}
    <text x="12" y="111" textAnchor="start">
      0
    </text>
    <text x="188" y="111" textAnchor="end">
      100
    </text>
  </svg>
);
