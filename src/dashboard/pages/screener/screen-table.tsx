import { Button, Checkbox, Menu } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { type ColumnVisibilityState, type SortingState, useTable } from "@tanstack/react-table";
import { type ReactNode, useRef } from "react";
import { GradeLegend } from "../../views/parts.tsx";
import type { ScreenRow } from "../../views/screener/table-row.ts";
import { columns, features, LOOKS } from "./columns.tsx";
import { useRowKeys } from "./use-row-keys.ts";

interface ScreenTableProps {
  readonly rows: readonly ScreenRow[];
  readonly sort: string;
  readonly order: "asc" | "desc";
  readonly onSort: (sort: string, order: "asc" | "desc") => void;
  /** Shown next to the choice of columns. */
  readonly children: ReactNode;
}

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

/** The rows of a screen. The server sorts them, so that an order is that of the whole run. */
export function ScreenTable({ rows, sort, order, onSort, children }: ScreenTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const [hidden, setHidden] = useLocalStorage<ColumnVisibilityState>({
    key: "market-signal-columns",
    defaultValue: {},
  });
  const sorting: SortingState = [{ id: sort, desc: order === "desc" }];
  const table = useTable({
    features,
    columns,
    data: rows as ScreenRow[],
    getRowId: ({ symbol, venue }) => `${symbol} ${venue}`,
    manualSorting: true,
    enableSortingRemoval: false,
    state: { sorting, columnVisibility: hidden },
    onSortingChange: (change) => {
      const [first] = typeof change === "function" ? change(sorting) : change;
      if (first !== undefined) onSort(first.id, first.desc ? "desc" : "asc");
    },
    onColumnVisibilityChange: (change) =>
      setHidden((known) => (typeof change === "function" ? change(known) : change)),
  });
  return (
    <>
      <div className="table-tools">
        {children}
        <span className="muted keys">
          <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens
        </span>
        <Menu closeOnItemClick={false} position="bottom-end">
          <Menu.Target>
            <Button size="compact-xs" variant="subtle" className="wide-only">
              Columns
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {table
              .getAllLeafColumns()
              .filter((each) => each.getCanHide())
              .map((each) => (
                <Menu.Item
                  key={each.id}
                  role="menuitemcheckbox"
                  aria-checked={each.getIsVisible()}
                  onClick={() => each.toggleVisibility()}
                >
                  <Checkbox.Indicator size="xs" checked={each.getIsVisible()} mr={8} />
                  {LOOKS[each.id]!.name}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="table-scroll" aria-label="Rows of the screen" tabIndex={0}>
        <table className="row-table screen">
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map(({ id, column }) => {
                  const sorted = column.getIsSorted();
                  return (
                    <th
                      key={id}
                      scope="col"
                      className={LOOKS[id]!.className}
                      aria-sort={sorted === false ? undefined : ARIA_SORT[sorted]}
                    >
                      {column.getCanSort() ? (
                        <button type="button" className="sort" onClick={column.getToggleSortingHandler()}>
                          <Heading id={id} />
                          <span aria-hidden="true">
                            {sorted === false ? "" : sorted === "asc" ? " ↑" : " ↓"}
                          </span>
                        </button>
                      ) : (
                        <Heading id={id} />
                      )}
                    </th>
                  );
                })}
              </tr>
            ))}
          </thead>
          <tbody ref={body}>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id}>
                {row.getVisibleCells().map((cell) => (
                  <td key={cell.id} className={`num ${LOOKS[cell.column.id]!.className ?? ""}`}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <GradeLegend />
    </>
  );
}

/** The heading of a column, in full if one points at it. */
function Heading({ id }: { readonly id: string }) {
  const { name, short } = LOOKS[id]!;
  return short === undefined ? name : <abbr title={name}>{short}</abbr>;
}
