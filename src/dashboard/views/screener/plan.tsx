import { fixed, MISSING, price } from "../format.ts";
import { Figure } from "../parts.tsx";
import type { TableRow } from "./table-row.ts";

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The plan of a row, its odds and what speaks against it. */
export function Plan({ row: { plan, phase, stage, wave, conflicts } }: { readonly row: TableRow }) {
  const { entry, stop, target, side, levels_basis, odds } = plan;
  return (
    <>
      <p className="muted">
        {levels_basis === "watch" ? `WAIT: levels to watch for a ${side}` : `Levels of the ${side}`}
      </p>
      <div className="figures">
        <Figure name="Entry">{price(entry)}</Figure>
        <Figure name="Stop">{price(stop)}</Figure>
        <Figure name="First target">{price(target)}</Figure>
        <Figure name="Target before stop">{odds === null ? MISSING : percent(odds.target_first)}</Figure>
        <Figure name="Stop before target">{odds === null ? MISSING : percent(odds.stop_first)}</Figure>
        <Figure name="Expected result">
          {odds?.expected_r ? `${fixed(odds.expected_r.mean, 2)} R` : MISSING}
        </Figure>
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
