import { Combobox, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";

/** Finds a symbol by ticker or name and passes it on. */
export function SymbolPicker({
  label,
  onPick,
}: {
  readonly label: string;
  readonly onPick: (symbol: string) => void;
}) {
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text.trim(), 150);
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const { data } = useQuery({
    queryKey: ["resolve", query],
    enabled: query !== "",
    queryFn: () => call("resolve_symbol", { query }),
  });
  const exact = data?.symbol ? [{ symbol: data.symbol, name: "" }] : [];
  const found = [...exact, ...(data?.candidates ?? []).filter(({ symbol }) => symbol !== data?.symbol)];
  return (
    <Combobox
      store={box}
      onOptionSubmit={(symbol) => {
        setText("");
        box.closeDropdown();
        onPick(symbol);
      }}
    >
      <Combobox.Target>
        <TextInput
          aria-label={label}
          placeholder={label}
          size="xs"
          className="picker"
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            box.openDropdown();
            box.selectFirstOption();
          }}
          onBlur={() => box.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={found.length === 0}>
        <Combobox.Options aria-label="Symbols found">
          {found.map(({ symbol, name }) => (
            <Combobox.Option key={symbol} value={symbol}>
              <b>{symbol}</b> <span className="muted">{name}</span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
