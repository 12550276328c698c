import type { ReactNode } from "react";

interface DataTableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  /** Cells by row, in the order of the columns; the first one names its row. */
  readonly rows: readonly (readonly ReactNode[])[];
}

/** The data of a chart as a table, closed at first. */
export const DataTable = ({ caption, columns, rows }: DataTableProps) => (
  <details className="data">
    <summary>{caption} as a table</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <section className="data-scroll" tabIndex={0} aria-label={`${caption}, table`}>
      <table className="num">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others], row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity and no state
            <tr key={row}>
              <th scope="row">{first}</th>
              {others.map((cell, column) => (
                <td key={columns[column + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
);
