import { Popover } from "@mantine/core";
import { useState } from "react";
import type { Output } from "../../api/tools.ts";
import { FILTER_NAMES, FILTERS, type Filter, type Screen, toggled } from "./screen-query.ts";

type Facets = NonNullable<Output<"screen_universe">["facets"]>;

interface FilterBarProps {
  readonly screen: Screen;
  /** Rows by value; undefined until the first answer. */
  readonly facets: Facets | undefined;
  readonly onChange: (screen: Screen) => void;
}

/** Filters whose values are always visible, since they are few. */
const VISIBLE: readonly Filter[] = ["bias", "tier", "asset_class"];

/** Filters as chips with the number of rows that each would show. */
export function FilterBar({ screen, facets, onChange }: FilterBarProps) {
  const isFiltered = FILTER_NAMES.some((name) => screen.filters[name].length > 0);
  return (
    <div className="filters">
      {VISIBLE.map((filter) => (
        <Chips key={filter} filter={filter} screen={screen} facets={facets} onChange={onChange} />
      ))}
      {FILTER_NAMES.filter((name) => !VISIBLE.includes(name)).map((filter) => (
        <Choice key={filter} filter={filter} screen={screen} facets={facets} onChange={onChange} />
      ))}
      {isFiltered && (
        <button
          type="button"
          className="chip clear"
          onClick={() =>
            onChange({
              ...screen,
              filters: Object.fromEntries(
                FILTER_NAMES.map((name) => [name, []]),
              ) as unknown as Screen["filters"],
            })
          }
        >
          × Clear all filters
        </button>
      )}
    </div>
  );
}

interface FilterProps extends FilterBarProps {
  readonly filter: Filter;
}

/** Returns the values of a filter: those with rows, and those chosen that have none. */
function valuesOf({ filter, screen, facets }: FilterProps) {
  const counted = (facets?.[filter] ?? []).flatMap(({ value, count }) =>
    value === null ? [] : [{ value, count }],
  );
  const missing = screen.filters[filter].filter((value) => !counted.some((row) => row.value === value));
  return [...counted, ...missing.map((value) => ({ value, count: facets === undefined ? null : 0 }))];
}

function Chips(props: FilterProps) {
  const { filter, screen, onChange } = props;
  const values = valuesOf(props);
  if (values.length === 0) return null;
  return (
    <fieldset className="chip-group">
      <legend className="hidden">{FILTERS[filter]}</legend>
      {values.map(({ value, count }) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={screen.filters[filter].includes(value)}
          onClick={() => onChange(toggled(screen, filter, value))}
        >
          {value} <span className="num count">{count}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** A filter with many values, which opens on demand. */
function Choice(props: FilterProps) {
  const { filter, screen } = props;
  const [isOpen, setOpen] = useState(false);
  const chosen = screen.filters[filter];
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={320} trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className="chip"
          aria-expanded={isOpen}
          data-active={chosen.length > 0}
          onClick={() => setOpen(!isOpen)}
        >
          {FILTERS[filter]}
          {chosen.length > 0 && `: ${chosen.join(", ")}`} <span aria-hidden="true">▾</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Filter by ${FILTERS[filter]}`}>
        <Chips {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}
