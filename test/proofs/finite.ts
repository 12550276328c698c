import { COLUMNS, hostileFaults, KERNELS } from "../support/hostile-kernels.ts";
import type { Proof } from "./proof.ts";

const SERIES = 1_000;

/** Runs every kernel of the analytics on series that are flat, thin, spiky, without volume, tiny or huge. */
export const finite: Proof = {
  name: "finite",
  claim: "No kernel of the analytics returns a number that is not finite, whatever the prices",

  async run({ seed }) {
    const broken = hostileFaults(SERIES, seed);
    const kernels = Object.keys(KERNELS).length + Object.keys(COLUMNS).length;
    return { figure: `${kernels} kernels on ${SERIES} hostile series: ${broken.length} faults`, broken };
  },
};
