import type { Prints } from "../ports/index.ts";

/** No source of off-exchange prints is connected. */
export const noPrints: Prints = { tape: async () => null };
