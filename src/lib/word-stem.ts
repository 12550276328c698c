import { stemmer } from "stemmer";

/** Returns the stem of a lower-case English word: `trading` and `trades` become `trade`. @see Porter (1980) */
export const wordStem = (word: string): string => stemmer(word);
