import { useEffect, useMemo, useState } from "react";
import { PricePanel } from "../../charts/price-panel.tsx";
import { fixed, price } from "../format.ts";
import { Direction, Figure, Grade, MarketLabel } from "../parts.tsx";
import type { ViewProps } from "../view.ts";
import { type Bars, chartDataOf } from "./chart-data.ts";
import { PlanLadder } from "./plan-ladder.tsx";

/** Number of bars that the view asks for. */
const BARS = 130;

/** A signal with its chart and plan. */
export function View({ output, call }: ViewProps<"get_signal">) {
  const { data } = output;
  const { signal } = data;
  const { symbol, timeframe } = signal;
  const [bars, setBars] = useState<Bars | null>(null);
  useEffect(() => {
    if (call === null) return;
    call("get_history", { symbol, timeframe, limit: BARS }).then(setBars, () => setBars(null));
  }, [call, symbol, timeframe]);
  const chart = useMemo(() => (bars === null ? null : chartDataOf(data, bars)), [data, bars]);
  return (
    <article className="view">
      <header className="view-head">
        <h2>{symbol}</h2>
        <span className="view-price num">{price(data.price)}</span>
        <Direction value={signal.direction} />
        <Grade value={signal.grade} />
        <MarketLabel source={data.market} />
      </header>
      {signal.reason !== null && <p className="muted">{signal.reason}</p>}
      {chart !== null && <PricePanel data={chart} height={280} visibleBars={90} />}
      <div className="figures">
        <Figure name="Score">{fixed(signal.score, 0)}</Figure>
        <Figure name={`Confidence (${signal.confidence_basis})`}>{fixed(signal.confidence, 2)}</Figure>
        <Figure name="Reward to risk">{fixed(signal.reward_to_risk, 2)}</Figure>
        <Figure name="Wyckoff">{data.wyckoff.phase}</Figure>
      </div>
      <PlanLadder signal={signal} />
    </article>
  );
}
