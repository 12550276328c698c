import "../sections.css";
import type { ViewProps } from "../view.ts";
import type { CheckOutput, PreviewOutput } from "./check-model.ts";
import { OrderCheck } from "./order-check.tsx";
import { TradePreview } from "./trade-preview.tsx";

/** The result of an order check or a trade preview. It sends nothing: a person confirms an order on a page of the server. */
export function View({
  output,
}: Omit<ViewProps<"check_order">, "output"> & { readonly output: CheckOutput | PreviewOutput }) {
  return "verdict" in output ? <OrderCheck check={output} /> : <TradePreview preview={output} />;
}
