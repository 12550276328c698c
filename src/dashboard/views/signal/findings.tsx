import { percent, price, signedR } from "../format.ts";
import type { Odds, SignalFacts } from "./facts.ts";

/** The conflicts between the verdict and other facts, in words. */
export function Disagreement({ facts }: { readonly facts: SignalFacts }) {
  const { direction, grade, conflicts } = facts;
  if (conflicts.length === 0) return null;
  return (
    <section className="clash" aria-label="Conflicts">
      <b>
        <span aria-hidden="true">◆ </span>
        {grade === null ? direction : `${direction} ${grade}`}, but:
      </b>
      <ul>
        {conflicts.map(({ code, text }) => (
          <li key={code}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

/** The expected result and the odds of a plan, beside those of its past windows. */
export function ExpectedResult({
  odds,
  reason,
}: {
  readonly odds: Odds | null;
  readonly reason: string | null;
}) {
  if (odds === null) return reason === null ? null : <p className="muted">No odds: {reason}</p>;
  const { expected_r: expected, from, base, bars, stop_first, target_first, neither, range_90: range } = odds;
  return (
    <div className="expected">
      <p>
        {expected !== undefined && (
          <>
            Expected result{" "}
            <b className={`num ${expected.mean < 0 ? "down" : "up"}`}>
              <span aria-hidden="true">{expected.mean < 0 ? "▼ " : "▲ "}</span>
              {signedR(expected.mean)}
            </b>{" "}
            per trade that enters at {price(from)}, where these odds start: their R is from there to the stop.{" "}
          </>
        )}
        Within {bars} bars:
      </p>
      <OddsBar stop={stop_first} target={target_first} neither={neither} name="Forecast" />
      {base !== null && (
        <OddsBar
          stop={base.stop_first}
          target={base.target_first}
          neither={base.neither}
          name={`${base.windows} past windows${base.mean_r === undefined ? "" : `, ${signedR(base.mean_r)}`}`}
        />
      )}
      <p className="muted num">
        90 % odds that the close is between {price(range.low)} and {price(range.high)}.
      </p>
    </div>
  );
}

interface OddsBarProps {
  readonly stop: number;
  readonly target: number;
  readonly neither: number;
  readonly name: string;
}

function OddsBar({ stop, target, neither, name }: OddsBarProps) {
  return (
    <div className="odds-row num">
      <span className="muted">{name}</span>
      <span className="odds-bar" aria-hidden="true">
        <i className="odds-stop" style={{ width: `${stop * 100}%` }} />
        <i className="odds-neither" style={{ width: `${neither * 100}%` }} />
        <i className="odds-target" style={{ width: `${target * 100}%` }} />
      </span>
      <span>
        <span className="down">▼ stop {percent(stop)}</span>
        {" · "}
        <span className="muted">neither {percent(neither)}</span>
        {" · "}
        <span className="up">▲ target {percent(target)}</span>
      </span>
    </div>
  );
}

/** The Wyckoff and Elliott structure in words. */
export function Structure({ facts }: { readonly facts: SignalFacts }) {
  const { wyckoff, elliott } = facts;
  if (wyckoff === null && elliott === null) return null;
  return (
    <dl className="structure">
      {wyckoff !== null && (
        <div>
          <dt>Wyckoff</dt>
          <dd>{wyckoff.narrative}</dd>
        </div>
      )}
      {elliott !== null && (
        <div>
          <dt>Elliott</dt>
          <dd>
            {elliott.available
              ? `${elliott.label}; invalidated at ${price(elliott.invalidation)}, next target ${price(elliott.target)}`
              : (elliott.reason ?? "No valid count")}
          </dd>
        </div>
      )}
    </dl>
  );
}
