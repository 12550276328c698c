import { CodeText } from "../code-text.tsx";
import { fixed, MISSING, momentText, percent, plainName, price, withMinus } from "../format.ts";
import { Outcomes } from "../odds/outcomes.tsx";
import { Direction, Figure, Grade, MarketLabel } from "../parts.tsx";
import { orderText, type PreviewOutput, rulesOfPreview, verdictOf } from "./check-model.ts";
import { Confirmation } from "./confirmation.tsx";
import { Rules, rulesLayout } from "./rules.tsx";
import { Verdict } from "./verdict.tsx";

const amount = (value: string | null): string => price(value === null ? null : Number(value));

/** A trade at a connected broker: its size, the rules and what it can lose. */
export function TradePreview({ preview }: { readonly preview: PreviewOutput }) {
  const { reason, quote, signal, sizing, odds, odds_reason, fill, maximum_loss, account } = preview;
  const rules = rulesOfPreview(preview);
  return (
    <article className="view">
      <header className="view-head">
        <h2>Trade preview</h2>
        <Verdict value={verdictOf(preview)} />
        <span className="muted">{[...new Set([preview.broker, preview.account_type])].join(", ")}</span>
        <MarketLabel source={preview.market} />
      </header>
      <p className="lead">
        <b>{orderText(preview) ?? "No order"}</b>{" "}
        <span className="muted num">
          at {amount(quote.price)} ({plainName(quote.price_source)}, {momentText(quote.traded_at)},{" "}
          {plainName(quote.market_state)})
        </span>
      </p>
      {reason !== null && <p className="lead">{reason}</p>}
      {signal !== null && (
        <p className="view-head">
          <Direction value={signal.direction} />
          <Grade value={signal.grade} direction={signal.direction} />
          <span className="muted num">
            score {fixed(signal.score, 0)}, {signal.timeframe}
            {signal.reason === null ? "" : `: ${withMinus(signal.reason)}`}
          </span>
        </p>
      )}
      <div className={rulesLayout(rules)}>
        <Rules rules={rules} />
        <section>
          <div className="figures">
            <Figure name={`Quantity (${plainName(sizing.bound_by ?? sizing.method)})`}>
              {sizing.quantity ?? MISSING}
            </Figure>
            <Figure name="Loss at the stop, USD">{amount(maximum_loss.at_stop)}</Figure>
            <Figure name="Loss without the stop, USD">{amount(maximum_loss.worst)}</Figure>
            <Figure name="Equity, USD">{amount(account.equity)}</Figure>
          </div>
          {sizing.reason !== null && <p className="note muted">{sizing.reason}</p>}
          <p className="note muted">Maximum loss: {maximum_loss.basis}.</p>
          {odds === null ? (
            <p className="note muted">No odds: {odds_reason}</p>
          ) : (
            <section>
              <h3>Odds within {odds.bars} bars</h3>
              {fill !== null && (
                <p className="note num">
                  Odds of a fill: <b>{percent(fill.odds)}</b>, base rate {percent(fill.base)}. The outcomes
                  below are those of filled orders.
                </p>
              )}
              <Outcomes odds={odds} base={odds.base} windows={odds.base?.windows} />
            </section>
          )}
        </section>
      </div>
      <Confirmation>
        {preview.ticket_id === null ? (
          "Nothing can be sent: there is no ticket."
        ) : (
          <>
            Nothing was sent. The ticket is valid for one order, until{" "}
            <span className="num">
              {preview.expires_at === null ? MISSING : momentText(preview.expires_at)}
            </span>
            . <CodeText text={preview.hint} />
            {preview.account_type === "live" &&
              " An order on a live account waits until a person of the account confirms it at /confirm, or the owner in the terminal of the server."}
          </>
        )}
      </Confirmation>
    </article>
  );
}
