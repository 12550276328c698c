import { Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

interface Status {
  readonly version: string;
  readonly market: "sample" | "files" | "live";
}

const WORDS = {
  sample: ["SAMPLE", "All prices are simulated"],
  files: ["FILES", "Closes of your own bars; no live prices"],
  live: ["LIVE", "Prices of the connected providers"],
} as const;

/** Says on every page which market the numbers are from. */
export function MarketBadge() {
  const { data, isError } = useQuery({
    queryKey: ["status"],
    queryFn: async (): Promise<Status> => (await fetch("/status")).json(),
    refetchInterval: 30_000,
  });
  if (isError) return <span className="badge offline">OFFLINE</span>;
  if (data === undefined) return null;
  const [word, sentence] = WORDS[data.market];
  return (
    <Tooltip label={sentence}>
      <span className={`badge ${data.market}`}>{word}</span>
    </Tooltip>
  );
}
