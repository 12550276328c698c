import { sampleMarketId } from "../../src/providers/sample/market.ts";
import { recordingsOf } from "../../src/providers/sample/recordings.ts";

/** Recordings of the sample market. They never change, so the tests of one worker share what was computed. */
export const RECORDINGS = recordingsOf(sampleMarketId());
