import type { ReactNode } from "react";
import { MARKET_LABELS } from "../../lib/market-labels.ts";

const SIGNS: Readonly<Record<string, string>> = { LONG: "▲", SHORT: "▼" };

/** The direction of a signal, as a sign and a word. */
export const Direction = ({ value }: { readonly value: string }) => (
  <span className={`pill ${value}`}>
    <span aria-hidden="true">{SIGNS[value] ?? "◆"}</span>
    {value}
  </span>
);

/** What grades mean; shown once beside a table of them. */
const GRADES = "Grades rate the long side: A+ is the strongest LONG, F the strongest SHORT.";

interface GradeProps {
  readonly value: string | null | undefined;
  /** Direction beside which it stands; a SHORT says that the grade is one of the long side. Tables have a legend instead. */
  readonly direction?: string | null;
}

export const Grade = ({ value, direction }: GradeProps) =>
  value === null || value === undefined ? null : (
    <span className="grade-of" title={GRADES}>
      {direction === "SHORT" && <small className="muted">long-side grade </small>}
      <span className={`grade ${value.charAt(0)}`}>
        {direction !== "SHORT" && <span className="hidden">Grade </span>}
        {value}
      </span>
    </span>
  );

export const GradeLegend = () => <p className="muted note">{GRADES}</p>;

/** Says which market numbers are from, unless they are live. */
export const MarketLabel = ({ source }: { readonly source: string }) => {
  if (source !== "sample" && source !== "files") return null;
  const { name, meaning } = MARKET_LABELS[source];
  return (
    <span className="sample">
      {name} ({meaning})
    </span>
  );
};

/** Notes on an answer, closed at first. */
export const Notes = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.length === 0 ? null : (
    <details className="notes">
      <summary>{lines.length === 1 ? "1 note" : `${lines.length} notes`}</summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );

/** A box with a figure and its name. */
export const Figure = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="figure">
    <span>{name}</span>
    <b className="num">{children}</b>
  </div>
);

/** A table that scrolls sideways where it is wider than its place. */
export const Rows = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section className="rows num" tabIndex={0} aria-label={`${label}, table`}>
    {children}
  </section>
);
