import fc from "fast-check";

/** Every run draws the same cases, so that what fails fails again; `FC_SEED=<number>` draws others. */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_260_102) });
