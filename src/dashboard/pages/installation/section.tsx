import { Card, Skeleton, Table } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "../shared/failure.tsx";

/** A part of the page with what it loads; shows that it loads, or why it cannot. */
export function Section<Data>({
  title,
  aside,
  query: { data, error },
  wide = false,
  children,
}: {
  readonly title: string;
  /** Controls beside the title. */
  readonly aside?: ReactNode;
  readonly query: Pick<UseQueryResult<Data>, "data" | "error">;
  /** true: takes the whole width. Default: false. */
  readonly wide?: boolean;
  readonly children: (data: Data) => ReactNode;
}) {
  return (
    <Card withBorder component="section" aria-label={title} className={wide ? "wide" : ""}>
      <div className="section-head">
        <h2 className="card-title">{title}</h2>
        {aside}
      </div>
      {data !== undefined ? (
        children(data)
      ) : error !== null ? (
        <Failure error={error} />
      ) : (
        <Skeleton height={120} role="status" aria-label={`Loading: ${title}`} />
      )}
    </Card>
  );
}

/** A region that scrolls by itself. */
export const Scrolled = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
  <section className="scrolled" aria-label={label} tabIndex={0}>
    {children}
  </section>
);

interface Column<Item> {
  readonly title: string;
  /** Returns what a row shows in the column. */
  readonly of: (item: Item) => ReactNode;
  /** true: figures, aligned at the right. Default: false. */
  readonly isFigure?: boolean;
}

/** A table of the page; on a phone each row is a list of its values with their titles. */
export function Rows<Item>({
  label,
  items,
  keyOf,
  columns,
}: {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly columns: readonly Column<Item>[];
}) {
  return (
    <Scrolled label={label}>
      <Table verticalSpacing={6} className="setup-rows">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, isFigure }) => (
              <Table.Th key={title} className={isFigure ? "figure-cell" : ""}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={keyOf(item)}>
              {columns.map(({ title, isFigure, of }) => (
                <Table.Td key={title} data-title={title} className={isFigure ? "num figure-cell" : ""}>
                  {of(item)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scrolled>
  );
}
