import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { installation } from "../../api/installation.ts";
import { MISSING } from "../../views/format.ts";
import { Rows, Section } from "./section.tsx";

/** Settings in force, and the source of each; of a secret only whether it is set. */
export function Settings() {
  const [all, setAll] = useState(false);
  const query = useQuery({ queryKey: ["installation", "settings"], queryFn: installation.settings });
  return (
    <Section
      title="Settings"
      wide
      query={query}
      aside={
        <Checkbox
          size="xs"
          label="Show defaults"
          checked={all}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
      }
    >
      {({ settings }) => {
        const shown = settings.filter(({ source }) => all || source !== "default");
        return (
          <>
            {shown.length === 0 ? (
              <p className="muted">Every setting has its default.</p>
            ) : (
              <Rows
                label="Settings in force"
                items={shown}
                keyOf={({ name }) => name}
                columns={[
                  { title: "Setting", of: ({ name }) => <code>{name}</code> },
                  { title: "Value", of: (setting) => <Value of={setting} /> },
                  { title: "Source", of: ({ source }) => source },
                  { title: "Purpose", of: ({ purpose }) => <span className="muted">{purpose}</span> },
                ]}
              />
            )}
            <p className="muted small">
              Change one on the machine of the server: <code>npx market-signal config set NAME VALUE</code>
            </p>
          </>
        );
      }}
    </Section>
  );
}

type Setting = Awaited<ReturnType<typeof installation.settings>>["settings"][number];

const Value = ({ of: { value, secret } }: { readonly of: Setting }) =>
  value === null || secret ? (
    <span className="muted">{value === null ? MISSING : `${value}, hidden`}</span>
  ) : (
    <code className="setting-value">{value}</code>
  );
