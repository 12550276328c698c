import type { ReactNode } from "react";

const SIGNS: Readonly<Record<string, string>> = { LONG: "▲", SHORT: "▼" };

/** The direction of a signal, as a sign and a word. */
export const Direction = ({ value }: { readonly value: string }) => (
  <span className={`pill ${value}`}>
    <span aria-hidden="true">{SIGNS[value] ?? "◆"}</span>
    {value}
  </span>
);

export const Grade = ({ value }: { readonly value: string | null | undefined }) =>
  value === null || value === undefined ? null : (
    <span className={`grade ${value.charAt(0)}`}>
      <span className="hidden">Grade </span>
      {value}
    </span>
  );

/** Says which market numbers are from, unless they are live. */
export const MarketLabel = ({ source }: { readonly source: string }) =>
  source === "sample" ? (
    <span className="sample">SAMPLE (simulated)</span>
  ) : source === "files" ? (
    <span className="sample">FILES (your own bars)</span>
  ) : null;

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
