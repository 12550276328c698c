import { Alert, Anchor, Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { backupUrl, installation } from "../../api/installation.ts";
import { momentText } from "../../views/format.ts";
import { Failure } from "../shared/failure.tsx";
import { Snippet } from "../shared/snippet.tsx";
import { bytesText } from "../shared/time-text.ts";
import { Section } from "./section.tsx";

const QUERY = ["installation", "backups"];
/** Number of backups that are listed at first. */
const SHOWN = 5;

/** Creates, lists and downloads backups, each with the command that restores it. */
export function Backups() {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: QUERY, queryFn: installation.backups, refetchInterval: 60_000 });
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: installation.backUp,
    onSuccess: () => queries.invalidateQueries({ queryKey: QUERY }),
  });
  return (
    <Section
      title="Backups"
      query={query}
      aside={
        <Button size="compact-sm" variant="default" loading={isPending} onClick={() => mutate()}>
          Back up now
        </Button>
      }
    >
      {({ backups, every, fault, folder }) => (
        <>
          {error !== null && <Failure error={error} />}
          {fault !== null && (
            <Alert color="orange" title="Backups need attention">
              {fault}
            </Alert>
          )}
          {data !== undefined && (
            <p role="status">
              Written: {data.backup.name}.{" "}
              {data.excluded_key_files.length > 0 &&
                `Not in it, because no BACKUP_PASSPHRASE is set: ${data.excluded_key_files.join(", ")}.`}
            </p>
          )}
          <p className="muted">
            The key files, <code>master.key</code> among them, are in a backup only if BACKUP_PASSPHRASE is
            set: otherwise keep a copy of them in another place.
          </p>
          {backups.length === 0 ? (
            <p className="muted">No backup yet.</p>
          ) : (
            <ul className="backups">
              {backups.slice(0, SHOWN).map((backup) => (
                <li key={backup.name}>
                  <div className="backup-head">
                    <span className="num">{momentText(backup.created_at)}</span>
                    <span className="muted">
                      {bytesText(backup.bytes)}, {backup.scheduled ? "scheduled" : "manual"}
                    </span>
                    <Anchor
                      href={backupUrl(backup.name)}
                      download={backup.name}
                      aria-label={`Download ${backup.name}`}
                    >
                      Download
                    </Anchor>
                  </div>
                  <details>
                    <summary>Restore it</summary>
                    <p className="muted">On the machine of the server, while it is stopped:</p>
                    <Snippet text={backup.restore_command} what={`command that restores ${backup.name}`} />
                  </details>
                </li>
              ))}
            </ul>
          )}
          <p className="muted small">
            {backups.length > SHOWN && `${backups.length - SHOWN} older ones are in this folder. `}
            Schedule: {every}. Folder: <code>{folder}</code>
          </p>
        </>
      )}
    </Section>
  );
}
