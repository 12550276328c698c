/** Characters of a question that are read: what comes after seldom tells what is asked. */
export const LONGEST_READ = 2_000;
