import type { Output } from "../../api/tools.ts";

export type TrackRecordAnswer = Output<"get_track_record">;
