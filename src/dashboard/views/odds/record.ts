import type { Output } from "../../api/tools.ts";

export type Record = Output<"get_track_record">;
