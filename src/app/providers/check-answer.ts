import { SourceFailure } from "../../domain/providers/price-provider.ts";
import type { Finding } from "../../providers/check.ts";
import type { Connected } from "./kit.ts";

/** Asks a source that tells no prices for something that it has on any day. Never rejects: a failure is a finding. */
export async function checkAnswer(
  { name, of, check }: Connected,
  { signal, now }: { readonly signal: AbortSignal; readonly now: () => number },
): Promise<Finding> {
  const started = now();
  const found = (state: Finding["state"], detail: string): Finding => ({
    name: `${name} ${of}`,
    state,
    detail,
  });
  try {
    await check?.(signal);
    return found("ok", `answers in ${now() - started} ms`);
  } catch (cause) {
    if (!(cause instanceof SourceFailure)) return found("fail", "it failed in a way that no source may");
    const state = cause.kind === "unsupported" ? "note" : "fail";
    return found(state, `${cause.kind}: ${cause.message}`);
  }
}
