import { Tooltip } from "@mantine/core";
import { useStatus } from "../api/status.ts";

const WORDS = {
  sample: ["SAMPLE", "All prices are simulated"],
  files: ["FILES", "Closes of your own bars; no live prices"],
  live: ["LIVE", "Prices of the connected providers"],
} as const;

/** Says on every page which market the numbers are from. */
export function MarketBadge() {
  const { data, isError } = useStatus();
  if (isError)
    return (
      <Tooltip label="The server does not answer; the figures are from its last answer">
        <span className="badge offline" role="status">
          OFFLINE
        </span>
      </Tooltip>
    );
  if (data === undefined) return null;
  const [word, sentence] = WORDS[data.market];
  return (
    <Tooltip label={sentence}>
      <span className={`badge ${data.market}`}>{word}</span>
    </Tooltip>
  );
}
