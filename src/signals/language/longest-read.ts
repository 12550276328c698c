/** Characters of a question that patterns are read in: what comes after seldom tells what is asked. */
export const LONGEST_READ = 2_000;
