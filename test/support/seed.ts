import fc from "fast-check";

/** Every run draws the same cases, so that what fails fails again; `FC_SEED=<number>` draws others, `FC_RUNS=<number>` more. */
fc.configureGlobal({
  seed: Number(process.env.FC_SEED ?? 20_260_102),
  numRuns: Number(process.env.FC_RUNS ?? 60),
});
