import "../sections.css";
import { ShareScale } from "../../charts/share-scale.tsx";
import { percentOf } from "../words.ts";

interface Shares {
  readonly stop_first?: number | null | undefined;
  readonly target_first?: number | null | undefined;
  readonly neither?: number | null | undefined;
}

interface OutcomesProps {
  readonly odds: Shares;
  readonly base: Shares | null | undefined;
  /** Number of past windows behind the base. */
  readonly windows: number | undefined;
}

const ROWS = [
  ["target_first", "▲ Target first"],
  ["stop_first", "▼ Stop first"],
  ["neither", "◆ Neither"],
] as const;

/** How a trade may end, each outcome beside its base. */
export const Outcomes = ({ odds, base, windows }: OutcomesProps) => (
  <>
    <div className="rows num">
      <table>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Odds</th>
            <th scope="col">Base</th>
            <td className="wide" />
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([key, name]) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>
                <b>{percentOf(odds[key])}</b>
              </td>
              <td>{percentOf(base?.[key])}</td>
              <td className="wide">
                <ShareScale share={odds[key]} base={base?.[key]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <p className="note muted">
      {base ? (
        <>
          The base, <span className="base-key">▮</span> in the bars, is the share of{" "}
          {windows === undefined ? "" : `${windows.toLocaleString("en-US")} `}past windows of this symbol;
          they overlap.
        </>
      ) : (
        "There is no base: no past window is as long."
      )}
    </p>
  </>
);
