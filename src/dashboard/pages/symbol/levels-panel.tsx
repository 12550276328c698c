import { Button, NumberInput, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { mayWrite } from "../../api/rights.ts";
import { price } from "../../views/format.ts";
import { Failure } from "../shared/failure.tsx";
import { ReadOnly } from "../shared/no-rights.tsx";
import type { SavedLevel, useLevels } from "./use-levels.ts";

interface LevelsPanelProps {
  readonly symbol: string;
  /** Price now; null without one. */
  readonly now: number | null;
  readonly levels: ReturnType<typeof useLevels>;
  /** Price that was clicked on the chart. */
  readonly picked: number | null;
  /** Called when the picked price is saved or given up. */
  onDone(): void;
}

/** The levels that the reader drew, with an alert from each. */
export default function LevelsPanel({ symbol, now, levels, picked, onDone }: LevelsPanelProps) {
  const { saved, alerted, save, alert, error } = levels;
  const isWriter = mayWrite();
  const remove = (level: SavedLevel) => save.mutate(saved.filter((other) => other !== level));
  const warn = ({ price: at, label }: SavedLevel) =>
    alert.mutate({ price: at, side: now === null || at >= now ? "above" : "below", label });
  return (
    <section className="card">
      <h2>My levels</h2>
      {error !== null && <Failure error={error} />}
      {saved.length === 0 && (
        <p className="muted">
          {isWriter
            ? "Draw a level on the chart or type a price; each level can have an alert."
            : "No level is saved."}
        </p>
      )}
      <ul className="levels">
        {saved.map((level) => {
          const { price: at, label } = level;
          const name = `${label ?? "level"} at ${price(at)}`;
          return (
            <li key={`${at} ${label}`}>
              <b className="num">{price(at)}</b>
              <span>{label ?? <span className="muted">no label</span>}</span>
              {alerted.has(at) ? (
                <span className="up">
                  ● alert {alerted.get(at)!.side} {price(at)},{" "}
                  {alerted.get(at)!.channel === "none"
                    ? "stored for list_deliveries; no webhook is set"
                    : `sent by ${alerted.get(at)!.channel}`}
                </span>
              ) : (
                isWriter && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Alert for ${name}`}
                    onClick={() => warn(level)}
                  >
                    Alert me
                  </Button>
                )
              )}
              {isWriter && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="red"
                  aria-label={`Delete ${name}`}
                  onClick={() => remove(level)}
                >
                  ✕
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {isWriter ? (
        <NewLevel
          key={picked}
          symbol={symbol}
          picked={picked}
          isSaving={save.isPending}
          onSave={(at, label) => {
            save.mutate([...saved, { price: at, label }]);
            onDone();
          }}
        />
      ) : (
        <ReadOnly />
      )}
    </section>
  );
}

interface NewLevelProps {
  readonly symbol: string;
  readonly picked: number | null;
  readonly isSaving: boolean;
  onSave(price: number, label: string | null): void;
}

function NewLevel({ symbol, picked, isSaving, onSave }: NewLevelProps) {
  const [at, setAt] = useState<number | string>(picked ?? "");
  const [label, setLabel] = useState("");
  const labelInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (picked !== null) labelInput.current?.focus();
  }, [picked]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typeof at !== "number" || at <= 0) return;
    onSave(at, label.trim() || null);
    setAt("");
    setLabel("");
  };
  return (
    <form className="new-level" onSubmit={submit} aria-label={`New level of ${symbol}`}>
      <NumberInput
        size="xs"
        hideControls
        aria-label="Price of the level"
        placeholder="Price"
        min={0}
        value={at}
        onChange={setAt}
      />
      <TextInput
        size="xs"
        ref={labelInput}
        aria-label="Label of the level"
        placeholder="Label"
        maxLength={60}
        value={label}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <Button size="xs" type="submit" loading={isSaving}>
        Save level
      </Button>
    </form>
  );
}
