import "./explain.css";
import { useMemo, useState } from "react";
import { DataTable } from "../data-table.tsx";
import { fixed, MISSING, momentText, signed, withMinus } from "../format.ts";
import { Direction, Grade, MarketLabel } from "../parts.tsx";
import { useAnswer } from "../use-answer.ts";
import type { ViewProps } from "../view.ts";
import {
  driverTitle,
  type Explanation,
  flipSentences,
  type Step,
  stepsOf,
  withFull,
  withoutText,
} from "./explanation.ts";

/** Why a signal came out as it did. A chat passes on a concise answer: the view asks for the full one, which has titles. */
export function View({ output, call }: ViewProps<"explain_signal">) {
  const { symbol, timeframe, data_as_of: as_of } = output;
  const isFull = output.drivers.some(({ title }) => title !== undefined);
  const input = isFull ? null : ({ symbol, timeframe, as_of, detail: "full" } as const);
  const full = useAnswer(call, "explain_signal", input);
  const shown = useMemo(() => withFull(output, full), [output, full]);
  return (
    <article className="view">
      <header className="view-head">
        <h2>Why {output.symbol}</h2>
        <Direction value={output.direction} />
        <Grade value={output.grade} direction={output.direction} />
        <span className="muted num">
          score <b>{fixed(output.score, 0)}</b>, {output.timeframe} closed {momentText(output.data_as_of)}
        </span>
        <MarketLabel source={output.source} />
      </header>
      <ExplanationPanel of={shown} />
    </article>
  );
}

/** The drivers of a signal as steps from zero to their sum, and what would change the verdict. */
export function ExplanationPanel({ of }: { readonly of: Explanation }) {
  const groups = useMemo(() => stepsOf(of), [of]);
  const scale = useMemo(() => scaleOf(groups.flatMap(({ steps }) => steps)), [groups]);
  const [open, setOpen] = useState<string | null>(null);
  // on a phone the sums of the groups come first
  const [isWide] = useState(() => !matchMedia("(max-width: 560px)").matches);
  return (
    <div className="explain">
      {of.reason !== null && <p className="muted">{withMinus(of.reason)}</p>}
      <ul className="flips" aria-label="What would change the verdict">
        {flipSentences(of).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {groups.map(({ group, title, value, effective_weight, present, of: count, steps, from, to }) => (
        <details key={group} className="driver-group" open={isWide}>
          <summary className="group-head">
            <span>
              <b className="group-title">{title}</b>{" "}
              <span className="muted num group-sum">
                {value === null
                  ? `only ${present} of ${count} have data`
                  : `${signed(value, 2)} × ${fixed(effective_weight, 2)}`}
              </span>
            </span>
            <Bar from={from} to={to} scale={scale} />
            <b className={`num ${toneOf(to - from)}`}>
              {value === null ? MISSING : `${signOf(to - from)} ${signed(to - from, 3)}`}
            </b>
          </summary>
          {steps.map((step) => (
            <DriverBar
              key={step.driver.id}
              step={step}
              scale={scale}
              isOpen={open === step.driver.id}
              onToggle={() => setOpen(open === step.driver.id ? null : step.driver.id)}
            />
          ))}
        </details>
      ))}
      <p className="driver-sum num">
        <b>Sum</b>
        <Bar from={0} to={of.sum ?? 0} scale={scale} />
        <b>{signed(of.sum, 3)}</b>
      </p>
      <p className="muted explain-legend">
        The last close is that of {momentText(of.data_as_of)}. Each figure is a value from −1 to 1 × its
        weight: a driver adds its part, a group the mean of its drivers. Weights of the price groups that have
        data add up to 1, also if some are absent; the other groups come on top, so that all may add up to
        more. The score is 50 + 50 × the sum, and a sum near 0 is a WAIT. “Without it” is the verdict if that
        driver is left out.
      </p>
      <DataTable
        caption="Drivers"
        columns={["Driver", "Group", "Value", "Weight", "Contribution", "In words", "Without it"]}
        rows={of.drivers.map((driver) => [
          driverTitle(driver),
          driver.group,
          fixed(driver.value, 2),
          fixed(driver.weight, 3),
          fixed(driver.contribution, 3),
          withMinus(driver.in_words ?? driver.reason ?? MISSING),
          driver.without === undefined ? MISSING : withoutText(driver.without),
        ])}
      />
    </div>
  );
}

interface DriverBarProps {
  readonly step: Step;
  readonly scale: Scale;
  readonly isOpen: boolean;
  onToggle(): void;
}

function DriverBar({ step, scale, isOpen, onToggle }: DriverBarProps) {
  const { driver, contribution } = step;
  const detail = `driver-${driver.id}`;
  return (
    <div className={isOpen ? "driver open" : "driver"}>
      <button type="button" aria-expanded={isOpen} aria-controls={detail} onClick={onToggle}>
        <span className="driver-name">{driverTitle(driver)}</span>
        <Bar from={step.from} to={step.to} scale={scale} />
        <span className={`num ${toneOf(contribution)}`}>
          {contribution === null ? MISSING : `${signOf(contribution)} ${signed(contribution, 3)}`}
        </span>
      </button>
      <div id={detail} className="driver-detail" hidden={!isOpen}>
        <p>{withMinus(driver.in_words ?? `No value: ${driver.reason}`)}</p>
        {driver.without !== undefined && (
          <p>
            Without it: <b className="num">{withoutText(driver.without)}</b>
          </p>
        )}
        <p className="muted num">
          value {fixed(driver.value, 2)} × weight {fixed(driver.weight, 3)}
          {driver.source === undefined ? "" : ` · ${driver.source}`}
          {driver.data_as_of ? ` · data of ${momentText(driver.data_as_of)}` : ""}
        </p>
      </div>
    </div>
  );
}

interface Scale {
  readonly low: number;
  readonly high: number;
}

function scaleOf(steps: readonly Step[]): Scale {
  const ends = [0, ...steps.map(({ to }) => to)];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const margin = (high - low) * 0.03 || 1;
  return { low: low - margin, high: high + margin };
}

/** A step between two sums, if they differ; the line marks zero. */
function Bar({ from, to, scale }: { readonly from: number; readonly to: number; readonly scale: Scale }) {
  const place = (value: number) => ((value - scale.low) / (scale.high - scale.low)) * 100;
  return (
    <span className="driver-step" aria-hidden="true">
      <i className="step-zero" style={{ left: `${place(0)}%` }} />
      {to !== from && (
        <i
          className={to > from ? "step-up" : "step-down"}
          style={{
            left: `${place(Math.min(from, to))}%`,
            width: `${Math.max(0.6, Math.abs(place(to) - place(from)))}%`,
          }}
        />
      )}
    </span>
  );
}

const signOf = (value: number): string => (value > 0 ? "▲" : value < 0 ? "▼" : "◆");
const toneOf = (value: number | null): string =>
  value === null || value === 0 ? "muted" : value > 0 ? "up" : "down";
