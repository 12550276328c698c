import { fixed, MISSING, signedR, whole } from "../format.ts";
import { Direction, Rows } from "../parts.tsx";
import type { TrackRecordAnswer } from "./record.ts";

/** How much better signals did, by grade, than the same plan at every close. */
export function OverBase({ rows }: { readonly rows: TrackRecordAnswer["r_over_base"] }) {
  const all = rows.filter(({ asset_class, direction }) => asset_class === null && direction !== "WAIT");
  const shown = all.length > 0 ? all : rows.filter(({ direction }) => direction !== "WAIT");
  if (shown.length === 0) return null;
  return (
    <section>
      <h3>What the signals added to the base</h3>
      <Rows label="What the signals added">
        <table>
          <thead>
            <tr>
              <th scope="col">Signals</th>
              <th scope="col">Added, 95 %</th>
              <th scope="col">Result</th>
              <th scope="col">Base</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(
              ({ grade, direction, asset_class, n, mean_r, base_r, over_base, interval, reason }) => (
                <tr key={`${grade} ${direction} ${asset_class}`}>
                  <th scope="row">
                    <Direction value={direction} /> {grade ?? "all"}
                    <small className="muted">
                      {whole(n)} {all.length > 0 ? "" : asset_class}
                    </small>
                  </th>
                  <td>
                    {over_base === null ? (
                      <span className="muted">{reason ?? MISSING}</span>
                    ) : (
                      <b className={over_base < 0 ? "down" : "up"}>{signedR(over_base)}</b>
                    )}
                    {interval !== null && (
                      <small className="muted">
                        {fixed(interval.low, 2)} to {fixed(interval.high, 2)}
                      </small>
                    )}
                  </td>
                  <td>{signedR(mean_r)}</td>
                  <td>{signedR(base_r)}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </Rows>
      <p className="note muted">
        Below each grade is its number of signals. Added is the mean result of their trades less the base,
        that of the same plan at every close of the same symbols. An interval that contains 0 shows no effect.
      </p>
    </section>
  );
}
