import { Button, Checkbox, Popover, SegmentedControl, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { mayWrite } from "../../api/rights.ts";
import { LAYERS, type LayerName } from "./chart-of.ts";
import { TIMEFRAMES, type Timeframe } from "./use-symbol.ts";

/** Indicators that are chosen by a click; any other one is written. */
const INDICATORS = [
  "rsi(14)",
  "macd(12,26,9)",
  "sma(50)",
  "sma(200)",
  "ema(20)",
  "bb_upper(20,2)",
  "vwap",
  "supertrend(10,3)",
  "adx(14)",
  "stoch_k(14,3,3)",
  "atr(14)",
  "cmf(20)",
] as const;

interface ToolbarProps {
  readonly timeframe: Timeframe;
  readonly indicators: readonly string[];
  readonly layers: ReadonlySet<LayerName>;
  readonly compare: string | null;
  readonly isDrawing: boolean;
  onTimeframe(timeframe: Timeframe): void;
  onIndicators(indicators: readonly string[]): void;
  onLayers(layers: ReadonlySet<LayerName>): void;
  onCompare(symbol: string | null): void;
  onDraw(): void;
}

/** The controls above the chart. */
export function Toolbar(props: ToolbarProps) {
  const { timeframe, layers, isDrawing } = props;
  return (
    <div className="toolbar" role="toolbar" aria-label="Chart">
      <SegmentedControl
        size="xs"
        aria-label="Timeframe"
        value={timeframe}
        onChange={(value) => props.onTimeframe(value as Timeframe)}
        data={[...TIMEFRAMES]}
      />
      <IndicatorMenu {...props} />
      <Popover position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <Button size="xs" variant="default">
            Layers
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Layers">
          <Checks
            names={LAYERS}
            chosen={layers}
            onChange={(chosen) => props.onLayers(chosen as ReadonlySet<LayerName>)}
          />
        </Popover.Dropdown>
      </Popover>
      <Compare {...props} />
      {mayWrite() && (
        <Button
          size="xs"
          variant={isDrawing ? "filled" : "default"}
          aria-pressed={isDrawing}
          onClick={props.onDraw}
        >
          {isDrawing ? "Click a price" : "Draw level"}
        </Button>
      )}
    </div>
  );
}

function IndicatorMenu({ indicators, onIndicators }: ToolbarProps) {
  const [written, setWritten] = useState("");
  const add = (event: FormEvent) => {
    event.preventDefault();
    const name = written.trim();
    if (name !== "" && !indicators.includes(name)) onIndicators([...indicators, name]);
    setWritten("");
  };
  const offered = [...new Set([...INDICATORS, ...indicators])];
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" variant="default">
          Indicators <span className="muted num">&nbsp;{indicators.length}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Indicators">
        <Checks
          names={Object.fromEntries(offered.map((name) => [name, name]))}
          chosen={new Set(indicators)}
          onChange={(chosen) => onIndicators([...chosen])}
        />
        <form onSubmit={add} className="symbol-checks-form">
          <TextInput
            size="xs"
            aria-label="Another indicator"
            placeholder="another, such as sma(100)"
            value={written}
            onChange={({ currentTarget }) => setWritten(currentTarget.value)}
          />
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

function Compare({ compare, onCompare }: ToolbarProps) {
  const [written, setWritten] = useState("");
  if (compare !== null)
    return (
      <Button size="xs" variant="default" onClick={() => onCompare(null)}>
        <span className="warn">vs {compare}</span>&nbsp;✕<span className="hidden">, end the comparison</span>
      </Button>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const symbol = written.trim().toUpperCase();
        if (symbol !== "") onCompare(symbol);
        setWritten("");
      }}
    >
      <TextInput
        size="xs"
        className="compare"
        aria-label="Compare with"
        placeholder="Compare…"
        value={written}
        onChange={({ currentTarget }) => setWritten(currentTarget.value)}
      />
    </form>
  );
}

interface ChecksProps {
  readonly names: Readonly<Record<string, string>>;
  readonly chosen: ReadonlySet<string>;
  onChange(chosen: ReadonlySet<string>): void;
}

const Checks = ({ names, chosen, onChange }: ChecksProps) => (
  <div className="symbol-checks">
    {Object.entries(names).map(([name, label]) => (
      <Checkbox
        key={name}
        size="xs"
        label={label}
        checked={chosen.has(name)}
        onChange={() => onChange(toggled(chosen, name))}
      />
    ))}
  </div>
);

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
