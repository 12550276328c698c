/**
 * Thrown for an invalid setting. The one-line message names the setting and its remedy. The program exits with code 2.
 */
export class SetupError extends Error {
  override readonly name = "SetupError";
}
