import { z } from "zod";
import { formatPlanOdds } from "../../domain/odds/odds.text.ts";
import { formatPriceTerms } from "../../domain/requests/intent.text.ts";
import { Preview } from "../../domain/trading/preview.ts";
import { Amount } from "../../domain/trading/trading.ts";
import type { TicketRecord } from "../../domain/trading/trading-port.ts";
import { decimal } from "../../lib/decimal.ts";
import { Row } from "./sign-in-actions.tsx";

const { maximum_loss, odds, odds_reason } = Preview.shape;
/** What the page shows of a stored preview; a part that cannot be read is null. */
const StoredPreview = z.object({
  broker: z.string().nullish().catch(null),
  quote: z.object({ price: Amount }).nullish().catch(null),
  maximum_loss: maximum_loss.nullish().catch(null),
  odds: odds.nullish().catch(null),
  odds_reason: odds_reason.nullish().catch(null),
});

/** Renders the rows of an order as it will be sent. Missing fields show as not known. */
export function OrderFacts({
  ticket,
  mask,
}: {
  readonly ticket: TicketRecord;
  readonly mask: string | null;
}) {
  const { intent } = ticket;
  const shown = StoredPreview.parse(ticket.shown);
  const price = intent.limit_price ?? intent.stop_price ?? shown.quote?.price ?? null;
  const value = price === null ? null : decimal(price).times(intent.quantity).toFixed(2);
  const { odds, maximum_loss: loss } = shown;
  return (
    <>
      <Row name="Side" value={intent.side === "buy" ? "Buy" : "Sell"} />
      <Row name="Quantity" value={intent.quantity} />
      <Row name="Symbol" value={intent.symbol} />
      <Row name="Price" value={formatPriceTerms(intent)} />
      <Row name="Valid" value={intent.time_in_force === "day" ? "for the day" : "until cancelled"} />
      <Row name="Price when previewed" value={usd(shown.quote?.price)} />
      <Row name="Value" value={usd(value)} />
      <Row name="Stop loss" value={intent.stop_loss === null ? "none" : usd(intent.stop_loss)} />
      <Row name="Take profit" value={intent.take_profit === null ? "none" : usd(intent.take_profit)} />
      <Row name="Loss at the stop" value={usd(loss?.at_stop)} />
      <Row
        name="Worst loss"
        value={loss == null ? UNKNOWN : loss.worst === null ? loss.basis : usd(loss.worst)}
      />
      <Row name="Odds" value={odds == null ? (shown.odds_reason ?? UNKNOWN) : formatPlanOdds(odds)} />
      <Row name="Account" value={`${shown.broker ?? "broker"} ...${mask ?? "?"}, live, real money`} />
    </>
  );
}

const UNKNOWN = "not known";
const usd = (amount: string | null | undefined): string => (amount == null ? UNKNOWN : `${amount} USD`);
