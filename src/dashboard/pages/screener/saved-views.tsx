import { Button, CopyButton, Menu, Popover, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import { parsed } from "../shared/stored.ts";
import { readViews, type SavedView } from "./views-stored.ts";

/** Views that every browser has. */
const EXAMPLES: readonly SavedView[] = [
  { name: "Best longs", query: "bias=LONG" },
  { name: "Best shorts", query: "bias=SHORT" },
  {
    name: "Oversold, grade B or better",
    query: `rules=${encodeURIComponent("rsi(14) < 40 and grade >= B")}`,
  },
  { name: "Gainers of the day", query: "sort=change_percent" },
];

/** Views saved in this browser. A link opens a view in any other. */
export function SavedViews({
  query,
  onOpen,
}: {
  readonly query: string;
  readonly onOpen: (query: string) => void;
}) {
  const [views, setViews] = useLocalStorage<readonly SavedView[]>({
    key: "market-signal-views",
    defaultValue: [],
    deserialize: (text) => parsed(text, readViews) ?? [],
  });
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState("");
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default">
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length > 0 && <Menu.Label>Saved in this browser</Menu.Label>}
          {views.map((view) => (
            <Menu.Item key={view.name} onClick={() => onOpen(view.query)}>
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Label>Examples</Menu.Label>
          {EXAMPLES.map((view) => (
            <Menu.Item key={view.name} onClick={() => onOpen(view.query)}>
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Label>Delete</Menu.Label>}
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              color="red"
              onClick={() => setViews(views.filter((one) => one.name !== view.name))}
            >
              Delete {view.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Popover opened={isNaming} onChange={setNaming} position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <Button size="xs" variant="default" onClick={() => setNaming(!isNaming)}>
            Save view
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Save this view">
          <form
            className="save-view"
            onSubmit={(event) => {
              event.preventDefault();
              const named = name.trim();
              if (named === "") return;
              setViews([...views.filter((one) => one.name !== named), { name: named, query }]);
              setName("");
              setNaming(false);
            }}
          >
            <TextInput
              size="xs"
              label="Name of this view"
              value={name}
              maxLength={40}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Button size="xs" type="submit">
              Save
            </Button>
          </form>
        </Popover.Dropdown>
      </Popover>
      <CopyButton value={`${location.origin}/screener${query === "" ? "" : `?${query}`}`}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy}>
            {copied ? "Link copied" : "Copy link"}
          </Button>
        )}
      </CopyButton>
    </>
  );
}
