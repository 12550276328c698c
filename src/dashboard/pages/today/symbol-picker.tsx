import { Combobox, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useState } from "react";
import { call } from "../../api/client.ts";
import type { Output } from "../../api/tools.ts";

/** Finds a symbol by ticker or name and passes it on; Enter takes the best match, once it is found. */
export function SymbolPicker({
  label,
  text,
  onText,
  onPick,
}: {
  readonly label: string;
  /** What is typed. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onPick: (symbol: string) => void;
}) {
  const typed = text.trim();
  const [query] = useDebouncedValue(typed, 150);
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const { data, error } = useQuery({
    queryKey: ["resolve", query],
    enabled: query !== "",
    queryFn: () => call("resolve_symbol", { query }),
  });
  const found = data === undefined ? [] : matchesOf(data);
  const isCurrent = typed !== "" && query === typed && data !== undefined;
  const pick = (symbol: string) => {
    onText("");
    box.closeDropdown();
    onPick(symbol);
  };
  const [entered, setEntered] = useState<string | null>(null);
  const best = found[0]?.symbol;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options are in the document
  useEffect(() => {
    if (box.dropdownOpened) box.selectFirstOption();
  }, [data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed and found matters
  useEffect(() => {
    if (entered === null) return;
    if (entered !== typed) setEntered(null);
    else if (isCurrent) {
      setEntered(null);
      if (best !== undefined) pick(best);
    }
  }, [entered, typed, isCurrent, best]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || typed === "") return;
    box.openDropdown();
    if (isCurrent && box.dropdownOpened && box.getSelectedOptionIndex() !== -1) return;
    event.preventDefault();
    event.stopPropagation();
    setEntered(typed);
  };
  const nothing = error !== null ? error.message : isCurrent ? `No symbol is named "${typed}"` : null;
  return (
    <Combobox store={box} onOptionSubmit={pick}>
      <Combobox.Target>
        <TextInput
          aria-label={label}
          placeholder={label}
          size="xs"
          className="picker"
          maxLength={80}
          value={text}
          onChange={({ currentTarget }) => {
            onText(currentTarget.value);
            box.openDropdown();
            box.selectFirstOption();
          }}
          onKeyDownCapture={onKey}
          onBlur={() => box.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={found.length === 0 && nothing === null}>
        <Combobox.Options aria-label="Symbols found">
          {found.map(({ symbol, name, in_market: hasData }) => (
            <Combobox.Option key={symbol} value={symbol}>
              <b>{symbol}</b>{" "}
              <span className="muted">
                {name === symbol ? "" : name}
                {!hasData && " (no data in this market)"}
              </span>
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>{nothing}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const matchesOf = ({ match, alternatives, candidates }: Output<"resolve_symbol">) => [
  ...(match === null ? [] : [match]),
  ...alternatives,
  ...candidates,
];
