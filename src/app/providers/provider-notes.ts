import type { ProviderStatus } from "../../transports/cli/host.ts";
import type { Config } from "../config.ts";

/** Returns notes on the providers that will be called, their terms, and the keys that would add more. */
export function providerNotes(
  providers: readonly ProviderStatus[],
  mode: Config["PROVIDERS"],
): readonly string[] {
  const withState = (state: string) => providers.filter((provider) => provider.state === state);
  const on = withState("on").map(({ name, replacementUrl }) =>
    replacementUrl === null ? name : `${name} (at ${replacementUrl})`,
  );
  const settings = withState("needs a key").map(({ setting }) => setting);
  return [
    `these providers are called: ${on.join(", ") || "none"}. You accept their terms by using them; \`market-signal doctor\` lists the terms, PROVIDERS_OFF=<names> switches providers off`,
    ...termsNotes(providers, mode),
    ...(settings.length === 0 ? [] : [`more data with a key: ${settings.join(", ")}`]),
  ];
}

/** Returns notes on the terms that still need a decision of the operator, or that keep a provider off. */
export function termsNotes(
  providers: readonly ProviderStatus[],
  mode: Config["PROVIDERS"],
): readonly string[] {
  const namesOf = (which: (provider: ProviderStatus) => boolean) =>
    providers
      .filter(which)
      .map(({ name }) => name)
      .join(", ");
  if (mode === "public") {
    const names = namesOf(({ state, forbidsAutomation }) => state === "on" && forbidsAutomation);
    const choice =
      "PROVIDERS=all accepts them, PROVIDERS=licensed stops calling these providers, PROVIDERS_OFF=<names> some of them";
    return names === "" ? [] : [`the terms of ${names} restrict automated use: ${choice}`];
  }
  if (mode === "licensed") {
    const names = namesOf(({ offBy }) => offBy === "PROVIDERS=licensed");
    const reason = "not called with PROVIDERS=licensed, because their terms restrict automated use";
    return names === "" ? [] : [`${reason}: ${names}`];
  }
  return providers.flatMap(({ name, consent, offBy }) =>
    consent === null || offBy !== null
      ? []
      : [`PROVIDERS=all does not accept the terms of ${name}: set ${consent}`],
  );
}
