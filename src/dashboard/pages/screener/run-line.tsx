import type { Output } from "../../api/tools.ts";
import { shortMoment } from "../../views/format.ts";

/** Says when the nightly run was, what it knew and what it lacks. */
export const RunLine = ({ screen: { runs } }: { readonly screen: Output<"screen_universe"> }) => (
  <p className="muted run num">
    {runs.map(({ run_id, universe, as_of, runAt, members, computed, failed, stale }) => (
      <span key={run_id}>
        Run over {universe}: closes until {shortMoment(as_of)},{" "}
        {runAt === null ? `in progress, ${computed} of ${members} symbols` : `computed ${shortMoment(runAt)}`}
        {failed > 0 && `, ${failed} without a result`}
        {stale && <b className="warn"> older than a day</b>}{" "}
      </span>
    ))}
  </p>
);
