import { Button } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { MarketSignalError } from "../../api/client.ts";
import { CodeText } from "../../views/code-text.tsx";
import { type Mistake, mistakesIn } from "./rule-mistakes.ts";

interface RuleBoxProps {
  /** The rule of the rows shown. */
  readonly applied: string;
  readonly error: Error | null;
  readonly onApply: (rule: string) => void;
}

/** A rule that rows must meet. A mistake is underlined where it is. */
export function RuleBox({ applied, error, onApply }: RuleBoxProps) {
  const [text, setText] = useState(applied);
  const backdrop = useRef<HTMLDivElement>(null);
  const isRefused = error instanceof MarketSignalError && text.trim() === applied && applied !== "";
  const mistakes = isRefused ? mistakesIn(text, error.errors) : [];
  return (
    <form
      className="rule"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(text.trim());
      }}
    >
      <label htmlFor="rule">Rule</label>
      <div className="rule-text">
        <div ref={backdrop} className="rule-marks" aria-hidden="true">
          {marked(text, mistakes)}
        </div>
        <input
          id="rule"
          value={text}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          maxLength={600}
          placeholder="rsi(14) < 30 and grade >= B"
          aria-invalid={mistakes.length > 0}
          aria-describedby={mistakes.length > 0 ? "rule-mistakes" : undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onScroll={({ currentTarget }) => {
            if (backdrop.current !== null) backdrop.current.scrollLeft = currentTarget.scrollLeft;
          }}
        />
      </div>
      <Button type="submit" size="xs">
        Apply
      </Button>
      {applied !== "" && (
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            setText("");
            onApply("");
          }}
        >
          Clear
        </Button>
      )}
      {mistakes.length > 0 && (
        <div id="rule-mistakes" role="alert" className="rule-mistakes">
          {mistakes.map(({ start, end, message }) => (
            <p key={`${start} ${message}`}>
              <code>{text.slice(start, end)}</code> {message}
            </p>
          ))}
          <details>
            <summary>Syntax of a rule</summary>
            <p>
              <CodeText text={(error as MarketSignalError).hint ?? ""} />
            </p>
          </details>
        </div>
      )}
    </form>
  );
}

/** Returns the text with the mistakes marked; overlapping ones are marked once. */
function marked(text: string, mistakes: readonly Mistake[]): readonly ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of mistakes.toSorted((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, end)}</mark>);
    at = end;
  }
  return [...parts, text.slice(at)];
}
