import type { ComputeTask } from "../domain/compute-port.ts";
import { imageKey, pngOf } from "../lib/png.ts";

/** Renders an SVG image as a PNG of the same size, in base64. */
export const pngTask: ComputeTask<{ readonly svg: string }, { readonly base64: string }> = {
  name: "png",
  duration: "short",
  keyOf: ({ svg }) => imageKey(svg),
  async run({ svg }, { signal }) {
    return { base64: Buffer.from(await pngOf(svg, signal)).toString("base64") };
  },
};
