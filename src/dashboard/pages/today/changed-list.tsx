import { Card, Skeleton } from "@mantine/core";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { barDay, fixed, MISSING, shortMoment } from "../../views/format.ts";
import { Direction } from "../../views/parts.tsx";
import { Failure } from "../shared/failure.tsx";
import { store, stored } from "../shared/stored.ts";
import { type Changes, useChanges } from "./use-verdicts.ts";
import { readVisit, visitAt } from "./visit.ts";

const KEY = "market-signal-visit";
const DAY_MS = 86_400_000;
/** Time that the first visit looks back. */
const FIRST_LOOK_MS = 7 * DAY_MS;

/** What changed on a watchlist since the last visit of this browser. */
export function ChangedList({
  name,
  symbols,
}: {
  readonly name: string;
  readonly symbols: readonly string[];
}) {
  const { since, isFirst } = useLastVisit();
  const { data, error } = useChanges(symbols, since);
  const changes = data === undefined ? [] : changesOf(data);
  return (
    <Card withBorder component="section" aria-labelledby="changed" className="panel">
      <header className="panel-head">
        <h2 id="changed">Changed since you looked</h2>
        <span className="muted">
          {isFirst ? "your first visit: the last 7 days" : `last visit ${shortMoment(since)}`}
        </span>
      </header>
      {error !== null && <Failure error={error} />}
      {data === undefined && error === null && <Skeleton height={40} />}
      {data !== undefined && changes.length === 0 && (
        <p className="muted">No signal of "{name}" changed its direction or grade.</p>
      )}
      <ul className="changes">
        {changes.map(({ id, symbol, before, after, at }) => (
          <li key={id}>
            <Link href={`/symbol/${encodeURIComponent(symbol)}`}>{symbol}</Link>
            <span>
              {before.direction === after.direction ? (
                <Direction value={after.direction} />
              ) : (
                <>
                  <Direction value={before.direction} /> → <Direction value={after.direction} />
                </>
              )}
            </span>
            <span className="muted num changes-what">
              <span>
                grade {before.grade ?? MISSING}
                {before.grade !== after.grade && ` → ${after.grade ?? MISSING}`}
              </span>
              <span>
                score {fixed(before.score, 0)} → {fixed(after.score, 0)}
              </span>
              <span>close of {barDay(at)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Returns the recorded changes, and the differences of signals that were not watched all the time. */
function changesOf({ changes, compared }: Changes) {
  const recorded = changes.map(({ change_id, symbol, before, after, decided_at }) => ({
    id: change_id,
    symbol,
    before,
    after,
    at: decided_at,
  }));
  const differing = compared.flatMap(({ symbol, before, after, changed }) =>
    changed.length === 0 || before === null || after === null
      ? []
      : [{ id: symbol, symbol, before, after, at: after.decided_at }],
  );
  return [...recorded, ...differing].sort((a, b) => b.at.localeCompare(a.at));
}

/** Returns the end of the last visit, which stays the same while this one lasts. */
function useLastVisit(): { readonly since: string; readonly isFirst: boolean } {
  const [visit] = useState(() => {
    return visitAt(stored(KEY, readVisit), Date.now());
  });
  useEffect(() => {
    const stay = () => {
      if (document.visibilityState === "visible") store(KEY, { ...visit, seen: Date.now() });
    };
    stay();
    const timer = setInterval(stay, 60_000);
    return () => clearInterval(timer);
  }, [visit]);
  const since = visit.since ?? visit.seen - FIRST_LOOK_MS;
  return { since: new Date(since).toISOString(), isFirst: visit.since === null };
}
