import { price } from "../format.ts";
import type { SignalAnswer } from "./chart-data.ts";

/** The levels of a plan from the highest target to the stop, each with its multiple of the risk. */
export function PlanLadder({ signal }: { readonly signal: SignalAnswer["signal"] }) {
  const { entry_zone: zone, stop_loss: stop, targets } = signal;
  if (zone === null || stop === null) return <p className="muted">There is no plan: {signal.reason}</p>;
  return (
    <dl className="ladder num">
      {targets
        .map((target, index) => (
          <div key={target}>
            <dt>Target {index + 1}</dt>
            <dd className="up">{price(target)}</dd>
            <dd />
          </div>
        ))
        .reverse()}
      <div>
        <dt>Entry zone</dt>
        <dd>
          {price(zone.low)} – {price(zone.high)}
        </dd>
        <dd />
      </div>
      <div>
        <dt>Stop</dt>
        <dd className="down">{price(stop)}</dd>
        <dd>−1 R</dd>
      </div>
    </dl>
  );
}
