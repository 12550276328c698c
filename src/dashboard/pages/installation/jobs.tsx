import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { MISSING, momentText, whole } from "../../views/format.ts";
import { Failure } from "../shared/failure.tsx";
import { Rows, Section } from "./section.tsx";

const QUERY = ["installation", "jobs"];

/** Background jobs by kind and state, and those that failed in each attempt, which are retried here. */
export function Jobs() {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: QUERY,
    queryFn: () => call("retry_job", {}),
    refetchInterval: 30_000,
  });
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (retry: number) => call("retry_job", { retry }),
    onSuccess: () => queries.invalidateQueries({ queryKey: QUERY }),
  });
  return (
    <Section title="Background jobs" query={query}>
      {({ counts, failed }) => (
        <>
          <p className="muted">
            {counts.length === 0
              ? "No jobs."
              : counts.map(({ kind, state, count }) => `${kind} ${state}: ${whole(count)}`).join(" · ")}
          </p>
          {data !== undefined && <p role="status">{data.hint}</p>}
          {error !== null && <Failure error={error} />}
          {failed.length > 0 && (
            <Rows
              label="Failed jobs"
              items={failed}
              keyOf={({ job }) => `${job}`}
              columns={[
                { title: "Job", isFigure: true, of: ({ job }) => job },
                { title: "Kind", of: ({ kind }) => kind },
                {
                  title: "Failed",
                  of: ({ failed_at: time }) => (time === null ? MISSING : momentText(time)),
                },
                { title: "Reason", of: ({ error: reason }) => reason },
                {
                  title: "Retry",
                  of: ({ job }) => (
                    <Button
                      size="compact-sm"
                      variant="default"
                      loading={isPending}
                      onClick={() => mutate(job)}
                      aria-label={`Retry job ${job}`}
                    >
                      Retry
                    </Button>
                  ),
                },
              ]}
            />
          )}
        </>
      )}
    </Section>
  );
}
