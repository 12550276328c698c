/** Characters of a question of which patterns are read, and words of it: what comes after tells no more of what is asked. */
export const LONGEST_READ = 2_000;
