import { type Command, InvalidArgumentError } from "commander";

/** Makes a command reject an option that is given twice with different values. */
export function rejectRepeatedOptions(command: Command): void {
  const negated = new Set(command.options.filter(({ negate }) => negate).map((one) => one.attributeName()));
  const given = new Map<string, unknown>();
  for (const option of command.options) {
    const name = option.attributeName();
    const isSwitch = negated.has(name);
    if (option.parseArg !== undefined || !(option.required || isSwitch)) continue;
    if (isSwitch) option.preset(!option.negate);
    option.argParser((value: unknown) => {
      if (given.has(name) && given.get(name) !== value)
        throw new InvalidArgumentError("It was already given with another value.");
      given.set(name, value);
      return value;
    });
  }
}
