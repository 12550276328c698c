import { useQuery } from "@tanstack/react-query";
import { installation } from "../../api/installation.ts";
import { MISSING, whole } from "../../views/format.ts";
import { agoText } from "../shared/time-text.ts";
import { Rows, Section } from "./section.tsx";

type Provider = Awaited<ReturnType<typeof installation.providers>>["providers"][number];

/** Data providers: whether they answer, how fast, and how many calls are left. */
export function Providers() {
  const query = useQuery({
    queryKey: ["installation", "providers"],
    queryFn: installation.providers,
    refetchInterval: 15_000,
  });
  return (
    <Section title="Data providers" query={query}>
      {({ providers }) =>
        providers.length === 0 ? (
          <p className="muted">This market needs no provider.</p>
        ) : (
          <Rows
            label="Data providers"
            items={providers}
            keyOf={({ name }) => name}
            columns={[
              {
                title: "Provider",
                of: ({ title, name, gives }) => (
                  <div>
                    <b>{title ?? name}</b>
                    {gives !== null && <div className="muted small">{gives}</div>}
                  </div>
                ),
              },
              { title: "State", of: (provider) => <State of={provider} /> },
              {
                title: "Latency",
                isFigure: true,
                of: ({ latency_ms: ms }) => (ms === null ? MISSING : `${Math.round(ms)} ms`),
              },
              {
                title: "Calls left",
                isFigure: true,
                of: ({ calls_left: left }) => whole(left),
              },
              {
                title: "Last answer",
                of: ({ last_success: time }) => (time === null ? MISSING : agoText(time)),
              },
            ]}
          />
        )
      }
    </Section>
  );
}

const State = ({ of }: { readonly of: Provider }) => {
  const { sign, tone, words } = stateOf(of);
  return (
    <span className={tone}>
      <span aria-hidden="true">{sign}</span> {words}
    </span>
  );
};

/** Returns the state of a provider as a sign, a colour and words. */
function stateOf({ state, needs, healthy, failure, outage }: Provider) {
  if (state === "needs a key") return { sign: "◇", tone: "warn", words: `needs ${needs ?? "a key"}` };
  if (state === "off") return { sign: "◇", tone: "muted", words: needs === null ? "off" : `off: ${needs}` };
  if (outage !== null) return { sign: "▼", tone: "down", words: outage };
  if (healthy === false) return { sign: "▼", tone: "down", words: failure ?? "failing" };
  return healthy === null
    ? { sign: "◆", tone: "muted", words: "not called yet" }
    : { sign: "▲", tone: "up", words: "answers" };
}
