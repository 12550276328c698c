import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import type { Input } from "../../api/tools.ts";

const KEY = ["watchlists"];

/** Returns the watchlists of the account, in order of their names. */
export const useWatchlists = () =>
  useQuery({ queryKey: KEY, queryFn: () => call("list_watchlists", {}), staleTime: 60_000 });

/** Saves a watchlist; an empty one is deleted. */
export function useSaveList() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<"save_watchlist">) => call("save_watchlist", input),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
