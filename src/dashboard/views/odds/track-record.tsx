import "../sections.css";
import { useState } from "react";
import type { Call } from "../../api/tools.ts";
import { ReliabilityChart } from "../../charts/reliability-chart.tsx";
import { ShareScale } from "../../charts/share-scale.tsx";
import { Choices } from "../choices.tsx";
import { DataTable } from "../data-table.tsx";
import { dayText, fixed, MISSING, percent, plainName, whole } from "../format.ts";
import { Figure, MarketLabel, Rows } from "../parts.tsx";
import { useAnswer } from "../use-answer.ts";
import { OverBase } from "./over-base.tsx";
import type { TrackRecordAnswer } from "./record.ts";

type Bucket = TrackRecordAnswer["odds"]["buckets"][number];

const EVENTS = {
  in_80_range: "Close in the 80 % range",
  touch: "Touch of a level",
  target_first: "Target first",
  stop_first: "Stop first",
} as const;
const SIDES = { LONG: "▲ up", SHORT: "▼ down" } as const;

/** How the odds and signals of the past have turned out. */
export function TrackRecord({
  record: given,
  call,
}: {
  readonly record: TrackRecordAnswer;
  readonly call: Call | null;
}) {
  const isShort =
    given.odds.rows.length > 0 && given.odds.rows.every(({ touch }) => touch.reliability === undefined);
  const more = useAnswer(call, "get_track_record", isShort ? { detail: "full" } : null);
  const record = withFullOdds(given, more);
  const { odds, summary, signals, from, until, computed_at, reason, notes } = record;
  const horizons = [...new Set([...odds.buckets, ...odds.rows].map(({ horizon }) => horizon))].sort(
    (a, b) => a - b,
  );
  const [horizon, setHorizon] = useState(horizons.includes(20) ? 20 : (horizons[0] ?? 20));
  const ofHorizon = odds.buckets.filter((bucket) => bucket.horizon === horizon);
  const events = [...new Set(ofHorizon.map((bucket) => bucket.event))];
  const [chosen, setEvent] = useState<Bucket["event"]>("touch");
  const event = events.includes(chosen) ? chosen : (events[0] ?? chosen);
  const buckets = ofHorizon.filter((bucket) => bucket.event === event);
  const rows = odds.rows.filter(
    (row) => row.horizon === horizon && row.period === "all" && row.timeframe === "1d",
  );
  const row = rows.find(({ asset_class }) => asset_class === null) ?? rows[0];
  const bins = row?.touch.reliability ?? [];
  return (
    <article className="view">
      <header className="view-head">
        <h2>Track record</h2>
        <span className="muted num">
          {from === null || until === null ? "" : `${dayText(from)} to ${dayText(until)}`}
          {computed_at !== null && `, computed ${dayText(computed_at)}`}
        </span>
        <MarketLabel source={record.market} />
      </header>
      <ul className="sentences">
        {summary.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <div className="figures">
        <Figure name="Signals with an outcome">{whole(signals)}</Figure>
        <Figure name="Forecasts with an outcome">{whole(odds.forecasts)}</Figure>
        <Figure name={`80 % range held, ${horizon} bars`}>{percent(row?.cover_80, 1)}</Figure>
        <Figure name="Calibration error of touch odds">
          {row?.touch.calibration_error == null
            ? MISSING
            : `${fixed(100 * row.touch.calibration_error, 1)} points`}
        </Figure>
      </div>
      {reason !== null && <p className="note">No signals are counted: {reason}</p>}
      <div className="columns">
        <section>
          <h3>Did the odds come true?</h3>
          {odds.reason !== null && <p className="note">{odds.reason}</p>}
          {horizons.length > 1 && (
            <Choices
              label="Bars ahead"
              options={horizons.map((bars) => [bars, `${bars} bars`] as const)}
              value={horizon}
              onChange={setHorizon}
            />
          )}
          {bins.length > 0 && (
            <>
              <ReliabilityChart
                bins={bins}
                label={`Touch odds within ${horizon} bars against what happened; the table below has its data`}
              />
              <DataTable
                caption="Touch odds"
                columns={["Forecast", "Observed", "n"]}
                rows={bins.map((bin) => [percent(bin.odds, 1), percent(bin.happened, 1), whole(bin.n)])}
              />
            </>
          )}
        </section>
        <OverBase rows={record.r_over_base} />
      </div>
      {buckets.length > 0 && <h3>Odds by volatility, {horizon} bars</h3>}
      {events.length > 1 && (
        <Choices
          label="Event"
          options={events.map((name) => [name, EVENTS[name]] as const)}
          value={event}
          onChange={setEvent}
        />
      )}
      {buckets.length > 0 && <Buckets buckets={buckets} />}
      <SignalRows rows={record.rows} horizon={horizon} />
      {notes.map((note) => (
        <p className="note muted" key={note}>
          {note}
        </p>
      ))}
    </article>
  );
}

/** Returns a record with all rows of odds, if they are those of the same forecasts: a record of one symbol stays as it is. */
const withFullOdds = (given: TrackRecordAnswer, full: TrackRecordAnswer | null): TrackRecordAnswer =>
  full !== null && full.odds.forecasts === given.odds.forecasts && full.signals === given.signals
    ? { ...given, odds: full.odds }
    : given;

const Buckets = ({ buckets }: { readonly buckets: readonly Bucket[] }) => (
  <Rows label="Odds by volatility">
    <table>
      <thead>
        <tr>
          <th scope="col">Volatility</th>
          <th scope="col">Odds</th>
          <th scope="col">Observed</th>
          <th scope="col">n</th>
          <th scope="col">Held</th>
          <td className="wide spare" />
        </tr>
      </thead>
      <tbody>
        {buckets.map(({ event, side, volatility, odds, happened, interval, n, within_3_points }) => (
          <tr key={`${event} ${side} ${volatility}`}>
            <th scope="row">
              {side === null ? (
                volatility
              ) : (
                <>
                  {SIDES[side]} <small className="muted">{volatility}</small>
                </>
              )}
            </th>
            <td>{percent(odds)}</td>
            <td>
              <b>{percent(happened)}</b>
              <small className="muted">
                {interval === null ? MISSING : `${percent(interval.low)} – ${percent(interval.high)}`}
              </small>
            </td>
            <td>{whole(n)}</td>
            <td>
              {within_3_points === null ? (
                <span className="muted">too few</span>
              ) : within_3_points ? (
                <span className="up">✓ yes</span>
              ) : (
                <span className="down">✗ no</span>
              )}
            </td>
            <td className="wide spare">
              <ShareScale share={happened} base={odds} interval={interval} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <p className="note muted">
      Below the observed share is its 95 % interval. Held: the observed share is within 3 points of the odds,{" "}
      <span className="base-key">▮</span> in the bars.
    </p>
  </Rows>
);

const SignalRows = ({
  rows,
  horizon,
}: {
  readonly rows: TrackRecordAnswer["rows"];
  readonly horizon: number;
}) => {
  const shown = rows.filter((row) => row.horizon === horizon && row.direction !== "WAIT");
  return shown.length === 0 ? null : (
    <DataTable
      caption={`Signals after ${horizon} bars`}
      columns={["Signal", "Hit rate", "95 %", "Base rate", "Mean excess return", "n", "Effective n"]}
      rows={shown.map(
        ({ grade, direction, asset_class, hit_rate, interval, base_rate, mean_excess, n, n_eff }) => [
          `${grade ?? MISSING} ${direction} ${plainName(asset_class)}`,
          percent(hit_rate, 1),
          interval === null ? MISSING : `${percent(interval.low)} – ${percent(interval.high)}`,
          percent(base_rate, 1),
          percent(mean_excess, 2),
          whole(n),
          fixed(n_eff, 0),
        ],
      )}
    />
  );
};
