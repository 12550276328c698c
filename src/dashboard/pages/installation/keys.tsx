import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { installation } from "../../api/installation.ts";
import { dayText, MISSING, whole } from "../../views/format.ts";
import { Failure } from "../shared/failure.tsx";
import { KeyMaker } from "../shared/key-maker.tsx";
import { hourAgoText } from "../shared/time-text.ts";
import { Rows, Section } from "./section.tsx";

const QUERY = ["installation", "keys"];
type Key = Awaited<ReturnType<typeof installation.keys>>["keys"][number];

/** Keys with their last use and the calls of today; keys that read or trade on paper are created and revoked here. */
export function Keys() {
  const query = useQuery({ queryKey: QUERY, queryFn: installation.keys, refetchInterval: 10_000 });
  const [revoked, setRevoked] = useState<Key | null>(null);
  const [isCreating, creating] = useDisclosure(false);
  return (
    <>
      <Section
        title="Keys"
        wide
        query={query}
        aside={
          <Button size="compact-sm" variant="default" onClick={creating.toggle} aria-expanded={isCreating}>
            {isCreating ? "Done" : "New key"}
          </Button>
        }
      >
        {({ keys }) => (
          <>
            {isCreating && (
              <div className="boxed">
                <KeyMaker suggested="agent" />
              </div>
            )}
            <Rows
              label="Keys of this installation"
              items={keys}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: "Name",
                  of: ({ name, last4 }) => (
                    <span>
                      <b>{name}</b> <code className="muted">…{last4}</code>
                    </span>
                  ),
                },
                { title: "Scopes", of: ({ scopes }) => scopes.join(", ") },
                { title: "Last used", of: ({ last_used_at: time }) => hourAgoText(time) },
                {
                  title: "Calls today",
                  isFigure: true,
                  of: ({ calls_today: calls }) => whole(calls),
                },
                { title: "Created", of: ({ created_at: time }) => dayText(time) },
                { title: "State", of: stateOf },
                {
                  title: "Action",
                  of: (key) =>
                    key.revocable && key.state === "active" ? (
                      <Button
                        size="compact-xs"
                        variant="light"
                        color="red"
                        onClick={() => setRevoked(key)}
                        aria-label={`Revoke ${key.name}`}
                      >
                        Revoke
                      </Button>
                    ) : (
                      MISSING
                    ),
                },
              ]}
            />
            <p className="muted small">
              Keys with other scopes are created and revoked on the machine of the server:{" "}
              <code>npx market-signal keys</code>. The last use is known to the hour.
            </p>
          </>
        )}
      </Section>
      <Revocation of={revoked} close={() => setRevoked(null)} />
    </>
  );
}

const stateOf = ({ state, expires_at: end }: Key): string =>
  state === "active" && end !== null ? `active until ${dayText(end)}` : state;

/** Asks before a key is revoked, as that cannot be undone. */
function Revocation({ of: key, close }: { readonly of: Key | null; readonly close: () => void }) {
  const queries = useQueryClient();
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: installation.revokeKey,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: QUERY });
      close();
    },
  });
  return (
    <Modal
      opened={key !== null}
      onClose={() => {
        reset();
        close();
      }}
      title={`Revoke ${key?.name ?? ""}?`}
      lockScroll={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {error !== null && <Failure error={error} />}
      <p>
        Clients that use it are refused from their next call on. This cannot be undone: create a new key for
        them.
      </p>
      <Button color="red" loading={isPending} onClick={() => key !== null && mutate(key.id)}>
        Revoke the key
      </Button>
    </Modal>
  );
}
