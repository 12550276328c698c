import { Tooltip } from "@mantine/core";
import { MARKET_LABELS } from "../../lib/market-labels.ts";
import { useStatus } from "../api/status.ts";

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
  const { name, sentence } = MARKET_LABELS[data.market];
  return (
    <Tooltip label={sentence}>
      <span className={`badge ${data.market}`}>{name}</span>
    </Tooltip>
  );
}
