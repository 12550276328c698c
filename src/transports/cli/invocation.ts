/** How a person starts this program. */
export interface Invocation {
  /** What comes before the name of a command, such as `npx market-signal`. */
  readonly program: string;
  /** What starts the server, such as `npm start`. */
  readonly serve: string;
}

const NAME = "market-signal";
/** Start of a line, of an example, of code in backticks, or the settings before a command. */
const BEFORE = String.raw`(?<=^ *|^Usage: |\x60|(?:^|[ \x60])[A-Z_]+=\S+ )`;
const COMMAND = new RegExp(String.raw`${BEFORE}(?:npx )?${NAME}( serve)?(?= |\x60|$)`, "gm");

/**
 * Replaces the program in each command of a text by what the person typed. Messages, help and hints write commands as
 * `market-signal <command>`, in backticks or at the start of a line.
 */
export const replaceProgramName = (text: string, { program, serve }: Invocation): string =>
  text.replace(COMMAND, (_, isServe?: string) => (isServe === undefined ? program : serve));
