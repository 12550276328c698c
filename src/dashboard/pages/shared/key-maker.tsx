import { Button, Checkbox, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { installation } from "../../api/installation.ts";
import { Failure } from "./failure.tsx";
import { Snippet } from "./snippet.tsx";

/** Creates a key that reads, and on request trades on paper. The key is shown once, in this page only. */
export function KeyMaker({
  suggested,
  onCreate,
}: {
  /** Name in the field at first. */
  readonly suggested: string;
  readonly onCreate?: (secret: string) => void;
}) {
  const [name, setName] = useState(suggested);
  const [mayTrade, setMayTrade] = useState(false);
  const queries = useQueryClient();
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: installation.createKey,
    onSuccess: ({ key }) => {
      onCreate?.(key);
      void queries.invalidateQueries({ queryKey: ["installation", "keys"] });
    },
  });
  if (data !== undefined)
    return (
      <div role="status">
        <p>
          <b>{data.name}</b> is ready. Copy the key now: it is not shown again.
        </p>
        <Snippet text={data.key} what="new key" />
        <Button variant="subtle" size="compact-sm" onClick={reset}>
          Create another key
        </Button>
      </div>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ name: name.trim(), scopes: mayTrade ? ["read", "trade:paper"] : ["read"] });
      }}
    >
      {error !== null && <Failure error={error} />}
      <div className="key-maker">
        <TextInput
          label="Name of the new key"
          size="sm"
          value={name}
          required
          maxLength={60}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Checkbox
          label="May trade on paper"
          description="Otherwise it can only read"
          checked={mayTrade}
          onChange={({ currentTarget }) => setMayTrade(currentTarget.checked)}
        />
        <Button type="submit" loading={isPending}>
          Create a key
        </Button>
      </div>
    </form>
  );
}
