import { Skeleton } from "@mantine/core";
import { useMemo } from "react";
import { ExplanationPanel } from "../../views/explain/explain.tsx";
import { dayText, fixed, percent, withMinus } from "../../views/format.ts";
import { Direction, Figure, Grade } from "../../views/parts.tsx";
import { signalFacts } from "../../views/signal/facts.ts";
import { Disagreement, ExpectedResult, Structure } from "../../views/signal/findings.tsx";
import { PlanLadder } from "../../views/signal/plan-ladder.tsx";
import { CopyAs } from "../shared/copy-as.tsx";
import type { SymbolPage, Timeframe } from "./use-symbol.ts";

interface PanelProps {
  /** undefined while it loads. */
  readonly page: SymbolPage | undefined;
  readonly request: { readonly symbol: string; readonly timeframe: Timeframe; readonly asOf: string | null };
}

/** The verdict with its plan, its odds and its conflicts. */
export function SignalPanels({ page, request }: PanelProps) {
  const data = page?.signal ?? null;
  const facts = useMemo(() => (data === null ? null : signalFacts(data)), [data]);
  if (page === undefined) return <Skeleton height={420} role="status" aria-label="Loading" />;
  if (data === null || facts === null)
    return (
      <section className="card">
        <h2>Signal</h2>
        <p className="muted">No signal: {page.signal_reason}</p>
      </section>
    );
  const { signal, wyckoff } = data;
  const { symbol, timeframe, asOf } = request;
  const past = asOf === null ? {} : { as_of: asOf };
  return (
    <>
      <section className="card">
        <div className="card-head">
          <h2>{asOf === null ? "Signal" : `Signal as of ${dayText(asOf)}`}</h2>
          <CopyAs tool="get_signal" input={{ symbol, timeframe, ...past }} />
        </div>
        <div className="verdict">
          <Direction value={signal.direction} />
          <Grade value={signal.grade} direction={signal.direction} />
          <span className="muted">tier {signal.tier.toLowerCase().replaceAll("_", " ")}</span>
        </div>
        {facts.reason !== null && <p className="muted">{withMinus(facts.reason)}</p>}
        <Disagreement facts={facts} />
        <div className="figures">
          <Figure name="Score">{fixed(signal.score, 0)}</Figure>
          <Figure
            name={
              signal.confidence_basis === "odds"
                ? "Target before stop"
                : "Break-even share of targets, no odds"
            }
          >
            {percent(signal.confidence)}
            {signal.confidence_base !== null && (
              <small className="muted"> (base rate {percent(signal.confidence_base)})</small>
            )}
          </Figure>
          {wyckoff !== undefined && (
            <Figure name="Wyckoff">
              {wyckoff.phase}
              {wyckoff.sub_phase === null ? "" : ` ${wyckoff.sub_phase}`}
            </Figure>
          )}
        </div>
        {facts.plan !== null && <PlanLadder plan={facts.plan} from={facts.price} />}
      </section>
      <section className="card">
        <h2>Odds and expected result</h2>
        <ExpectedResult odds={facts.odds} reason={facts.oddsReason} />
      </section>
      <section className="card">
        <h2>Structure</h2>
        <Structure facts={facts} />
      </section>
    </>
  );
}

/** The drivers of the signal, and what would change it. */
export function Why({ page, request }: PanelProps) {
  const { symbol, timeframe, asOf } = request;
  if (page === undefined) return <Skeleton height={420} role="status" aria-label="Loading" />;
  return (
    <section className="card view symbol-why">
      <div className="card-head">
        <h2>Why</h2>
        <CopyAs tool="explain_signal" input={{ symbol, timeframe, ...(asOf !== null && { as_of: asOf }) }} />
      </div>
      {page.explanation === null ? (
        <p className="muted">No explanation: {page.explanation_reason}</p>
      ) : (
        <ExplanationPanel of={page.explanation} />
      )}
    </section>
  );
}
