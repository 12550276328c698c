import { ShareScale } from "../../charts/share-scale.tsx";
import { DataTable } from "../data-table.tsx";
import { percent, price, signedPercent } from "../format.ts";
import { Rows } from "../parts.tsx";
import type { Odds } from "./fan-data.ts";

/** The odds of touching each level within the horizon, beside the base rate. */
export function TouchTable({ odds: { levels, horizon } }: { readonly odds: Odds }) {
  return (
    <section>
      <h3>Odds of a touch within {horizon} bars</h3>
      <Rows label="Odds of a touch">
        <table>
          <thead>
            <tr>
              <th scope="col">Level</th>
              <th scope="col">Away</th>
              <th scope="col">Odds</th>
              <th scope="col">Base rate</th>
              <td className="wide" />
            </tr>
          </thead>
          <tbody>
            {levels.map(({ price: level, change_percent, touch }) => {
              const within = touch.find(({ bars }) => bars === horizon) ?? touch.at(-1);
              return (
                <tr key={level}>
                  <th scope="row">{price(level)}</th>
                  <td>{signedPercent(change_percent)}</td>
                  <td>
                    <b>{percent(within?.odds)}</b>
                  </td>
                  <td>{percent(within?.base)}</td>
                  <td className="wide">
                    <ShareScale share={within?.odds} base={within?.base} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Rows>
      <DataTable
        caption="Touch odds by bars"
        columns={["Level", "Bars", "Odds", "Base rate"]}
        rows={levels.flatMap(({ price: level, touch }) =>
          touch.map(({ bars, odds, base }) => [price(level), bars, percent(odds), percent(base)]),
        )}
      />
    </section>
  );
}
