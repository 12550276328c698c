/**
 * Returns true if npm or npx started this process, as the variable says that both set. They start it within a shell,
 * which receives the signals of npm and ends without passing them on.
 */
export const isStartedByNpm = (env: NodeJS.ProcessEnv = process.env): boolean =>
  env.npm_command !== undefined;
