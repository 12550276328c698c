import { useQuery } from "@tanstack/react-query";
import { installation } from "../../api/installation.ts";
import { dayText, fixed, MISSING, momentText } from "../../views/format.ts";
import { Rows, Section } from "./section.tsx";

/** Nightly runs, which compute the screener, the ranks and the index. */
export function Runs() {
  const query = useQuery({
    queryKey: ["installation", "runs"],
    queryFn: installation.runs,
    refetchInterval: 30_000,
  });
  return (
    <Section title="Nightly runs" query={query}>
      {({ runs }) =>
        runs.length === 0 ? (
          <p className="muted">No run yet. The first one starts within a minute after the server.</p>
        ) : (
          <Rows
            label="Nightly runs"
            items={runs}
            keyOf={({ run_id: id }) => id}
            columns={[
              { title: "As of", of: ({ as_of: time }) => dayText(time) },
              { title: "Universe", of: ({ universe }) => universe },
              { title: "Started", of: ({ started_at: time }) => momentText(time) },
              {
                title: "Duration",
                isFigure: true,
                of: ({ finished_at: end, duration_s: seconds }) =>
                  end === null ? "running" : seconds === null ? MISSING : `${fixed(seconds, 1)} s`,
              },
              {
                title: "Computed",
                isFigure: true,
                of: ({ computed, members }) => `${computed} of ${members}`,
              },
              {
                title: "Failed",
                isFigure: true,
                of: ({ errors }) => (errors > 0 ? <span className="down">▼ {errors}</span> : 0),
              },
            ]}
          />
        )
      }
    </Section>
  );
}
