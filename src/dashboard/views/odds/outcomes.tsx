import "../sections.css";
import { ShareScale } from "../../charts/share-scale.tsx";
import { percent, whole } from "../format.ts";
import { Rows } from "../parts.tsx";

interface Shares {
  readonly stop_first?: number | null | undefined;
  readonly target_first?: number | null | undefined;
  readonly neither?: number | null | undefined;
}

interface OutcomesProps {
  readonly odds: Shares;
  readonly base: Shares | null | undefined;
  /** Number of past windows behind the base rate. */
  readonly windows: number | undefined;
}

const ROWS = [
  ["target_first", "▲ Target first"],
  ["stop_first", "▼ Stop first"],
  ["neither", "◆ Neither"],
] as const;

/** The odds of each outcome of a trade, beside its base rate. */
export const Outcomes = ({ odds, base, windows }: OutcomesProps) => (
  <>
    <Rows label="Outcomes">
      <table>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Odds</th>
            <th scope="col">Base rate</th>
            <td className="wide" />
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([key, name]) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>
                <b>{percent(odds[key])}</b>
              </td>
              <td>{percent(base?.[key])}</td>
              <td className="wide">
                <ShareScale share={odds[key]} base={base?.[key]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Rows>
    <p className="note muted">
      {base ? (
        <>
          The base rate, <span className="base-key">▮</span> in the bars, is the share of{" "}
          {windows === undefined ? "" : `${whole(windows)} `}past windows of this symbol; the windows overlap.
        </>
      ) : (
        "No base rate: no past window is long enough."
      )}
    </p>
  </>
);
