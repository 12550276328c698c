import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { CheckResult } from "../../providers/shared/check.ts";
import type { ConnectedProvider } from "./provider-factory.ts";

/** Asks a source that tells no prices for something that it has on any day. Never rejects: a failure is a finding. */
export async function checkAnswer(
  { name, content: of, check }: ConnectedProvider,
  { signal, now }: { readonly signal: AbortSignal; readonly now: () => number },
): Promise<CheckResult> {
  const started = now();
  const found = (state: CheckResult["state"], detail: string): CheckResult => ({
    name: `${name} ${of}`,
    state,
    detail,
  });
  try {
    await check?.(signal);
    return found("ok", `answers in ${now() - started} ms`);
  } catch (cause) {
    if (!(cause instanceof ProviderFailure)) return found("fail", "it failed in a way that no source may");
    const state = cause.kind === "unsupported" ? "note" : "fail";
    return found(state, `${cause.kind}: ${cause.message}`);
  }
}
