/** Far smaller than a hundredth: 100 times a value of hundredths may lie just below a whole number. */
const ROUNDING = 1e-9;

/** Rounds down to hundredths. */
export const floorHundredths = (value: number): number => Math.floor(100 * (value + ROUNDING)) / 100;
