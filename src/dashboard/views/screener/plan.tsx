import { MISSING, percent, price, signedR } from "../format.ts";
import { Figure } from "../parts.tsx";
import type { TableRow } from "./table-row.ts";

/** The plan of a row, its odds and its conflicts. */
export function Plan({ row: { plan, phase, stage, wave, conflicts } }: { readonly row: TableRow }) {
  const { entry, stop, target, side, levels_basis, odds } = plan;
  return (
    <>
      <p className="muted">
        {levels_basis === "watch" ? `WAIT: ${side} levels to watch` : `Plan of the ${side}`}
      </p>
      <div className="figures">
        <Figure name="Entry">{price(entry)}</Figure>
        <Figure name="Stop">{price(stop)}</Figure>
        <Figure name="First target">{price(target)}</Figure>
        <Figure name="Target first">{percent(odds?.target_first)}</Figure>
        <Figure name="Stop first">{percent(odds?.stop_first)}</Figure>
        <Figure name="Expected result">{signedR(odds?.expected_r?.mean)}</Figure>
        <Figure name="Wyckoff">{phase}</Figure>
        {stage !== undefined && <Figure name="Weinstein stage">{stage ?? MISSING}</Figure>}
        {wave !== undefined && <Figure name="Elliott">{wave || MISSING}</Figure>}
      </div>
      {conflicts.map(({ code, text }) => (
        <p key={code} className="warn">
          Against it: {text}
        </p>
      ))}
    </>
  );
}
