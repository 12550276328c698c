import { percent } from "../format.ts";
import type { Backtest } from "./backtest-data.ts";

/** The reasons to distrust a run, first what was found in it, then what holds for every run. */
export function Honesty({ run }: { readonly run: Backtest }) {
  const { warnings, notes, look_ahead, deflated_sharpe, account, null_run } = run;
  const { probabilistic, deflated, trials } = deflated_sharpe;
  const chance = null_run?.sharpe_arithmetic;
  return (
    <>
      {warnings.length > 0 && (
        <ul className="sentences warn">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <details className="data">
        <summary>How far to trust it: {notes.length + 3} notes</summary>
        <ul className="sentences">
          <li>
            {look_ahead.found ? "▼ Look-ahead found: " : "✓ No look-ahead: "}
            {look_ahead.detail}.
          </li>
          <li>
            Chance that the Sharpe ratio is above 0: {percent(probabilistic)}
            {deflated === null ? "" : `; above the best of ${trials} trials by chance: ${percent(deflated)}`}.
          </li>
          <li>
            Costs: commission {percent(account.commission, 2)}
            {account.slippage === null ? "" : `, slippage ${percent(account.slippage, 2)}`} per side.
          </li>
          {chance && (
            <li>
              Of {null_run.draws} runs on shuffled returns, {chance.at_least} did as well.
            </li>
          )}
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </details>
    </>
  );
}
