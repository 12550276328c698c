import "../sections.css";
import type { Output } from "../../api/tools.ts";
import type { ViewProps } from "../view.ts";
import { Forecast } from "./forecast.tsx";
import { TrackRecord } from "./track-record.tsx";

type OddsOutput = Output<"get_odds"> | Output<"get_track_record">;

/** The odds of one symbol, or how odds and signals of the past have turned out. */
export function View({
  output,
  call,
}: Omit<ViewProps<"get_odds">, "output"> & { readonly output: OddsOutput }) {
  return "ranges" in output ? (
    <Forecast odds={output} call={call} />
  ) : (
    <TrackRecord record={output} call={call} />
  );
}
