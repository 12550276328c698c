/** Invalid setting; the message is one line that names it and says how to correct it. The program exits with 2. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}
