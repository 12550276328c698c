import { Button, Card, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { mayWrite } from "../../api/rights.ts";
import type { Output } from "../../api/tools.ts";
import { MarketLabel } from "../../views/parts.tsx";
import { Failure } from "../shared/failure.tsx";
import { ReadOnly } from "../shared/no-rights.tsx";
import { SymbolPicker } from "./symbol-picker.tsx";
import type { Quotes } from "./use-quotes.ts";
import { beforeNewestClose, useChanges, useScan, verdictsBefore } from "./use-verdicts.ts";
import { WatchlistTable } from "./watchlist-table.tsx";
import { useSaveList } from "./watchlists.ts";

type Watchlist = Output<"list_watchlists">["watchlists"][number];

interface WatchlistPanelProps {
  readonly list: Watchlist;
  readonly lists: readonly Watchlist[];
  readonly onChoose: (name: string) => void;
  readonly quotes: Quotes;
}

/** A watchlist, which can be chosen, changed, copied and deleted. */
export function WatchlistPanel({ list, lists, onChoose, quotes }: WatchlistPanelProps) {
  const [isEditing, setEditing] = useState(false);
  const [added, setAdded] = useState("");
  const save = useSaveList();
  const isWriter = mayWrite();
  const scan = useScan(list.symbols);
  const changes = useChanges(
    list.symbols,
    scan.data === undefined ? null : beforeNewestClose(scan.data.rows.values()),
  );
  const saveSymbols = (symbols: readonly string[]) => save.mutate({ name: list.name, symbols: [...symbols] });
  const source = scan.data?.rows.values().next().value?.source;
  return (
    <Card withBorder component="section" aria-labelledby="watchlist" className="panel">
      <header className="panel-head">
        <h2 id="watchlist">Watchlist</h2>
        <NativeSelect
          size="xs"
          aria-label="Name of the watchlist"
          value={list.name}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          data={lists.map(({ name }) => name)}
        />
        {source !== undefined && <MarketLabel source={source} />}
        <FeedState quotes={quotes} />
        {isWriter && (
          <div className="panel-actions">
            <SymbolPicker
              label="Add a symbol"
              text={added}
              onText={setAdded}
              onPick={(symbol) => saveSymbols([...new Set([...list.symbols, symbol])])}
            />
            <Button
              size="xs"
              variant="default"
              aria-pressed={isEditing}
              onClick={() => setEditing(!isEditing)}
            >
              {isEditing ? "Done" : "Edit"}
            </Button>
          </div>
        )}
      </header>
      {!isWriter && <ReadOnly />}
      {isEditing && (
        <EditLists
          list={list}
          onChoose={onChoose}
          onDelete={() => saveSymbols([])}
          onCopied={() => setEditing(false)}
        />
      )}
      {save.error !== null && <Failure error={save.error} />}
      {scan.error !== null && <Failure error={scan.error} />}
      <WatchlistTable
        name={list.name}
        symbols={list.symbols}
        quotes={quotes}
        rows={scan.data?.rows}
        reasons={scan.data?.errors}
        before={changes.data && verdictsBefore(changes.data)}
        onRemove={
          isEditing && list.symbols.length > 1
            ? (symbol) => saveSymbols(list.symbols.filter((other) => other !== symbol))
            : undefined
        }
      />
    </Card>
  );
}

/** Says how prices arrive. */
const FeedState = ({ quotes }: { readonly quotes: Quotes }) =>
  quotes.error !== null ? (
    <span className="feed warn">No prices: {quotes.error.message}</span>
  ) : (
    <span className="feed muted" role="status">
      <span className={quotes.isStreamed ? "up" : "muted"} aria-hidden="true">
        {quotes.isStreamed ? "●" : "○"}
      </span>{" "}
      {quotes.isStreamed ? "streaming prices" : "prices every 15 s"}
    </span>
  );

function EditLists({
  list,
  onChoose,
  onDelete,
  onCopied,
}: {
  readonly list: Watchlist;
  readonly onChoose: (name: string) => void;
  readonly onDelete: () => void;
  readonly onCopied: () => void;
}) {
  const [name, setName] = useState("");
  const [isSure, setSure] = useState(false);
  const save = useSaveList();
  return (
    <div className="edit-lists">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(
            { name, symbols: [...list.symbols] },
            {
              onSuccess: ({ watchlist }) => {
                onChoose(watchlist.name);
                onCopied();
              },
            },
          );
        }}
      >
        <TextInput
          size="xs"
          aria-label="Name of the copy"
          placeholder="Name of the copy"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button
          size="xs"
          type="submit"
          variant="default"
          disabled={name.trim() === ""}
          loading={save.isPending}
        >
          Copy list
        </Button>
      </form>
      <Button size="xs" variant="light" color="red" onClick={() => (isSure ? onDelete() : setSure(true))}>
        {isSure ? `Really delete "${list.name}"` : "Delete this list"}
      </Button>
      {save.error !== null && <Failure error={save.error} />}
    </div>
  );
}
