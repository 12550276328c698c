import { useQuery } from "@tanstack/react-query";
import type { Output } from "./tools.ts";

/** Body of /status. */
export interface Status {
  readonly version: string;
  readonly market: Output<"interpret_query">["market"];
  /** Latest call of an agent since the server started; null before the first. */
  readonly agent: { readonly transport: string; readonly tool: string; readonly at: string } | null;
}

/** Reads the status of the server again after each interval, in milliseconds. */
export const useStatus = (interval = 30_000) =>
  useQuery({
    queryKey: ["status"],
    queryFn: async (): Promise<Status> => {
      const response = await fetch("/status", { cache: "no-store" });
      if (!response.ok) throw new Error(`/status answers ${response.status}`);
      return response.json();
    },
    refetchInterval: interval,
    staleTime: Math.min(interval, 10_000),
  });
