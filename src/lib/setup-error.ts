/** The operator must mend a setting; the message is one line that says which and how. The executable exits 2. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}
