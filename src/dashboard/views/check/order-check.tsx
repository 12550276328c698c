import { fixed, momentText, percent, plainName, price } from "../format.ts";
import { Outcomes } from "../odds/outcomes.tsx";
import { Figure, MarketLabel } from "../parts.tsx";
import { type CheckOutput, rulesOfCheck } from "./check-model.ts";
import { Confirmation } from "./confirmation.tsx";
import { Rules, rulesLayout } from "./rules.tsx";
import { Verdict } from "./verdict.tsx";

/** An order for any broker against the rules of the account. */
export function OrderCheck({ check }: { readonly check: CheckOutput }) {
  const { verdict, order, loss, odds, range, adds, option, price: last, passing_quantity } = check;
  const rules = rulesOfCheck(check);
  return (
    <article className="view">
      <header className="view-head">
        <h2>Order check</h2>
        <Verdict value={verdict} />
        <MarketLabel source={check.market} />
      </header>
      <p className="lead">
        <b>{order}</b>{" "}
        <span className="muted num">
          at {price(last.value)} ({plainName(last.source)}, {momentText(last.at)}, {plainName(last.session)})
        </span>
      </p>
      {passing_quantity !== undefined && (
        <p className="lead">
          Largest quantity that passes every rule on size: <b className="num">{passing_quantity}</b>
        </p>
      )}
      <div className={rulesLayout(rules)}>
        <Rules rules={rules} />
        <section>
          {loss !== undefined && (
            <div className="figures">
              <Figure name="Loss at the stop, USD">
                {price(loss.at_stop)}
                {loss.at_stop_pct != null && <small> ({fixed(loss.at_stop_pct, 2)} %)</small>}
              </Figure>
              <Figure name="Overnight loss, 1 night in 100, USD">{price(loss.gap_99)}</Figure>
              <Figure
                name={
                  loss.gap_days === undefined
                    ? "Worst overnight loss, USD"
                    : `Worst overnight loss of ${loss.gap_days}, USD`
                }
              >
                {price(loss.gap_worst)}
              </Figure>
              <Figure name="Maximum loss, USD">
                {loss.worst === null ? "unlimited" : price(loss.worst)}
              </Figure>
            </div>
          )}
          {odds !== undefined && (
            <section>
              <h3>Odds within {odds.bars} sessions</h3>
              {odds.fill != null && (
                <p className="note num">
                  Odds of a fill: <b>{percent(odds.fill)}</b>, base rate {percent(odds.fill_base)}. The
                  outcomes below are those of filled orders.
                </p>
              )}
              <Outcomes odds={odds} base={odds.base} windows={odds.windows} />
            </section>
          )}
          {range !== undefined && (
            <p className="note num">
              In {range.bars} sessions 90 of 100 closes are between <b>{price(range.p5)}</b> and{" "}
              <b>{price(range.p95)}</b>; base {price(range.base_p5)} to {price(range.base_p95)}.
              {range.past_cover_90 != null &&
                ` Such ranges held ${percent(range.past_cover_90)} of past closes.`}
            </p>
          )}
          {option !== undefined && (
            <div className="figures">
              <Figure name="Maximum loss, USD">{price(option.max_loss)}</Figure>
              <Figure name="Breakeven">{price(option.breakeven)}</Figure>
              <Figure name="Touches the strike (base rate)">
                {percent(option.touch_strike)} <small>({percent(option.touch_strike_base)})</small>
              </Figure>
              <Figure name="Beyond breakeven (base rate)">
                {percent(option.beyond_breakeven)} <small>({percent(option.beyond_breakeven_base)})</small>
              </Figure>
            </div>
          )}
          {adds !== undefined && (
            <div className="figures">
              <Figure name="Position, share of equity">{fixed(adds.position_pct, 1)} %</Figure>
              <Figure name="Open risk, before / after">
                {fixed(adds.open_risk_before_pct, 2)} / {fixed(adds.open_risk_pct, 2)} %
              </Figure>
              <Figure name="Daily volatility, before / after">
                {fixed(adds.day_sd_before_pct, 2)} / {fixed(adds.day_sd_pct, 2)} %
              </Figure>
              <Figure name="Correlation with holdings">{fixed(adds.correlation, 2)}</Figure>
            </div>
          )}
        </section>
      </div>
      <Confirmation>This check places nothing. You place the order at your broker yourself.</Confirmation>
    </article>
  );
}
