import { useStatus } from "../../api/status.ts";

const POLL_MS = 2_000;

/** Turns green once an agent has called. */
export function Sign() {
  const { data, isError } = useStatus(POLL_MS);
  const agent = data?.agent ?? null;
  return (
    <p className={agent === null ? "client-sign" : "client-sign on"} role="status">
      <span className="sign-dot" aria-hidden="true">
        {agent === null ? "○" : "●"}
      </span>
      {isError ? (
        "The server does not answer"
      ) : agent === null ? (
        <span>
          <b>Waiting for the first call of an agent.</b> Paste the settings, then ask the assistant about a
          market: this line turns green.
        </span>
      ) : (
        <span>
          <b>Connected:</b> {agent.tool} over {agent.transport},{" "}
          <time dateTime={agent.at} className="num">
            {agent.at.slice(11, 19)} UTC
          </time>
        </span>
      )}
    </p>
  );
}
