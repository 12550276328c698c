import "./signal.css";
import { useEffect, useMemo, useState } from "react";
import { viewBarsInput } from "../../../lib/view-bars.ts";
import { barRows } from "../../charts/bar-rows.ts";
import { PricePanel } from "../../charts/price-panel.tsx";
import { DataTable } from "../data-table.tsx";
import { dayText, withMinus } from "../format.ts";
import type { ViewProps } from "../view.ts";
import { type Bars, chartDataOf } from "./chart-data.ts";
import { factsOf, type SignalTool } from "./facts.ts";
import { Disagreement, ExpectedResult, Structure } from "./findings.tsx";
import { PlanLadder } from "./plan-ladder.tsx";
import { Verdict } from "./verdict.tsx";

/** A signal with its chart and plan, from the answer of any tool that returns one. */
export function View({ output, call }: ViewProps<SignalTool>) {
  const facts = useMemo(() => factsOf(output), [output]);
  const { symbol, timeframe, decidedAt, plan } = facts;
  const [bars, setBars] = useState<Bars | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  useEffect(() => {
    if (call === null || timeframe === null) return;
    let current = true;
    call("get_history", viewBarsInput({ symbol, timeframe, decidedAt })).then(
      (answer) => current && setBars(answer),
      (error: Error) => current && setMissing(error.message),
    );
    return () => {
      current = false;
    };
  }, [call, symbol, timeframe, decidedAt]);
  const chart = useMemo(() => (bars === null ? null : chartDataOf(facts, bars)), [facts, bars]);
  return (
    <article className="view">
      <Verdict facts={facts}>
        <span className="muted num">
          {timeframe} closed {dayText(decidedAt)}
        </span>
      </Verdict>
      {facts.reason !== null && <p className="muted">{withMinus(facts.reason)}</p>}
      <Disagreement facts={facts} />
      <div className="columns">
        <section>
          {chart !== null && (
            <>
              <PricePanel data={chart} height={300} visibleBars={90} label={`Price chart of ${symbol}`} />
              <DataTable caption="Bars" {...barRows(chart.bars)} />
            </>
          )}
          {missing !== null && <p className="warn">No chart: {missing}</p>}
          {call === null && (
            <p className="muted">This host does not let views load bars, so there is no chart.</p>
          )}
        </section>
        <section>
          {plan !== null && <PlanLadder plan={plan} from={facts.price} />}
          <ExpectedResult odds={facts.odds} reason={facts.oddsReason} />
        </section>
        <section>
          <Sentences of={facts.sentences} />
        </section>
        <section>
          <Structure facts={facts} />
          <Sentences of={facts.notes} />
        </section>
      </div>
    </article>
  );
}

/** Sentences as a list; those that begin with + or - are for and against. */
const Sentences = ({ of }: { readonly of: readonly string[] }) =>
  of.length === 0 ? null : (
    <ul className="sentences">
      {of.map((sentence) => {
        const sign = SIGNS[sentence.slice(0, 2)];
        return sign === undefined ? (
          <li key={sentence}>{withMinus(sentence)}</li>
        ) : (
          <li key={sentence} className="with-sign">
            <span className={sign[1]}>{sign[0]}</span>
            <span>{withMinus(sentence.slice(2))}</span>
          </li>
        );
      })}
    </ul>
  );
const SIGNS: Readonly<Record<string, readonly [string, string]>> = { "+ ": ["▲", "up"], "- ": ["▼", "down"] };
