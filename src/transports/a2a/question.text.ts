import type { Question } from "./question.ts";

/** Returns the question as a text for the person and as data for the agent. */
export function formatQuestion(question: Question): { readonly text: string; readonly data: object } {
  if (question.kind === "ticket") {
    const { ticket_id } = question;
    return {
      text: `Send the trade of ticket ${ticket_id}? Answer "confirm" or the ticket id to send it once, or "no" to leave it.`,
      data: { question: "confirm", ticket_id, answers: ["confirm", ticket_id, "no"] },
    };
  }
  const { candidates } = question;
  const names = candidates.map(({ symbol, name, asset_class }) => `${symbol} (${name}, ${asset_class})`);
  return {
    text: `Which instrument is meant: ${names.join(" or ")}? Answer with its symbol.`,
    data: { question: "symbol", candidates, answers: candidates.map(({ symbol }) => symbol) },
  };
}
