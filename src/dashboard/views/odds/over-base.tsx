import { fixed } from "../format.ts";
import { Direction } from "../parts.tsx";
import type { Record } from "./record.ts";

/** Returns a multiple of R with its sign. */
const signedR = (value: number | null): string =>
  value === null ? "–" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)} R`;

/** What the choice of closes added, by grade: trades of signals less the same plan at every close. */
export function OverBase({ rows }: { readonly rows: Record["r_over_base"] }) {
  const all = rows.filter(({ asset_class, direction }) => asset_class === null && direction !== "WAIT");
  const shown = all.length > 0 ? all : rows.filter(({ direction }) => direction !== "WAIT");
  if (shown.length === 0) return null;
  return (
    <section>
      <h3>What the signals added</h3>
      <div className="rows num">
        <table>
          <thead>
            <tr>
              <th scope="col">Grade</th>
              <th scope="col">Added</th>
              <th scope="col">95 %</th>
              <th scope="col">Trades</th>
              <th scope="col">Base</th>
              <th scope="col">n</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(
              ({ grade, direction, asset_class, n, mean_r, base_r, over_base, interval, reason }) => (
                <tr key={`${grade} ${direction} ${asset_class}`}>
                  <th scope="row">
                    <Direction value={direction} /> {grade ?? "all"} {all.length > 0 ? "" : asset_class}
                  </th>
                  <td>
                    {over_base === null ? (
                      <span className="muted">– {reason}</span>
                    ) : (
                      <b className={over_base < 0 ? "down" : "up"}>{signedR(over_base)}</b>
                    )}
                  </td>
                  <td className="muted">
                    {interval === null ? "–" : `${fixed(interval.low, 2)} to ${fixed(interval.high, 2)}`}
                  </td>
                  <td>{signedR(mean_r)}</td>
                  <td>{signedR(base_r)}</td>
                  <td>{n.toLocaleString("en-US")}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
      <p className="note muted">
        Mean result of the trades less that of the same plan at every close of the same symbols. An interval
        with 0 in it says: nothing shown.
      </p>
    </section>
  );
}
