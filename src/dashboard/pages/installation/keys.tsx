import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { installation } from "../../api/installation.ts";
import { MISSING } from "../../views/format.ts";
import { Failure } from "../shared/failure.tsx";
import { KeyMaker } from "../shared/key-maker.tsx";
import { hourAgoText } from "../shared/time-text.ts";
import { Rows, Section } from "./section.tsx";

const QUERY = ["installation", "keys"];
type Key = Awaited<ReturnType<typeof installation.keys>>["keys"][number];

/** Keys with their last use and the calls of today; keys that read or trade on paper are made and revoked here. */
export function Keys() {
  const query = useQuery({ queryKey: QUERY, queryFn: installation.keys, refetchInterval: 10_000 });
  const [revoked, setRevoked] = useState<Key | null>(null);
  const [isMaking, making] = useDisclosure(false);
  return (
    <>
      <Section
        title="Keys"
        wide
        query={query}
        aside={
          <Button size="compact-sm" variant="default" onClick={making.toggle} aria-expanded={isMaking}>
            {isMaking ? "Done" : "New key"}
          </Button>
        }
      >
        {({ keys }) => (
          <>
            {isMaking && (
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
                { title: "May", of: ({ scopes }) => scopes.join(", ") },
                { title: "Last used", of: ({ last_used_at: time }) => hourAgoText(time) },
                {
                  title: "Calls today",
                  isFigure: true,
                  of: ({ calls_today: calls }) => calls.toLocaleString("en-US"),
                },
                { title: "Made", of: ({ created_at: time }) => time.slice(0, 10) },
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
              Keys with more rights are made and revoked on the machine of the server:{" "}
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
  state === "active" && end !== null ? `active to ${end.slice(0, 10)}` : state;

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
        Clients that use it are refused from the next call on. A revoked key does not come back; make another
        for them.
      </p>
      <Button color="red" loading={isPending} onClick={() => key !== null && mutate(key.id)}>
        Revoke the key
      </Button>
    </Modal>
  );
}
