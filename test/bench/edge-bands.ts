import { PUBLISHED_BANDS } from "../../src/analytics/edge/bands.ts";
import { LISTINGS } from "../../src/providers/sample/listing.ts";
import {
  bandsOf,
  type EdgeObservation,
  edgeObserver,
  observationTimes,
  writeBands,
  writeEdgeObservations,
} from "../features/prediction-markets/edge-observations.ts";

/**
 * Measures the divergence of detect_edge on every listing of the simulated market since 2022 and prints the bands.
 * `npm run bench -- edge-bands --write` writes the bands of the product, and the observations that prove them.
 */
export async function run(): Promise<void> {
  const observe = edgeObserver();
  const observations: EdgeObservation[] = [];
  let unavailable = 0;
  for (const { instrument } of LISTINGS)
    for (const at of observationTimes(instrument.symbol)) {
      const observation = await observe(instrument, at);
      if (observation === null) unavailable++;
      else observations.push(observation);
    }
  const write = process.argv.includes("--write");
  const published = write ? new Date().toISOString().slice(0, 10) : PUBLISHED_BANDS.published;
  const bands = bandsOf(observations, published);
  console.log(JSON.stringify(bands, null, 2));
  console.log(`${unavailable} times without a verdict`);
  if (!write) return;
  writeEdgeObservations(observations);
  writeBands(bands);
}
