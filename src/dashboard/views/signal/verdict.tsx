import type { ReactNode } from "react";
import { fixed, price } from "../format.ts";
import { Direction, Grade, MarketLabel } from "../parts.tsx";
import type { Plan, SignalFacts } from "./facts.ts";

interface VerdictProps {
  readonly facts: Pick<
    SignalFacts,
    "symbol" | "price" | "priceReason" | "direction" | "grade" | "score" | "market" | "plan"
  >;
  /** What the price is, beside it. */
  readonly children?: ReactNode;
}

/** Says that a plan is only to watch, and on which side. */
export const WatchOnly = ({ plan }: { readonly plan: Plan | null }) =>
  plan?.basis === "watch" ? <span className="pill WAIT">watch only, {plan.side} side</span> : null;

/** The head of a signal: symbol, price, verdict. */
export const Verdict = ({ facts, children }: VerdictProps) => (
  <header className="view-head">
    <h2>{facts.symbol}</h2>
    <span className="view-price num">{price(facts.price)}</span>
    {children}
    {facts.direction !== null && <Direction value={facts.direction} />}
    <Grade value={facts.grade} direction={facts.direction} />
    {facts.score !== null && (
      <span className="muted num">
        score <b>{fixed(facts.score, 0)}</b>
      </span>
    )}
    <WatchOnly plan={facts.plan} />
    <MarketLabel source={facts.market} />
    {facts.price === null && <span className="muted">{facts.priceReason}</span>}
  </header>
);
