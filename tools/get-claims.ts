import { z } from "zod";
import {
  Caveats,
  Detail,
  intBetween,
  MarketMode,
  outsideTextNotice,
  Succeeded,
  SymbolText,
} from "../src/domain/answers.ts";
import {
  AuthorRecord,
  AuthorText,
  authorKey,
  CLAIM_STATES,
  CLAIMS_OUTSIDE_TEXT,
  Claim,
} from "../src/domain/claims/claims.ts";
import { authorRecords } from "../src/features/claims/author-records.ts";
import { formatClaims } from "../src/features/claims/claims.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Maximum number of author records of an answer, those with the most claims first. */
const MAX_AUTHORS = { concise: 5, full: 50 } as const;
/** Number of claims of an answer. */
const MAX_CLAIMS = 200;
const DEFAULT_CLAIMS = { concise: 5, full: 20 } as const;

/** Returns the claims of the account and the record of each author. */
export const getClaims = defineTool({
  name: "get_claims",
  title: "Get claims",
  description:
    "Lists recorded claims, tips and predictions of this account, and the score of each author: the share that came true beside its base rate. Use it for how good or right a newsletter, pundit, friend or source has been, the hit rate, or undecided predictions. record_claim records one.",
  topics: [
    "recorded claims",
    "open predictions",
    "how good is my newsletter",
    "record of a source",
    "was the tip right",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  listed: "toolset",
  route: "GET /api/v1/claims",
  cli: { command: "claims", positionals: ["author"] },
  needs: ["claims", "symbols", "market"],
  input: z.object({
    author: AuthorText.optional().describe("Only this author"),
    symbol: SymbolText.optional().describe("Only this symbol"),
    state: z.enum(CLAIM_STATES).optional().describe("records ignore it"),
    limit: intBetween(1, MAX_CLAIMS).optional().describe("Default: 20, concise 5"),
    detail: Detail,
  }),
  output: z.object({
    ...Succeeded,
    outside_text: outsideTextNotice(CLAIMS_OUTSIDE_TEXT),
    records: z.array(AuthorRecord).describe("Most claims first"),
    claims: z.array(Claim).describe("Newest first"),
    count: z.number().int().describe("Number of matching claims"),
    notes: Caveats,
    market: MarketMode,
  }),
  examples: [
    { ask: "How often was my newsletter right?", input: { author: "My newsletter" } },
    { ask: "Which recorded claims are still open?", input: { state: "open" } },
  ],
  terminal: formatClaims,

  async handler({ author, symbol, state, limit, detail = "full" }, { claims, symbols, market, principal }) {
    const name = symbol === undefined ? undefined : symbols.resolve(symbol).instrument.symbol;
    const accountClaims = await claims.list(principal.account);
    const ofAuthor = accountClaims.filter(
      (claim) =>
        (author === undefined || authorKey(claim.author) === authorKey(author)) &&
        (name === undefined || claim.symbol === name),
    );
    const matching = state === undefined ? ofAuthor : ofAuthor.filter((claim) => claim.state === state);
    const shown = matching.slice(0, limit ?? DEFAULT_CLAIMS[detail]);
    const records = authorRecords(ofAuthor);
    const shownRecords = records.slice(0, MAX_AUTHORS[detail]);
    const omitted = matching.length - shown.length;
    return {
      records: shownRecords,
      claims: shown.map(({ until: _, ...claim }) => claim),
      count: matching.length,
      notes: [
        ...(accountClaims.length === 0
          ? ["No claims yet: record_claim records one."]
          : ofAuthor.length === 0
            ? [`No claim matches. Claims recorded: ${accountClaims.length}.`]
            : ONLY_RECORDED),
        ...(omitted > 0 ? [`Older claims left out: ${omitted}. limit shows up to ${MAX_CLAIMS}.`] : []),
        ...(records.length > shownRecords.length
          ? [`Authors left out: ${records.length - shownRecords.length}.`]
          : []),
        ...(market.mode === "sample" ? [SIMULATED] : []),
      ],
      market: market.mode,
    };
  },
});

const ONLY_RECORDED = [
  "A record counts only what this account recorded, withdrawn claims included; what an author said elsewhere is not in it.",
  "Symbols move together within a day but count separately, so intervals are narrower than they should be.",
];
const SIMULATED = "Claims on a simulated market say nothing about an author.";
