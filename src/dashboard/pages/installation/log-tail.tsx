import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { installation } from "../../api/installation.ts";
import { Scrolled, Section } from "./section.tsx";

/** The newest lines of the log, the newest first. */
export function LogTail() {
  const [filter, setFilter] = useState("");
  const query = useQuery({
    queryKey: ["installation", "log"],
    queryFn: installation.log,
    refetchInterval: 10_000,
  });
  return (
    <Section
      title="Log"
      query={query}
      aside={
        <TextInput
          size="xs"
          aria-label="Filter the log"
          placeholder="Filter"
          value={filter}
          onChange={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      }
    >
      {({ lines }) => {
        const shown = lines
          .filter(({ text }) => text.toLowerCase().includes(filter.trim().toLowerCase()))
          .toReversed();
        return shown.length === 0 ? (
          <p className="muted">{lines.length === 0 ? "The log is empty." : "No line matches."}</p>
        ) : (
          <Scrolled label="Newest lines of the log">
            <ol className="log">
              {shown.map(({ time, text }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: equal lines may follow each other
                <li key={`${time} ${at}`}>
                  <time dateTime={time} className="num muted">
                    {time.slice(11, 19)}
                  </time>{" "}
                  {text.replace(/^\S*\d\d:\d\d:\d\d\S*\s+/, "")}
                </li>
              ))}
            </ol>
          </Scrolled>
        );
      }}
    </Section>
  );
}
