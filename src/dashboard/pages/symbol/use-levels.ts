import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "../../api/client.ts";
import type { Output } from "../../api/tools.ts";

export type SavedLevel = Output<"get_levels">["levels"][number];

/** The levels that this account drew on a symbol, with the alerts at them. */
export function useLevels(symbol: string, isReady: boolean) {
  const client = useQueryClient();
  const key = ["levels", symbol];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () => call("get_levels", { symbol }),
    enabled: isReady,
  });
  const { data: alerts } = useQuery({
    queryKey: ["alerts"],
    queryFn: () => call("list_subscriptions", {}),
    enabled: isReady,
  });
  const save = useMutation({
    mutationFn: (levels: readonly { readonly price: number; readonly label: string | null }[]) =>
      call("save_levels", {
        symbol,
        levels: levels.map(({ price, label }) => ({ price, ...(label !== null && { label }) })),
      }),
    onSuccess: (answer) => client.setQueryData(key, answer),
  });
  const alert = useMutation({
    mutationFn: ({ price, side, label }: { price: number; side: "above" | "below"; label: string | null }) =>
      call("create_subscription", {
        symbols: [symbol],
        on: "price",
        [side]: price,
        name: label ?? `${symbol} ${side} ${price}`,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["alerts"] }),
  });
  const saved = useMemo<readonly SavedLevel[]>(() => data?.levels ?? [], [data]);
  const alerted = useMemo(
    () =>
      new Map<number | null, { readonly side: "above" | "below"; readonly channel: string }>(
        (alerts?.subscriptions ?? [])
          .filter(({ symbols, state }) => symbols.includes(symbol) && state === "active")
          .flatMap(({ condition: { on, above, below }, channel }) =>
            on === "price"
              ? [[above, { side: "above", channel }] as const, [below, { side: "below", channel }] as const]
              : [],
          ),
      ),
    [alerts, symbol],
  );
  return { saved, alerted, save, alert, error: error ?? save.error ?? alert.error };
}
