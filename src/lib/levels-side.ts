export type LevelsSide = "LONG" | "SHORT";

/** Returns the side that levels are of: the stop of a LONG is below its first target. */
export const sideOfLevels = (stop: number, target: number): LevelsSide => (stop < target ? "LONG" : "SHORT");

/** Says of the levels of a WAIT what they are for and of which side they are. */
export const watchingText = (side: LevelsSide): string => `for watching only, ${side} side`;
