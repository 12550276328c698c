import type { ReactNode } from "react";

/** A column: its name, the class of its cells, and what is shown for the name. */
export type HeadColumn = readonly [name: string, className?: string | undefined, shown?: ReactNode];

/** The head of a table. */
export const TableHead = ({
  columns,
  className,
}: {
  readonly columns: readonly HeadColumn[];
  readonly className?: string;
}) => (
  <thead className={className}>
    <tr>
      {columns.map(([name, cell, shown = name]) => (
        <th key={name} scope="col" className={cell}>
          {shown}
        </th>
      ))}
    </tr>
  </thead>
);
